//! `tablero eval`.

use crate::failure::Failure;
use crate::progress::bar;
use crate::table::Table;
use serde_json::json;
use tablero_env::{AnyGame, BoardGame, with_game};
use tablero_minimax::{Baseline, Solvable};
use tablero_train::PlayerSpec;
use tablero_train::matches::{
    MatchOptions, MatchReport, PlayedDecision, PlayedMatch, default_max_plies,
    default_opening_plies, play_match,
};
use tablero_train::oracle::{DecisionTally, OracleReport, judge};
use tablero_train::players::load_policy;
use tablero_train::self_play::Workers;
use tablero_train::statistics::Tally;

/// Measure player a against player b, and on request against the exact solver
///
/// Games come in pairs from distinct random openings, with colours swapped. Players: random |
/// greedy | minimax:level=1..6 | minimax:depth=N,ms=N,nodes=N (threads=N beside ms) | mcts:sims=N |
/// policy:DIR,sims=N, where DIR is an exported policy or a run and sims=0 plays the network without
/// search (precision=bf16 beside it: a residual network in rounded numbers, several times as fast on
/// processors with AMX) | solver, which plays perfectly | uhp:"COMMAND",depth=N or ms=N, any Hive
/// engine that speaks the Universal Hive Protocol.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    tablero eval --game dots-and-boxes:3x3 --a mcts:sims=200 --b minimax:depth=4 --games 200\n  \
    tablero eval --a policy:runs/quickstart,sims=100 --b random --games 200 --oracle")]
pub struct Arguments {
    /// The game; may be left out where a player is a policy
    #[arg(long, value_name = "GAME", value_parser = AnyGame::parse)]
    game: Option<AnyGame>,
    /// The player to measure
    #[arg(long, value_name = "PLAYER")]
    a: PlayerSpec,
    /// Its opponent
    #[arg(long, value_name = "PLAYER")]
    b: PlayerSpec,
    /// Games in all; an odd number is raised by one
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Fixes openings and players
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Random plies before each game; default a sixth of the longest game (at most 10), or 6 where there is none
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// Leave a game unfinished after so many plies; it is no draw, and its pair does not count.
    /// Default: never, but 400 in games without a bound on their length
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,
    /// Judge a's decisions by the exact solver: the share that keeps the exact result
    #[arg(long)]
    oracle: bool,
    /// Threads; default all cores. Changes no result, except of players with a time limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let any = match &arguments.game {
        Some(any) => any.clone(),
        None => game_of([&arguments.a, &arguments.b])?,
    };
    with_game!(&any, game => eval(game, arguments))
}

/// The game of the first player that is a policy.
pub fn game_of(players: [&PlayerSpec; 2]) -> Result<AnyGame, Failure> {
    let directory = players.into_iter().find_map(|player| match player {
        PlayerSpec::Policy { directory, .. } => Some(directory),
        _ => None,
    });
    match directory {
        Some(directory) => Ok(AnyGame::parse(&load_policy(directory)?.manifest.game)?),
        None => Err(Failure::bad_input(
            "expected a game, such as dots-and-boxes:3x3, since no player is a policy",
        )),
    }
}

fn eval<G: BoardGame + Baseline + Solvable>(
    game: &G,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let options = MatchOptions {
        games: arguments.games,
        seed: arguments.seed,
        opening_plies: arguments
            .opening_plies
            .unwrap_or_else(|| default_opening_plies(game.max_plies())),
        max_plies: arguments
            .max_plies
            .map(|plies| plies as usize)
            .or_else(|| default_max_plies(game.max_plies())),
        threads: arguments
            .threads
            .map_or_else(|| Workers::all_cores().threads, usize::from),
    };
    // A board that cannot be solved should be refused before the games, not after.
    let solver = arguments.oracle.then(|| game.solver()).transpose()?;
    let PlayedMatch { report, decisions } = play(game, &arguments.a, &arguments.b, &options)?;
    let judged = solver.map(|mut solver| judge_with_bar(game, &mut solver, &decisions));
    if arguments.json {
        let mut value = serde_json::to_value(&report)?;
        if let (Some(judged), Some(map)) = (&judged, value.as_object_mut()) {
            map.insert("oracle".to_owned(), json!(judged));
        }
        println!("{value}");
    } else {
        print_report(&report);
        if let Some(judged) = &judged {
            println!();
            print_oracle(judged);
        }
    }
    Ok(())
}

/// Plays a match behind a progress bar.
pub fn play<G: BoardGame + Baseline + Solvable>(
    game: &G,
    a: &PlayerSpec,
    b: &PlayerSpec,
    options: &MatchOptions,
) -> Result<PlayedMatch<G::State>, Failure> {
    let (a, b) = (a.load(game)?, b.load(game)?);
    let bar = bar(options.games.div_ceil(2) * 2, "games");
    let result = play_match(game, &a, &b, options, &|| bar.inc(1));
    bar.finish_and_clear();
    Ok(result?)
}

/// Judges decisions behind a progress bar.
pub fn judge_with_bar<G: BoardGame + Solvable>(
    game: &G,
    solver: &mut G::Solver,
    decisions: &[PlayedDecision<G::State>],
) -> OracleReport {
    let bar = bar(decisions.len() as u64, "decisions solved");
    let report = judge(game, solver, decisions, &mut || bar.inc(1));
    bar.finish_and_clear();
    report
}

fn print_report(report: &MatchReport) {
    println!(
        "{}: a = {}, b = {}; seed {}",
        report.game, report.a, report.b, report.seed
    );
    println!(
        "{} games in pairs with colours swapped, {} random plies first; {} distinct openings, {} \
         distinct games",
        report.games, report.opening_plies, report.distinct_openings, report.distinct_games
    );
    let mut table = Table::new(&["", ">wins", ">draws", ">losses", ">score"]);
    let rows: [(&str, &Tally); 3] = [
        ("a", &report.a_results),
        ("a moving first", &report.a_first),
        ("whoever moves first", &report.first_player),
    ];
    for (name, tally) in rows {
        table.row([
            name.to_owned(),
            tally.wins.to_string(),
            tally.draws.to_string(),
            tally.losses.to_string(),
            tally.score().map_or_else(|| "-".to_owned(), percent),
        ]);
    }
    table.print();
    if report.unfinished > 0 {
        println!(
            "{} games more were left unfinished at the limit of plies; their pairs do not count",
            report.unfinished
        );
    }
    match &report.strength {
        Some(strength) => println!(
            "score of a {} (95 % interval {} to {}); Elo difference {} ({} to {})",
            percent(strength.score),
            percent(strength.score_low),
            percent(strength.score_high),
            elo_text(strength.elo, strength.score),
            elo_text(strength.elo_low, 0.0),
            elo_text(strength.elo_high, 1.0),
        ),
        None => println!("no pair of games was finished: there is no score"),
    }
    for (name, effort) in [("a", &report.a_effort), ("b", &report.b_effort)] {
        println!(
            "{name}: {:.2} ms and {:.0} nodes a move over {} moves",
            effort.seconds_a_move * 1e3,
            effort.nodes_a_move,
            effort.moves
        );
    }
}

fn print_oracle(report: &OracleReport) {
    println!("Decisions of a against the exact solver:");
    let mut table = Table::new(&[
        "decisions",
        ">number",
        ">distinct positions",
        ">optimal",
        ">points-optimal",
    ]);
    let rows: [(&str, &DecisionTally); 2] = [
        ("critical (something could go wrong)", &report.critical),
        ("all, most of them not critical", &report.all),
    ];
    if report.beyond_reach > 0 {
        println!(
            "({} more are beyond the solver's reach and are left out.)",
            report.beyond_reach
        );
    }
    let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), percent);
    for (name, tally) in rows {
        table.row([
            name.to_owned(),
            tally.decisions.to_string(),
            tally.distinct_positions.to_string(),
            share(tally.optimal_share),
            share(tally.points_optimal_share),
        ]);
    }
    table.print();
}

/// A share as a percentage with two decimals.
pub fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

fn elo_text(elo: Option<f64>, score: f64) -> String {
    match elo {
        Some(elo) => format!("{elo:+.0}"),
        None if score > 0.5 => "+inf".to_owned(),
        None => "-inf".to_owned(),
    }
}

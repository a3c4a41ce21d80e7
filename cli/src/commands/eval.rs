//! `tablero eval`.

use crate::commands::ladder;
use crate::failure::Failure;
use crate::figures::{elo_text, percent};
use crate::interrupt;
use crate::matches::{MatchArguments, compare_with_bar, finish, play};
use crate::output;
use crate::player::player;
use crate::table::Table;
use serde_json::json;
use std::path::{Path, PathBuf};
use tablero_agents::PlayerSpec;
use tablero_agents::matches::{
    Effort, Forfeits, MatchOptions, MatchReport, PlayedGame, PlayedMatch, SprtReport,
};
use tablero_agents::oracle::{DecisionTally, OracleReport};
use tablero_agents::statistics::{Sprt, Tally, Verdict};
use tablero_env::record::Record;
use tablero_env::{Player, with_game};
use tablero_minimax::Playable;

/// Measure player a against player b, and optionally against the exact solver
///
/// Games are played in pairs from distinct random openings, with colours swapped. If a player is a
/// run, the result is also stored in its folder (evaluations.jsonl).
///
/// Players: random | greedy | solver, which plays perfectly | minimax:level=1..6 | minimax:depth=N,
/// nodes=N | mcts:sims=N, tree search with rollouts | zoo:sims=N, the bundled policy for the game |
/// policy:DIR,sims=N, where DIR is an exported policy, a run or one of its
/// checkpoints; sims=0 plays the network without search | uhp:"COMMAND",depth=N, any Hive engine
/// that speaks the Universal Hive Protocol.
///
/// A time limit is an alternative: ms=N per move, or clock=BASE+INCREMENT in seconds for the whole
/// game. A tree search accepts every field of the search configuration: root=puct|gumbel, c_puct=X,
/// transpositions=true|false, analyser_nodes=N and analyser_share=X (minimax, and the endgame solver
/// if there is one, evaluate each leaf; 0 nodes make the agent bare) and so on. Other fields are
/// those of the policy. temperature=X samples moves in proportion to their visits to the power of
/// 1/X, instead of playing the best.
#[derive(clap::Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  \
    tablero eval --game dots-and-boxes:3x3 --a mcts:sims=200 --b minimax:depth=4 --games 200\n  \
    tablero eval --a policy:runs/quickstart,sims=100 --b random --games 200 --oracle\n  \
    tablero eval --game xadrersi --a mcts:sims=400 --b greedy --games 2000 --sprt 0,30\n  \
    tablero eval ladder --game queens:8 random greedy minimax:level=1 mcts:sims=400"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    pair: PairArguments,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Ladder(ladder::Arguments),
}

#[derive(clap::Args, Debug)]
struct PairArguments {
    /// The player to measure
    #[arg(long, value_name = "PLAYER", required = true, value_parser = player)]
    a: Option<PlayerSpec>,
    /// Its opponent
    #[arg(long, value_name = "PLAYER", required = true, value_parser = player)]
    b: Option<PlayerSpec>,
    #[command(flatten)]
    matches: MatchArguments,
    /// Stop as soon as a sequential probability ratio test decides whether a is ELO1 stronger rather
    /// than ELO0, with an error probability of 5 % on either side
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Write a record of each game into this folder, which must not exist yet
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Compare a's decisions with the exact solver: report the share that keeps the exact result
    #[arg(long)]
    oracle: bool,
}

/// `ELO0,ELO1`.
fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let parsed = text.split_once(',').and_then(|(elo0, elo1)| {
        let (elo0, elo1): (f64, f64) = (elo0.trim().parse().ok()?, elo1.trim().parse().ok()?);
        (elo0.is_finite() && elo1.is_finite() && elo0 < elo1).then_some(Sprt { elo0, elo1 })
    });
    parsed.ok_or_else(|| "expected two Elo differences, the smaller first, such as 0,30".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(Command::Ladder(arguments)) = &arguments.command {
        return ladder::run(arguments);
    }
    let arguments = &arguments.pair;
    let (Some(a), Some(b)) = (&arguments.a, &arguments.b) else {
        return Err(Failure::bad_input("expected --a PLAYER and --b PLAYER"));
    };
    let any = arguments.matches.game([a, b])?;
    with_game!(&any, game => eval(game, a, b, arguments))
}

fn eval<G: Playable>(
    game: &G,
    a: &PlayerSpec,
    b: &PlayerSpec,
    arguments: &PairArguments,
) -> Result<(), Failure> {
    if let Some(folder) = arguments.save.as_ref().filter(|folder| folder.exists()) {
        return Err(Failure::bad_input(format!(
            "expected a new folder for --save, but {} already exists",
            folder.display()
        )));
    }
    let options = MatchOptions {
        sprt: arguments.sprt,
        keeps_decisions: arguments.oracle,
        ..arguments.matches.options(game)
    };
    interrupt::ends_matches();
    output::continues_without_output();
    // A board that cannot be solved should be refused before the games, not after.
    let solver = arguments.oracle.then(|| game.solver()).transpose()?;
    let PlayedMatch {
        report,
        games,
        decisions,
        ..
    } = play(game, a, b, &options)?;
    let is_json = arguments.matches.json;
    if !is_json {
        print_report(&report);
    }
    let compared = solver.map(|mut solver| compare_with_bar(game, &mut solver, &decisions));
    let mut value = serde_json::to_value(&report)?;
    if let (Some(compared), Some(map)) = (&compared, value.as_object_mut()) {
        map.insert("oracle".to_owned(), json!(compared));
    }
    if is_json {
        println!("{value}");
    } else if let Some(compared) = &compared {
        println!();
        print_oracle(compared);
    }
    let saved = match &arguments.save {
        Some(folder) => save_games(game, [a, b], &games, folder),
        None => Ok(()),
    };
    finish([a, b], &value).and(saved)
}

/// Writes the games as records, in the order of their openings.
fn save_games<G: Playable>(
    game: &G,
    players: [&PlayerSpec; 2],
    games: &[PlayedGame],
    folder: &Path,
) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        let folder = folder.display();
        Failure::Failed(anyhow::anyhow!(
            "the games cannot be saved in {folder}: {error}"
        ))
    };
    std::fs::create_dir(folder).map_err(failed)?;
    for (index, played) in games.iter().enumerate() {
        let a_plays = played.a_plays;
        let sides = [a_plays, a_plays.opponent()];
        let loser = played.lost_by_fault.map(|side| sides[side]);
        let mut record = Record::new(game, &game.initial(), &played.actions, loser);
        for (name, side) in [("First", Player::First), ("Second", Player::Second)] {
            let player = players[usize::from(side != a_plays)];
            record = record.with(name, &player.to_string());
        }
        let file = folder.join(format!("{:06}.txt", index + 1));
        std::fs::write(file, record.to_string()).map_err(failed)?;
    }
    Ok(())
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
    print_forfeits(report);
    if report.interrupted {
        println!("interrupted: these are the games that were already finished");
    }
    if report.unfinished > 0 {
        println!(
            "{} more games were unfinished at the limit of plies; their pairs do not count",
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
    if let Some(sprt) = &report.sprt {
        print_sprt(sprt);
    }
    for (name, effort) in [("a", &report.a_effort), ("b", &report.b_effort)] {
        let Effort {
            moves,
            seconds_a_move,
            nodes_a_move,
            time_outs,
        } = effort;
        let ms = seconds_a_move * 1e3;
        let late = match time_outs {
            0 => String::new(),
            n => format!("; {n} TIME-OUTS"),
        };
        println!(
            "{name}: {ms:.2} ms and {nodes_a_move:.0} nodes per move over {moves} moves{late}"
        );
    }
}

/// For engines of other programs: their failures, each of which cost them a game.
fn print_forfeits(report: &MatchReport) {
    let sides = [("a", &report.a_forfeits), ("b", &report.b_forfeits)];
    let is_engine = |player: &String| player.starts_with("uhp:");
    if ![&report.a, &report.b].into_iter().any(is_engine)
        && sides.iter().all(|(_, forfeits)| forfeits.total() == 0)
    {
        return;
    }
    let mut table = Table::new(&[
        "lost by a failure",
        ">crashes",
        ">time-outs",
        ">illegal moves",
        ">refusals",
        ">other endings",
    ]);
    for (name, forfeits) in sides {
        let Forfeits {
            crashes,
            time_outs,
            illegal_moves,
            refusals,
            other_endings,
        } = forfeits;
        let counts = [crashes, time_outs, illegal_moves, refusals, other_endings];
        let mut row = vec![name.to_owned()];
        row.extend(counts.map(u64::to_string));
        table.row(row);
    }
    table.print();
    for fault in &report.faults {
        println!("{fault}");
    }
}

fn print_sprt(sprt: &SprtReport) {
    let SprtReport {
        test: Sprt { elo0, elo1 },
        log_likelihood_ratio,
        verdict,
    } = sprt;
    let verdict = match verdict {
        Verdict::Accepted => format!("accepted: a is {elo1:+} Elo stronger rather than {elo0:+}"),
        Verdict::Rejected => format!("rejected: a is {elo0:+} Elo stronger rather than {elo1:+}"),
        Verdict::Open => "open: play more games".to_owned(),
    };
    println!(
        "sequential test: {verdict} (log likelihood ratio {log_likelihood_ratio:.2}, decided at ±{:.2})",
        Sprt::BOUND
    );
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
            "({} more are too large for the solver and are not counted.)",
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

//! `tablero quickstart`.

use crate::commands::train::WorkerArgs;
use crate::failure::Failure;
use crate::matches::{compare_with_bar, percent, play};
use crate::progress::TrainingProgress;
use crate::table::Table;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tablero_agents::matches::{MatchOptions, MatchReport, PlayedMatch};
use tablero_agents::oracle::{DecisionTally, OracleReport};
use tablero_agents::statistics::Strength;
use tablero_agents::{PlayerSpec, PolicySource, SearchOptions};
use tablero_env::{AnyGame, with_game};
use tablero_minimax::Playable;
use tablero_models::Overlay;
use tablero_train::{Run, RunConfig};

const PRESET: &str = "quickstart";
/// Simulations a move of the agent that is measured.
const SIMULATIONS: u32 = 100;
/// The matches are drawn from a seed of their own, so that training cannot have seen them.
const MATCH_SEED: u64 = 1_000_003;

/// Train a first agent and measure it, in about a minute
///
/// Dots and Boxes with 3x3 boxes: self-play on every core, then matches against random and minimax
/// players. The exact solver checks every decision.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  tablero quickstart")]
pub struct Arguments {
    /// The run's folder
    #[arg(long, value_name = "DIR", default_value = "runs/quickstart")]
    out: PathBuf,
    /// The seed, instead of the preset's
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Rounds of self-play and learning, instead of the preset's
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Games of each match
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    #[command(flatten)]
    workers: WorkerArgs,
    /// Print a JSON summary instead of the table
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut config = RunConfig::preset(PRESET)?;
    config.seed = arguments.seed.unwrap_or(config.seed);
    config.rounds = arguments.rounds.unwrap_or(config.rounds);
    let any = AnyGame::parse(&config.game)?;
    with_game!(&any, game => quickstart(game, config, arguments))
}

fn quickstart<G: Playable>(
    game: &G,
    config: RunConfig,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let start = Instant::now();
    let workers = arguments.workers.workers(&config);
    eprintln!(
        "1/2 training {} by self-play in {}, seed {}",
        config.game,
        arguments.out.display(),
        config.seed
    );
    let mut run = Run::create_or_open(&arguments.out, config)?;
    let progress = TrainingProgress::new(&run);
    run.train(workers, &progress)?;
    let trained = start.elapsed().as_secs_f64();

    eprintln!(
        "2/2 measuring: {} games a match, {SIMULATIONS} simulations a move",
        arguments.games
    );
    let (reports, compared) = measure(game, arguments, workers.threads)?;
    let directory = arguments.out.join("policy");
    let seconds = start.elapsed().as_secs_f64();
    let games = run.manifest().games;
    if arguments.json {
        println!(
            "{}",
            json!({
                "game": game.spec(),
                "seed": run.config().seed,
                "matches": reports,
                "oracle": compared,
                "policy": directory,
                "training_seconds": trained,
                "seconds": seconds,
            })
        );
        return Ok(());
    }
    println!();
    print_matches(&reports);
    print_decisions(&compared.critical);
    println!("{games} games of self-play in {trained:.0} s, all in {seconds:.0} s.");
    print_next(&arguments.out);
    Ok(())
}

/// Plays the agent of a run against each opponent, and compares its decisions with the solver.
fn measure<G: Playable>(
    game: &G,
    arguments: &Arguments,
    threads: usize,
) -> Result<(Vec<MatchReport>, OracleReport), Failure> {
    let agent = PlayerSpec::Policy {
        source: PolicySource::Directory(arguments.out.clone()),
        options: SearchOptions {
            search: Overlay::default().with("sims", SIMULATIONS),
            ..SearchOptions::default()
        },
    };
    let options = MatchOptions {
        keeps_decisions: true,
        ..MatchOptions::new(game, arguments.games, MATCH_SEED, threads)
    };
    let mut solver = game.solver()?;
    let mut decisions = Vec::new();
    let mut reports = Vec::new();
    for opponent in ["random", "minimax:depth=2", "minimax:depth=4"] {
        let PlayedMatch {
            report,
            decisions: played,
            ..
        } = play(game, &agent, &opponent.parse()?, &options)?;
        decisions.extend(played);
        reports.push(report);
    }
    let compared = compare_with_bar(game, &mut solver, &decisions);
    Ok((reports, compared))
}

fn print_matches(reports: &[MatchReport]) {
    let mut table = Table::new(&[
        "agent against",
        ">score",
        "95 % interval",
        ">wins",
        ">draws",
        ">losses",
        ">distinct games",
    ]);
    for report in reports {
        let text = |value: fn(&Strength) -> String| {
            let strength = report.strength.as_ref();
            strength.map_or_else(|| "-".to_owned(), value)
        };
        table.row([
            report.b.clone(),
            text(|strength| percent(strength.score)),
            text(|strength| {
                let interval = [strength.score_low, strength.score_high].map(percent);
                interval.join(" to ")
            }),
            report.a_results.wins.to_string(),
            report.a_results.draws.to_string(),
            report.a_results.losses.to_string(),
            report.distinct_games.to_string(),
        ]);
    }
    table.print();
}

fn print_decisions(critical: &DecisionTally) {
    let share = critical.optimal_share;
    println!(
        "\nExact solver: {} of {} critical decisions optimal ({} distinct positions; in a critical \
         position some move keeps the result and another loses it).",
        share.map_or_else(|| "none".to_owned(), percent),
        critical.decisions,
        critical.distinct_positions
    );
}

fn print_next(run: &Path) {
    let run = run.display();
    println!("\nThe agent: {run}/policy");
    println!("Next:");
    println!("  tablero play --b policy:{run}               play against it");
    println!("  tablero hint dots-and-boxes:3x3 --player policy:{run}");
    println!("  tablero status {run}                        how the training went");
    println!("  tablero train --preset dots-and-boxes-3x3   a stronger one");
}

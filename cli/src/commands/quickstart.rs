//! `tablero quickstart`.

use crate::commands::report;
use crate::commands::train::WorkerArgs;
use crate::failure::Failure;
use crate::figures::percent;
use crate::matches::{compare_with_bar, note_pairs, play};
use crate::progress::TrainingProgress;
use crate::quoting::quoted;
use crate::table::{Table, duration, print_wrapped};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tablero_agents::matches::{MatchOptions, MatchReport, PlayedMatch};
use tablero_agents::oracle::{DecisionTally, OracleReport};
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
/// Whom the agent meets; so do perfect play and random play, to compare.
const OPPONENTS: [&str; 3] = ["random", "minimax:depth=2", "minimax:depth=4"];

/// Train a first agent and measure it, in about a minute
///
/// Dots and Boxes with 3x3 boxes: self-play on every core, then matches against random and minimax
/// players, with the scores of perfect and of random play beside them. The exact solver checks every
/// decision. The results are kept with the run, for `status` and `report`.
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
    note_pairs(arguments.games);
    let mut run = Run::create_or_open(&arguments.out, config)?;
    let progress = TrainingProgress::new(&run);
    run.train(workers, &progress)?;
    drop(progress);
    let trained = start.elapsed().as_secs_f64();

    eprintln!(
        "2/2 measuring: {} games a match, {SIMULATIONS} simulations a move",
        arguments.games
    );
    let measured = measure(game, arguments, workers.threads)?;
    for report in &measured.kept {
        Run::keep_evaluation(&arguments.out, 0, report)?;
    }
    let page = report::write(&arguments.out, None)?;
    let seconds = start.elapsed().as_secs_f64();
    if arguments.json {
        println!(
            "{}",
            json!({
                "game": game.spec(),
                "seed": run.config().seed,
                "matches": measured.kept,
                "oracle": measured.compared,
                "policy": arguments.out.join("policy"),
                "report": page,
                "training_seconds": trained,
                "seconds": seconds,
            })
        );
        return Ok(());
    }
    let games = run.manifest().games;
    println!();
    print_learnt(&measured);
    println!();
    print_scores(&measured);
    println!(
        "\n{games} games of self-play in {}, all in {}.",
        duration(trained),
        duration(seconds)
    );
    print_next(&arguments.out, &page);
    Ok(())
}

/// What was measured of the agent and of those that it is compared with.
struct Measured {
    /// Against each opponent.
    reports: Vec<MatchReport>,
    /// Perfect play and random play against each opponent.
    references: Vec<[MatchReport; 2]>,
    /// The decisions of all matches of the agent.
    compared: OracleReport,
    /// The reports with the decisions of each match, and what perfect and random play score.
    kept: Vec<Value>,
}

/// Plays the agent of a run, the solver and a random player against each opponent, and compares the
/// agent's decisions with the solver.
fn measure<G: Playable>(
    game: &G,
    arguments: &Arguments,
    threads: usize,
) -> Result<Measured, Failure> {
    let agent = PlayerSpec::Policy {
        source: PolicySource::Directory(arguments.out.clone()),
        options: SearchOptions {
            search: Overlay::default().with("sims", SIMULATIONS),
            ..SearchOptions::default()
        },
    };
    let plain = MatchOptions::new(game, arguments.games, MATCH_SEED, threads);
    let options = MatchOptions {
        keeps_decisions: true,
        ..plain
    };
    let mut solver = game.solver()?;
    let (mut reports, mut references, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    let mut decisions = Vec::new();
    for opponent in OPPONENTS {
        let opponent: PlayerSpec = opponent.parse()?;
        let PlayedMatch {
            report,
            decisions: played,
            ..
        } = play(game, &agent, &opponent, &options)?;
        let reference = |player: &str| -> Result<MatchReport, Failure> {
            Ok(play(game, &player.parse()?, &opponent, &plain)?.report)
        };
        let [perfect, random] = [reference("solver")?, reference("random")?];
        let mut kept_report = serde_json::to_value(&report)?;
        kept_report["oracle"] = json!(compare_with_bar(game, &mut solver, &played));
        kept_report["references"] = json!({ "perfect": score(&perfect), "random": score(&random) });
        kept.push(kept_report);
        decisions.extend(played);
        reports.push(report);
        references.push([perfect, random]);
    }
    let compared = compare_with_bar(game, &mut solver, &decisions);
    Ok(Measured {
        reports,
        references,
        compared,
        kept,
    })
}

fn score(report: &MatchReport) -> Option<f64> {
    report.strength.as_ref().map(|strength| strength.score)
}

/// What was learnt, in two sentences.
fn print_learnt(measured: &Measured) {
    let DecisionTally {
        decisions,
        distinct_positions,
        optimal_share,
        ..
    } = measured.compared.critical;
    if let Some(share) = optimal_share {
        print_wrapped(&format!(
            "{} of 100 critical decisions right: {} of {decisions} by the exact solver, in \
             {distinct_positions} distinct positions. In a critical position some moves keep the \
             best result and others lose it.",
            in_a_hundred(share),
            percent(share),
        ));
    }
    let last = measured.reports.last().zip(measured.references.last());
    if let Some((report, [perfect, random])) = last {
        let text = |report| score(report).map_or_else(|| "-".to_owned(), whole_percent);
        print_wrapped(&format!(
            "It scores {} against {}; perfect play scores {} there, random play {}.",
            text(report),
            report.b,
            text(perfect),
            text(random)
        ));
    }
}

/// Whole numbers of a hundred; all of them only if nothing is missing.
fn in_a_hundred(share: f64) -> f64 {
    if share < 1.0 {
        (share * 100.0).round().min(99.0)
    } else {
        100.0
    }
}

fn whole_percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn print_scores(measured: &Measured) {
    let mut table = Table::new(&[
        "opponent",
        ">agent",
        "95 % interval",
        ">perfect play",
        ">random play",
        ">distinct",
    ]);
    for (report, references) in measured.reports.iter().zip(&measured.references) {
        let none = || "-".to_owned();
        let interval = report.strength.as_ref().map_or_else(none, |strength| {
            let interval = [strength.score_low, strength.score_high].map(whole_percent);
            interval.join(" to ")
        });
        let [perfect, random] = [&references[0], &references[1]]
            .map(|report| score(report).map_or_else(none, whole_percent));
        table.row([
            report.b.clone(),
            score(report).map_or_else(none, whole_percent),
            interval,
            perfect,
            random,
            format!("{} of {}", report.distinct_games, report.games),
        ]);
    }
    table.print();
}

fn print_next(run: &Path, page: &Path) {
    println!("\nReport: {}", page.display());
    println!("Agent:  {}", run.join("policy").display());
    let (player, run) = (
        quoted(format!("policy:{}", run.display())),
        quoted(run.display()),
    );
    println!("Next:");
    for (command, what) in [
        (format!("play --b {player}"), "play against it"),
        (
            format!("hint dots-and-boxes:3x3 --player {player}"),
            "ask it",
        ),
        (format!("status {run}"), "how the training went"),
        (
            "train --preset dots-and-boxes-3x3".to_owned(),
            "a stronger one",
        ),
    ] {
        println!("  tablero {command:<54} {what}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_of_a_hundred_means_all() {
        assert_eq!(in_a_hundred(1.0), 100.0);
        assert_eq!(in_a_hundred(0.9999), 99.0);
        assert_eq!(in_a_hundred(0.974), 97.0);
    }
}

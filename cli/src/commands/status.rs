//! `tablero status`.

use crate::failure::Failure;
use crate::table::Table;
use serde_json::json;
use std::path::PathBuf;
use tablero_train::run::{Manifest, RoundMetrics, advice};
use tablero_train::{Run, RunConfig};

/// Show the progress of a run and how it is doing, also while it trains
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  tablero status runs/quickstart")]
pub struct Arguments {
    /// The run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Show this many of the latest rounds
    #[arg(long, value_name = "N", default_value_t = 12)]
    rounds: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (config, manifest) = Run::read(&arguments.run)?;
    let metrics = Run::read_metrics(&arguments.run)?;
    let seconds: f64 = metrics.iter().map(|round| round.seconds).sum();
    if arguments.json {
        println!(
            "{}",
            json!({
                "config": config,
                "checkpoint": manifest.checkpoint,
                "rounds": manifest.rounds,
                "evaluations": manifest.evaluations,
                "finished": manifest.is_finished(&config),
                "games": manifest.games,
                "steps": manifest.steps,
                "seconds": seconds,
                "warnings": advice(&metrics),
                "metrics": metrics,
            })
        );
        return Ok(());
    }
    let finished = manifest.is_finished(&config);
    println!(
        "{}: {}, seed {}",
        arguments.run.display(),
        config.game,
        config.seed
    );
    let memory = metrics.last().and_then(RoundMetrics::memory_mib);
    let memory = memory.map_or(String::new(), |mib| format!(", {mib:.0} MiB of memory"));
    println!(
        "{}, {} games, {} gradient steps, {seconds:.0} s of training{memory}{}",
        manifest.played(&config),
        manifest.games,
        manifest.steps,
        if finished { ", finished" } else { "" }
    );
    let shown = &metrics[metrics.len().saturating_sub(arguments.rounds)..];
    if !finished && !shown.is_empty() {
        let pace = shown.iter().map(|round| round.seconds).sum::<f64>() / shown.len() as f64;
        println!(
            "about {:.0} s to go at the pace of the last {} rounds{}",
            pace * manifest.rounds_left(&config),
            shown.len(),
            first_rounds(&config, &manifest)
        );
    }
    if !shown.is_empty() {
        println!();
        print_rounds(shown);
    }
    for warning in advice(&metrics) {
        println!("warning: {warning}");
    }
    Ok(())
}

/// What to add while the agent does not play itself yet.
fn first_rounds(config: &RunConfig, manifest: &Manifest) -> &'static str {
    let taught = config.self_play.teacher.map_or(0, |teacher| teacher.rounds);
    if manifest.rounds < manifest.given_rounds.max(taught) {
        "; rounds of self-play take longer"
    } else {
        ""
    }
}

fn print_rounds(rounds: &[RoundMetrics]) {
    let mut table = Table::new(&[
        ">round",
        ">games",
        ">distinct",
        ">plies",
        ">draws",
        ">first wins",
        ">entropy",
        ">evals/s",
        ">steps",
        ">policy",
        ">value",
        ">of new",
        ">points",
        ">seconds",
    ]);
    let none = || "-".to_owned();
    for round in rounds {
        let played = round.self_play.as_ref();
        let learnt = round.learning.as_ref();
        let of_play = |text: &dyn Fn(&tablero_train::run::SelfPlayMetrics) -> String| {
            played.map_or_else(none, text)
        };
        let of_learning = |text: &dyn Fn(&tablero_train::learner::LearnReport) -> String| {
            learnt.map_or_else(none, text)
        };
        table.row([
            (round.round + 1).to_string(),
            of_play(&|p| p.games.to_string()),
            of_play(&|p| p.distinct_games.to_string()),
            of_play(&|p| format!("{:.1}", p.mean_plies)),
            of_play(&|p| format!("{:.0} %", p.draws * 100.0)),
            of_play(&|p| format!("{:.0} %", p.first_player_wins * 100.0)),
            of_play(&|p| format!("{:.2}", p.policy_entropy)),
            of_play(&|p| format!("{:.0}", p.evaluations as f64 / p.seconds.max(1e-9))),
            of_learning(&|l| l.steps.to_string()),
            of_learning(&|l| format!("{:.3}", l.policy_loss)),
            of_learning(&|l| format!("{:.3}", l.value_loss)),
            of_learning(&|l| {
                l.new_value_loss
                    .map_or_else(none, |loss| format!("{loss:.3}"))
            }),
            of_learning(&|l| format!("{:.4}", l.points_loss)),
            format!("{:.1}", round.seconds),
        ]);
    }
    table.print();
}

//! `tablero status`.

use crate::evaluations::print_latest;
use crate::failure::Failure;
use crate::table::{Table, duration};
use serde_json::json;
use std::path::PathBuf;
use tablero_train::learner::LearnReport;
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
    // A run is looked at, too, when its matches cannot be read.
    let evaluations = Run::read_evaluations(&arguments.run).unwrap_or_else(|error| {
        eprintln!("warning: {error}");
        Vec::new()
    });
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
                "matches": evaluations,
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
        "{}, {} games, {} gradient steps, {} of training{memory}{}",
        manifest.played(&config),
        manifest.games,
        manifest.steps,
        duration(seconds),
        if finished { ", finished" } else { "" }
    );
    let shown = &metrics[metrics.len().saturating_sub(arguments.rounds)..];
    if !finished && !shown.is_empty() {
        let pace = shown.iter().map(|round| round.seconds).sum::<f64>() / shown.len() as f64;
        println!(
            "about {} to go at the pace of the last {} rounds{}",
            duration(pace * manifest.rounds_left(&config)),
            shown.len(),
            first_rounds(&config, &manifest)
        );
    }
    if !shown.is_empty() {
        print_rounds(&metrics, arguments.rounds);
    }
    print_latest(&evaluations);
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

/// Prints what was played and what was learnt in each of the latest rounds.
fn print_rounds(all: &[RoundMetrics], n_shown: usize) {
    let mut n_played = 0;
    let numbered = all.iter().map(|metrics| {
        n_played += u32::from(metrics.self_play.is_some());
        (n_played, metrics)
    });
    let numbered: Vec<(u32, &RoundMetrics)> = numbered.collect();
    let shown = &numbered[numbered.len().saturating_sub(n_shown)..];
    let mut games = Table::new(&[
        ">round",
        ">games",
        ">distinct",
        ">plies",
        ">draws",
        ">first wins",
        ">entropy",
        ">evals/s",
        ">seconds",
    ]);
    for (round, metrics) in shown {
        if let Some(played) = &metrics.self_play {
            games.row([
                round.to_string(),
                played.games.to_string(),
                played.distinct_games.to_string(),
                format!("{:.1}", played.mean_plies),
                format!("{:.0} %", played.draws * 100.0),
                format!("{:.0} %", played.first_player_wins * 100.0),
                format!("{:.2}", played.policy_entropy),
                format!(
                    "{:.0}",
                    played.evaluations as f64 / played.seconds.max(1e-9)
                ),
                format!("{:.1}", played.seconds),
            ]);
        }
    }
    println!("\nSelf-play:");
    games.print();
    print_learning(shown);
}

fn print_learning(rounds: &[(u32, &RoundMetrics)]) {
    let learnt = rounds.iter().filter_map(|(round, metrics)| {
        // After the last games there is only learning.
        let name = match &metrics.self_play {
            Some(_) => round.to_string(),
            None => format!("after {round}"),
        };
        Some((name, metrics.learning.as_ref()?))
    });
    let learnt: Vec<(String, &LearnReport)> = learnt.collect();
    if learnt.is_empty() {
        return;
    }
    // Of a game without points there is nothing to learn of them.
    let has_points = learnt.iter().any(|(_, report)| report.points_loss != 0.0);
    let mut titles = vec![
        ">round",
        ">steps",
        ">policy loss",
        ">of new games",
        ">value loss",
        ">of new games",
        ">seconds",
    ];
    if has_points {
        titles.push(">points loss");
    }
    let mut table = Table::new(&titles);
    let known = |loss: Option<f64>| loss.map_or_else(|| "-".to_owned(), |it| format!("{it:.3}"));
    for (round, report) in learnt {
        let mut row = vec![
            round.clone(),
            report.steps.to_string(),
            known(Some(report.policy_loss)),
            known(report.new_policy_loss),
            known(Some(report.value_loss)),
            known(report.new_value_loss),
            format!("{:.1}", report.seconds),
        ];
        if has_points {
            row.push(format!("{:.4}", report.points_loss));
        }
        table.row(row);
    }
    println!("\nLearning:");
    table.print();
}

//! `tablero report`.

use crate::failure::Failure;
use crate::report::{Source, page};
use std::path::PathBuf;
use tablero_env::{AnyGame, with_game};
use tablero_models::storage;
use tablero_train::Run;

/// Write a run's plots, strength and example games as one HTML page, also while it trains
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  tablero report runs/quickstart    (writes runs/quickstart/report.html)"
)]
pub struct Arguments {
    /// The run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The page; default RUN/report.html
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.run;
    let (config, manifest) = Run::read(folder)?;
    let metrics = Run::read_metrics(folder)?;
    let evaluations = Run::read_evaluations(folder)?;
    let games = Run::read_latest_games(folder)?;
    let source = Source {
        name: &folder.display().to_string(),
        config: &config,
        manifest: &manifest,
        metrics: &metrics,
        evaluations: &evaluations,
        games: &games,
    };
    let any = AnyGame::parse(&config.game)?;
    let html = with_game!(&any, game => page(game, &source));
    let out = arguments
        .out
        .clone()
        .unwrap_or_else(|| folder.join("report.html"));
    storage::write_atomic(&out, |file| file.write_all(html.as_bytes()))?;
    println!("{}", out.display());
    Ok(())
}

//! `tablero report`.

use crate::failure::Failure;
use std::path::PathBuf;
use tablero_models::storage;
use tablero_serve::{ReportError, report};

/// Write a run's plots, strength and newest games as one HTML page, also while it trains
///
/// The page is the training view of `tablero serve`, with games to step through. It needs no server and
/// no internet connection.
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
    let html = report(folder).map_err(|error| match error {
        ReportError::Run(error) => Failure::from(error),
        ReportError::Game(error) => Failure::from(error),
    })?;
    let out = arguments
        .out
        .clone()
        .unwrap_or_else(|| folder.join("report.html"));
    storage::write_atomic(&out, |file| file.write_all(html.as_bytes()))?;
    println!("{}", out.display());
    Ok(())
}

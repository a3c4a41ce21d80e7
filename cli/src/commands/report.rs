//! `tablero report`.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
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
    let out = write(&arguments.run, arguments.out.as_deref())?;
    println!("{}", out.display());
    Ok(())
}

/// Writes the report of the run in `folder`, by default into it, and tells where it is.
pub fn write(folder: &Path, out: Option<&Path>) -> Result<PathBuf, Failure> {
    let html = report(folder).map_err(|error| match error {
        ReportError::Run(error) => Failure::from(error),
        ReportError::Game(error) => Failure::from(error),
    })?;
    let out = out.map_or_else(|| folder.join("report.html"), Path::to_owned);
    storage::write_atomic(&out, |file| file.write_all(html.as_bytes()))?;
    Ok(out)
}

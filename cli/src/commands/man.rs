//! `tablero man`.

use crate::failure::Failure;
use std::path::PathBuf;

/// Write manual pages, one for each command
///
/// `man -l man/tablero.1` shows a page. Existing pages with the same names are replaced.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  tablero man --out ~/.local/share/man/man1")]
pub struct Arguments {
    /// The folder; it is created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(arguments: &Arguments, program: clap::Command) -> Result<(), Failure> {
    let out = &arguments.out;
    let told = |error: std::io::Error| Failure::bad_input(format!("{}: {error}", out.display()));
    std::fs::create_dir_all(out).map_err(told)?;
    clap_mangen::generate_to(program, out).map_err(told)?;
    println!("manual pages in {}", out.display());
    Ok(())
}

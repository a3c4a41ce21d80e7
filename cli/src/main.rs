//! `tablero`: exact board games, self-play training, one binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    tablero::run_with(tablero::Games::builtin())
}

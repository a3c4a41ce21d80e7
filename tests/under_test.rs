//! The binary `tablero`, built where the tests can find it.

use std::process::ExitCode;

fn main() -> ExitCode {
    tablero::run()
}

//! The binary `tablero`, built where the tests can find it, and with file operations that can fail.

#[cfg(target_os = "linux")]
mod failing_calls;

use std::process::ExitCode;

fn main() -> ExitCode {
    let code = tablero::run_with(tablero::Games::builtin());
    #[cfg(target_os = "linux")]
    failing_calls::report();
    code
}

//! The binary `tablero` with one game more, built where the tests can find it, and with file
//! operations that can fail.

#[cfg(target_os = "linux")]
mod failing_calls;

use connect_four::ConnectFour;
use std::process::ExitCode;

fn main() -> ExitCode {
    let code = tablero::run_with(tablero::Games::builtin().with(ConnectFour::default()));
    #[cfg(target_os = "linux")]
    failing_calls::report();
    code
}

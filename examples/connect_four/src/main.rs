//! `connect-four`: every command of Tablero, with Connect Four.

fn main() -> std::process::ExitCode {
    tablero::run_with(tablero::Games::builtin().with(connect_four::ConnectFour::default()))
}

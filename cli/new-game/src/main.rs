//! `my-game`: every command of Tablero, with this game.

fn main() -> std::process::ExitCode {
    tablero::run_with(tablero::Games::builtin().with(my_game::MyGame))
}

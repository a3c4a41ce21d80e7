//! `tablero rules`.

use crate::failure::Failure;
use tablero_env::games;

/// Print the rules of a game
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  tablero rules hive")]
pub struct Arguments {
    /// The game's name
    #[arg(value_name = "GAME")]
    game: String,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let name = arguments.game.split(':').next().unwrap_or_default();
    let game = games().iter().find(|game| game.name == name);
    let game = game.ok_or_else(|| {
        let names: Vec<&str> = games().iter().map(|game| game.name).collect();
        Failure::bad_input(format!(
            "unknown game {name:?}; known games: {}",
            names.join(", ")
        ))
    })?;
    print!("{}", game.rules);
    Ok(())
}

//! `tablero zoo`.

use crate::failure::Failure;
use crate::table::Table;
use serde_json::json;
use tablero_agents::PlayerSpec;
use tablero_env::Game;
use tablero_models::{ZOO, ZooEntry};

/// List the bundled trained policies
///
/// The player `zoo` is the policy of the game that is played: `zoo:sims=200`, or `zoo:sims=0` for the
/// network without search. `tablero play GAME` plays against it by default.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero zoo\n  \
                        tablero eval --game queens:8 --a zoo:sims=100 --b minimax:level=3")]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.json {
        let entries = ZOO.iter().map(|entry| {
            json!({
                "name": entry.name,
                "game": entry.game,
                "made": entry.made,
                "strength": entry.strength,
            })
        });
        println!("{}", serde_json::Value::from_iter(entries));
        return Ok(());
    }
    let mut table = Table::new(&["game", "strength", "made with the preset"]);
    for entry in ZOO {
        let made = format!("{}, {}", entry.name, entry.made);
        table.row([entry.game.to_owned(), entry.strength.to_owned(), made]);
    }
    table.print();
    println!("\nnext: tablero play GAME    or, in any command, the player zoo:sims=200");
    Ok(())
}

/// The bundled policy for a game, or another player if there is none.
pub fn player_or(game: &impl Game, other: &str) -> PlayerSpec {
    let text = ZooEntry::of_game(&game.spec()).map_or(other, |_| "zoo");
    text.parse().expect("a player's text")
}

//! `tablero games`.

use crate::failure::Failure;
use crate::table::Table;
use serde_json::json;
use tablero_env::{AnyGame, Encode, Game, games, with_game};

/// List the games with their parameters, action counts, tensor shapes and longest games
///
/// In the JSON form, `max_plies` is null if the rules set no useful bound.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  tablero games")]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut list = Vec::new();
    let mut table = Table::new(&["game", "what it is", "parameters"]);
    let mut sizes = Table::new(&["game", ">actions", "observation", ">longest"]);
    for entry in games() {
        let any = AnyGame::parse(entry.name)?;
        let (actions, shape, plies) = with_game!(&any, game => {
            (game.n_actions(), game.observation_shape(), game.max_plies())
        });
        table.row([
            entry.name.to_owned(),
            entry.summary.to_owned(),
            entry.parameters.to_owned(),
        ]);
        sizes.row([
            any.spec(),
            actions.to_string(),
            format!("{shape:?}"),
            plies.map_or_else(|| "no bound".to_owned(), |plies| format!("{plies} plies")),
        ]);
        list.push(json!({
            "name": entry.name,
            "summary": entry.summary,
            "parameters": entry.parameters,
            "default": any.spec(),
            "actions": actions,
            "observation_shape": shape,
            "max_plies": plies,
        }));
    }
    if arguments.json {
        println!("{}", serde_json::Value::Array(list));
    } else {
        table.print();
        println!("\nSizes, with the default parameters:");
        sizes.print();
        println!("\nnext: tablero rules GAME    or    tablero play GAME");
    }
    Ok(())
}

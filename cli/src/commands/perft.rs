//! `tablero perft`.

use crate::failure::Failure;
use crate::position::{GameArg, PositionArgs};
use crate::table::Table;
use serde_json::json;
use tablero_env::perft::perft;
use tablero_env::{BoardGame, with_game};

/// Count the action sequences of each length: the proof that rules are exact
///
/// A finished game does not extend. The JSON form is {"game": …, "counts": [n1, …, nN]}.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  tablero perft dots-and-boxes:2x2 --depth 4")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArg,
    /// The longest sequences to count
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(&arguments.game.game, game => count(game, arguments))
}

fn count<G: BoardGame>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let state = arguments.position.resolve(game)?;
    let counts = perft(game, &state, arguments.depth as usize);
    if arguments.json {
        println!("{}", json!({ "game": game.spec(), "counts": counts }));
    } else {
        let mut table = Table::new(&[">depth", ">sequences"]);
        for (index, count) in counts.iter().enumerate() {
            table.row([(index + 1).to_string(), count.to_string()]);
        }
        table.print();
    }
    Ok(())
}

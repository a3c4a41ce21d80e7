//! `tablero perft`.

use crate::failure::Failure;
use crate::position::PositionArgs;
use crate::table::Table;
use serde_json::json;
use tablero_env::perft::{perft, perft_turns};
use tablero_env::{BoardGame, with_game};

/// Count the action sequences of each length, to verify the rules against published counts
///
/// Sequences that end the game are not extended. With --turns, whole turns are counted instead of
/// single actions: all actions of one player until the other is to move or the game is over. The JSON
/// form is {"game": …, "counts": [n1, …, nN]}.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tablero perft dots-and-boxes:2x2 --depth 4\n  \
                        tablero perft hive:base+mlp --depth 5\n  \
                        tablero perft paper-soccer:8x10 --depth 4 --turns"
)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,
    /// The longest sequences to count
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Count whole turns
    #[arg(long)]
    turns: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(arguments.position.game(), game => count(game, arguments))
}

fn count<G: BoardGame>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let state = arguments.position.resolve(game)?;
    let depth = arguments.depth as usize;
    let counts = if arguments.turns {
        perft_turns(game, &state, depth)
    } else {
        perft(game, &state, depth)
    };
    if arguments.json {
        println!("{}", json!({ "game": game.spec(), "counts": counts }));
    } else {
        let unit = if arguments.turns { ">turns" } else { ">depth" };
        let mut table = Table::new(&[unit, ">sequences"]);
        for (index, count) in counts.iter().enumerate() {
            table.row([(index + 1).to_string(), count.to_string()]);
        }
        table.print();
    }
    Ok(())
}

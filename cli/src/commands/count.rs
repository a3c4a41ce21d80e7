//! `tablero count`.

use crate::failure::Failure;
use crate::position::PositionArgs;
use crate::table::Table;
use serde_json::{Value, json};
use tablero_env::census::{Ply, census};
use tablero_env::{BoardGame, with_game};

/// Count the different positions and the complete games, ply by ply
///
/// Each position is visited only once, so this reaches deeper than perft if positions are reached by
/// many move orders. It keeps the positions of two plies in memory. A sequence counts as a complete
/// game if it ends the game. The JSON form is {"game", "positions", "games", "plies":
/// [{"positions", "sequences", "games"}, …]}; counts of sequences and games are strings, because
/// they may exceed the numbers that JSON readers support.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero count queens:6\n  \
                        tablero count xadrersi --plies 3")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,
    /// Stop after this many plies; without it, count to the end of the longest game
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(arguments.position.game(), game => count(game, arguments))
}

fn count<G: BoardGame>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.plies.is_none() && game.max_plies().is_none() {
        return Err(Failure::bad_input(format!(
            "games of {} have no bound on their length: give --plies",
            game.spec()
        )));
    }
    let state = arguments.position.resolve(game)?;
    let plies = census(game, &state, arguments.plies.unwrap_or(usize::MAX));
    let positions: u64 = plies.iter().map(|ply| ply.positions).sum();
    let games: u128 = plies.iter().map(|ply| ply.games).sum();
    if arguments.json {
        let lines: Vec<Value> = plies.iter().map(ply_json).collect();
        println!(
            "{}",
            json!({
                "game": game.spec(),
                "positions": positions,
                "games": games.to_string(),
                "plies": lines,
            })
        );
        return Ok(());
    }
    let mut table = Table::new(&[">ply", ">positions", ">sequences", ">complete games"]);
    for (index, ply) in plies.iter().enumerate() {
        table.row([
            index.to_string(),
            ply.positions.to_string(),
            ply.sequences.to_string(),
            ply.games.to_string(),
        ]);
    }
    table.print();
    println!("\n{positions} positions, {games} complete games");
    Ok(())
}

fn ply_json(ply: &Ply) -> Value {
    json!({
        "positions": ply.positions,
        "sequences": ply.sequences.to_string(),
        "games": ply.games.to_string(),
    })
}

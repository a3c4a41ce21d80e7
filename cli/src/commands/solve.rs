//! `tablero solve`.

use crate::failure::Failure;
use crate::position::{GameArg, PositionArgs};
use serde_json::json;
use std::time::Instant;
use tablero_env::{BoardGame, with_game};
use tablero_minimax::{Solvable, Solver};

/// Solve a position exactly: result, final points and every optimal action
///
/// The value is player 0's result under best play: 1, 0 or -1. The JSON form is {"value",
/// "points", "best", "nodes", "remarks", "seconds"}; remarks tell more in the game's own terms,
/// such as a Sprague-Grundy value.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero solve dots-and-boxes:3x3\n  \
                        tablero solve queens:10\n  \
                        tablero solve dots-and-boxes:2x3 --moves \"0 1 2 3 4 5 6 7 8 9 10\"")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    position: PositionArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(&arguments.game.game, game => solve(game, arguments))
}

fn solve<G: BoardGame + Solvable>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let state = arguments.position.resolve(game)?;
    let start = Instant::now();
    let mut solver = game.solver()?;
    solver.check(&state)?;
    let solution = solver.solve(&state);
    let seconds = start.elapsed().as_secs_f64();
    let remarks = solver.remarks(&state);
    let best: Vec<String> = solution
        .best
        .iter()
        .map(|&action| game.action_text(&state, action))
        .collect();
    if arguments.json {
        println!(
            "{}",
            json!({
                "value": solution.value,
                "points": solution.points,
                "best": best,
                "nodes": solution.nodes,
                "remarks": remarks,
                "seconds": seconds,
            })
        );
        return Ok(());
    }
    print!("{}", game.draw(&state));
    let result = match solution.value {
        1 => "player 0 wins",
        0 => "a draw",
        _ => "player 1 wins",
    };
    println!("Under best play: {result}.");
    if let Some([first, second]) = solution.points {
        println!("Final points: {first} to {second}.");
    }
    if !best.is_empty() {
        println!(
            "Optimal actions for player {}: {}",
            game.player_to_move(&state),
            best.join(" ")
        );
    }
    for remark in remarks {
        println!("{remark}");
    }
    println!("{} nodes in {seconds:.3} s, exact", solution.nodes);
    Ok(())
}

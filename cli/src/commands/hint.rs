//! `tablero hint`.

use crate::commands::analyze::Question;
use crate::failure::Failure;
use tablero_env::with_game;

/// Show the best moves of a position with visits, prior and value
///
/// A short form of `analyze`, with the same players. Values are the expected result for the player to
/// move, -1 to 1; proven values are marked.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero hint dots-and-boxes:3x3\n  \
                        tablero hint dots-and-boxes:3x3 --moves \"1-1-h 2-2-v\" --player \
                        policy:runs/quickstart,sims=400")]
pub struct Arguments {
    #[command(flatten)]
    question: Question,
}

/// Moves that a hint shows.
const N_MOVES: usize = 10;

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let question = &arguments.question;
    with_game!(question.position.game(), game => question.answer(game, N_MOVES, false))
}

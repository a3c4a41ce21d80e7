//! `tablero hint`.

use crate::commands::analyze::{print_moves, print_summary};
use crate::failure::Failure;
use crate::position::{GameArg, PositionArgs};
use tablero_env::{BoardGame, with_game};
use tablero_minimax::{Baseline, Solvable};
use tablero_train::PlayerSpec;

/// Show the best moves of a position with visits, prior and value
///
/// In short what `analyze` tells at length, by the same players. Values are the expected result of
/// the player to move, -1 to 1; a proven one is marked.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero hint dots-and-boxes:3x3\n  \
                        tablero hint dots-and-boxes:3x3 --moves \"1-1-h 2-2-v\" --player \
                        policy:runs/quickstart,sims=400")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    position: PositionArgs,
    /// Who is asked
    #[arg(long, value_name = "PLAYER", default_value = "mcts:sims=2000")]
    player: PlayerSpec,
    /// Show at most this many moves
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Fixes the search's randomness
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print JSON, with all moves
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(&arguments.game.game, game => hint(game, arguments))
}

fn hint<G: BoardGame + Baseline + Solvable>(
    game: &G,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let state = arguments.position.resolve_unfinished(game)?;
    let mut analyst = arguments.player.load(game)?.analyst(game)?;
    let analysis = analyst.analyse(&state, arguments.seed)?;
    if arguments.json {
        println!("{}", serde_json::to_string(&analysis)?);
        return Ok(());
    }
    print!("{}", game.draw(&state));
    print_summary(&analysis);
    let n_shown = arguments.top.min(analysis.moves.len());
    print_moves(&analysis.moves[..n_shown], false);
    if n_shown < analysis.moves.len() {
        println!("… and {} more", analysis.moves.len() - n_shown);
    }
    Ok(())
}

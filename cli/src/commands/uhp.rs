//! `tablero uhp`.

use crate::failure::Failure;
use std::io::{stdin, stdout};
use tablero_env::ActionId;
use tablero_env::hive::{Hive, State};
use tablero_minimax::uhp::{Engine, Thinker, serve};
use tablero_minimax::{Limits, Minimax};

/// Speak the Universal Hive Protocol: an engine for MzingaViewer and other Hive programs
///
/// Reads commands from standard input until `exit` or its end: info, newgame, play, pass,
/// validmoves, bestmove, undo, options. Moves are found by minimax.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  \
    printf 'newgame Base+MLP\\nplay wS1\\nbestmove depth 2\\nexit\\n' | tablero uhp")]
pub struct Arguments {}

pub fn run(_arguments: &Arguments) -> Result<(), Failure> {
    let mut engine = Engine::new(ByMinimax::default());
    Ok(serve(&mut engine, stdin().lock(), stdout().lock())?)
}

/// Minimax, made anew when the game type or the size of the table changes.
#[derive(Debug, Default)]
struct ByMinimax {
    table_mib: usize,
    minimax: Option<(Hive, Minimax<Hive>)>,
}

impl Thinker for ByMinimax {
    fn best_action(&mut self, game: &Hive, state: &State, limits: &Limits) -> ActionId {
        let fits = self.minimax.take().filter(|(of, _)| of == game);
        let (_, minimax) = self
            .minimax
            .insert(fits.unwrap_or_else(|| (*game, Minimax::new(*game, self.table_mib))));
        minimax.search(state, limits).best
    }

    fn set_table_mib(&mut self, mib: usize) {
        self.table_mib = mib;
        self.minimax = None;
    }
}

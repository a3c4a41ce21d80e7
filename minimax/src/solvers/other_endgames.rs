//! The solver of a game of somebody else, asked within a number of nodes.

use crate::solver::EndgameSolver;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use tablero_env::{ExactSolver, ForFirst, Game, OtherGame, OtherState};

/// The game's own solver, which is ended once its nodes are spent.
pub(super) struct OtherEndgames {
    game: OtherGame,
    table_mib: usize,
    own: Box<dyn ExactSolver<OtherState>>,
    /// Whether it was asked since it was made.
    is_used: bool,
}

/// What unwinds from a question whose nodes are spent.
struct OutOfNodes;

impl OtherEndgames {
    /// None if the game has no solver of its own.
    pub(super) fn new(game: &OtherGame, table_mib: usize) -> Option<Self> {
        Some(OtherEndgames {
            game: game.clone(),
            table_mib,
            own: game.own_solver(table_mib)?,
            is_used: false,
        })
    }
}

impl EndgameSolver<OtherGame> for OtherEndgames {
    fn result(&mut self, state: &OtherState, nodes: u64) -> Option<ForFirst<i8>> {
        if !self.own.is_in_reach(state) {
            return None;
        }
        self.is_used = true;
        let mut left = nodes;
        let mut visit = || match left.checked_sub(1) {
            Some(less) => left = less,
            // Not a panic: nothing is printed. What the solver keeps is right at any node.
            None => resume_unwind(Box::new(OutOfNodes)),
        };
        let own = &mut self.own;
        match catch_unwind(AssertUnwindSafe(|| own.value(state, &mut visit))) {
            Ok(value) => Some(value.for_first(self.game.player_to_move(state))),
            Err(payload) if payload.is::<OutOfNodes>() => None,
            Err(payload) => resume_unwind(payload),
        }
    }

    fn clear(&mut self) {
        if self.is_used
            && let Some(fresh) = OtherEndgames::new(&self.game, self.table_mib)
        {
            *self = fresh;
        }
    }
}

impl fmt::Debug for OtherEndgames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("OtherEndgames");
        shown.field("game", &self.game.spec());
        shown.field("table_mib", &self.table_mib);
        shown.finish_non_exhaustive()
    }
}

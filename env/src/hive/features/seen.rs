//! What the player to move sees: kinds of both sides, and the queens.

use crate::Player;
use crate::hive::board::cell::Cell;
use crate::hive::board::piece::{N_KINDS, Piece};
use crate::hive::state::State;

/// Kinds of both sides.
pub(super) const N_SEEN: usize = 2 * N_KINDS;

/// The queens as the player to move sees them.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub(super) mover: Player,
    /// The cells of the own queen and of the enemy's.
    pub(super) queens: [Option<Cell>; 2],
}

impl View {
    pub(super) fn of(state: &State) -> View {
        let mover = state.to_move();
        let queen = |player| state.board.cell_of(Piece::queen(player));
        View {
            mover,
            queens: [queen(mover), queen(mover.opponent())],
        }
    }

    /// What places are counted from: both queens, and without any the first piece, which nothing
    /// can have moved.
    pub(super) fn anchors(&self) -> [Option<Cell>; 3] {
        let [own, enemy] = self.queens;
        let start = own.or(enemy).is_none().then_some(Cell::ORIGIN);
        [own, enemy, start]
    }
}

//! Actions: (piece, destination), or a pass.

use super::cell::{Cell, N_CELLS};
use super::piece::{N_PIECES, Piece};
use crate::ActionId;

/// What an action does. A piece goes to a cell, from the hand or from the board; whether it
/// walks there or is thrown by a pillbug makes no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Put the piece on the cell.
    Put(Piece, Cell),
    /// Nothing else is legal.
    Pass,
}

/// The number of action ids: 28 pieces x 1024 cells, and the pass.
pub const N_ACTIONS: usize = N_PIECES * N_CELLS + 1;

impl Action {
    /// The id: `piece * 1024 + cell`, and 28,672 for the pass.
    #[inline]
    #[must_use]
    pub const fn id(self) -> ActionId {
        match self {
            Action::Put(piece, cell) => ActionId((piece.index() * N_CELLS + cell.index()) as u32),
            Action::Pass => ActionId((N_PIECES * N_CELLS) as u32),
        }
    }

    /// The action with this id; `None` if it is not below [`N_ACTIONS`].
    #[inline]
    #[must_use]
    pub const fn from_id(id: ActionId) -> Option<Action> {
        let index = id.0 as usize;
        if index < N_PIECES * N_CELLS {
            Some(Action::Put(
                Piece::from_index(index / N_CELLS),
                Cell::from_index(index % N_CELLS),
            ))
        } else if index == N_PIECES * N_CELLS {
            Some(Action::Pass)
        } else {
            None
        }
    }
}

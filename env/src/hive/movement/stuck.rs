//! Why a piece does not move.

use super::pins::Pins;
use crate::ActionId;
use crate::hive::board::action::Action;
use crate::hive::board::piece::Piece;
use crate::hive::config::Hive;
use crate::hive::state::State;

/// Why a piece on the board does not move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stuck {
    Covered,
    Stunned,
    Pinned,
    Hemmed,
}

impl Stuck {
    pub(crate) const ALL: [Stuck; 4] =
        [Stuck::Covered, Stuck::Stunned, Stuck::Pinned, Stuck::Hemmed];

    pub(crate) fn text(self) -> &'static str {
        match self {
            Stuck::Covered => "under another piece",
            Stuck::Stunned => "has just been moved by the opponent",
            Stuck::Pinned => "the hive would split",
            Stuck::Hemmed => "no way to go",
        }
    }
}

impl Hive {
    /// Why a piece on the board does not move, where that is not for lack of a turn or of the queen:
    /// `legal` are the legal actions.
    pub(crate) fn stuck(&self, state: &State, piece: Piece, legal: &[ActionId]) -> Option<Stuck> {
        let is_own = piece.owner() == state.to_move();
        let stuck = why_stuck(state, piece);
        match stuck {
            Stuck::Hemmed => {
                (is_own && state.queen_is_down() && !moves(piece, legal)).then_some(stuck)
            }
            // A pinned or stunned piece may still throw, and that moves another.
            _ => Some(stuck),
        }
    }
}

/// Whether one of these actions moves the piece.
pub(crate) fn moves(piece: Piece, legal: &[ActionId]) -> bool {
    let moves = |&id| matches!(Action::from_id(id), Some(Action::Put(moved, _)) if moved == piece);
    legal.iter().any(moves)
}

/// Why a piece on the board without a legal move has none.
pub(crate) fn why_stuck(state: &State, piece: Piece) -> Stuck {
    let mut pins = Pins::UNKNOWN;
    let mut splits = |cell| state.level(piece) == 0 && pins.splits(&state.board, cell);
    if state.is_covered(piece) {
        Stuck::Covered
    } else if state.stunned() == Some(piece) {
        Stuck::Stunned
    } else if state.cell_of(piece).is_some_and(&mut splits) {
        Stuck::Pinned
    } else {
        Stuck::Hemmed
    }
}

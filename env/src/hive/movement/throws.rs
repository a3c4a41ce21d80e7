//! The pillbug's power: to throw a neighbour over itself.

use super::destinations::Destinations;
use super::pins::Pins;
use super::steps::cells;
use super::walks::touched_kinds;
use crate::Player;
use crate::hive::board::cell::Cell;
use crate::hive::board::cell_set::Around;
use crate::hive::board::piece::{Kind, Piece};
use crate::hive::board::stacks::{Board, PieceSet};
use crate::hive::state::State;
use arrayvec::ArrayVec;

/// What one thrower can do now.
pub(super) struct Throw {
    from: Cell,
    /// The pieces that it can throw.
    pub(super) targets: PieceSet,
    /// The directions of the cells to which it can throw them.
    exits: Around,
}

/// A player's pillbug and mosquito, each if it can throw now. A piece is not kept from throwing by
/// being pinned.
#[inline]
pub(super) fn throws(state: &State, player: Player, pins: &mut Pins) -> ArrayVec<Throw, 2> {
    let mut throws = ArrayVec::new();
    for kind in [Kind::Mosquito, Kind::Pillbug] {
        let piece = Piece::single(player, kind);
        if state.board.has(piece)
            && let Some(from) = thrower_cell(state, piece)
        {
            throws.push(Throw::new(state, from, pins));
        }
    }
    throws
}

/// Where a piece stands that can throw now; `None` if it cannot.
fn thrower_cell(state: &State, piece: Piece) -> Option<Cell> {
    let board = &state.board;
    let from = board.cell_of(piece)?;
    let is_pillbug = |from| match piece.kind() {
        Kind::Pillbug => true,
        Kind::Mosquito => touched_kinds(board, from) & 1 << Kind::Pillbug as u8 != 0,
        _ => false,
    };
    let ready = board.covered >> piece.index() & 1 == 0
        && board.level(piece) == 0
        && state.stunned() != Some(piece)
        && is_pillbug(from);
    ready.then_some(from)
}

impl Throw {
    #[inline]
    fn new(state: &State, from: Cell, pins: &mut Pins) -> Throw {
        let board = &state.board;
        let (around, open) = (board.occupied.around(from), open_gates(board, from));
        let mut targets = 0;
        for cell in cells(from, around & open) {
            if let Some(piece) = board.top(cell)
                && board.level(piece) == 0
                && state.stunned() != Some(piece)
                && !pins.splits(board, cell)
            {
                targets |= 1 << piece.index();
            }
        }
        Throw {
            from,
            targets,
            exits: !around & open,
        }
    }

    /// Adds the cells to which the piece can be thrown, if it can be.
    #[inline]
    pub(super) fn add(&self, piece: Piece, to: &mut Destinations) {
        if self.targets >> piece.index() & 1 == 1 {
            to.insert_around(self.from, self.exits);
        }
    }
}

/// The directions in which a piece can pass up to or down from a thrower: the two stacks beside
/// the way must not both be higher than the thrower.
fn open_gates(board: &Board, thrower: Cell) -> Around {
    if board.covered == 0 {
        return 63;
    }
    let high = cells(thrower, 63)
        .enumerate()
        .filter(|&(_, cell)| board.height(cell) > 1)
        .fold(0, |high: Around, (direction, _)| high | 1 << direction);
    let (left, right) = (high >> 1 | high << 5, high << 1 | high >> 5);
    !(left & right) & 63
}

//! The pillbug's power: to throw a neighbour over itself.

use super::cell::{Cell, Direction};
use super::piece::{Kind, Piece};
use super::pins::splits;
use super::state::State;

/// The cells from which the player to move can throw: those of his pillbug and of his mosquito
/// that touches a pillbug, unless covered or stunned. That such a piece may not itself move does
/// not matter.
pub(super) fn throwers(state: &State) -> impl Iterator<Item = Cell> {
    let mover = state.to_move();
    [Kind::Pillbug, Kind::Mosquito]
        .into_iter()
        .filter_map(move |kind| Piece::new(mover, kind, 1))
        .filter(|&piece| has_power(state, piece))
        .filter_map(|piece| state.cell_of(piece))
}

/// Whether a piece on the board can throw now.
pub(super) fn has_power(state: &State, piece: Piece) -> bool {
    let Some(cell) = state.cell_of(piece) else {
        return false;
    };
    let ready =
        state.top(cell) == Some(piece) && state.level(piece) == 0 && state.stunned() != Some(piece);
    ready
        && match piece.kind() {
            Kind::Pillbug => true,
            Kind::Mosquito => cell.neighbours().into_iter().any(|next| {
                state
                    .top(next)
                    .is_some_and(|top| top.kind() == Kind::Pillbug)
            }),
            _ => false,
        }
}

/// Whether the gate between a thrower and the cell in a direction is open: a piece on its way up
/// or down passes between two stacks, which must not both be higher than the thrower.
pub(super) fn gate_is_open(state: &State, thrower: Cell, direction: Direction) -> bool {
    state.height(thrower.neighbour(direction.turned(1))) < 2
        || state.height(thrower.neighbour(direction.turned(5))) < 2
}

/// The pieces that can be thrown from a cell.
pub(super) fn targets(state: &State, thrower: Cell) -> impl Iterator<Item = Piece> {
    Direction::ALL
        .into_iter()
        .filter(move |&direction| gate_is_open(state, thrower, direction))
        .map(move |direction| thrower.neighbour(direction))
        .filter(|&cell| state.height(cell) == 1 && !splits(state, cell))
        .filter_map(|cell| state.top(cell))
        .filter(|&piece| state.stunned() != Some(piece))
}

/// The cells to which a piece can be thrown from a cell.
pub(super) fn exits(state: &State, thrower: Cell) -> impl Iterator<Item = Cell> {
    Direction::ALL
        .into_iter()
        .filter(move |&direction| gate_is_open(state, thrower, direction))
        .map(move |direction| thrower.neighbour(direction))
        .filter(|&cell| !state.is_occupied(cell))
}

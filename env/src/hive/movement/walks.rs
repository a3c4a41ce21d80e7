//! Where a bug can walk by the power of its kind.

use super::ants::Ants;
use super::destinations::Destinations;
use super::steps::{SLIDES, cells, slides, steps};
use crate::hive::board::cell::{Cell, Direction};
use crate::hive::board::cell_set::{Around, Bits, CellSet};
use crate::hive::board::piece::{Kind, Piece};
use crate::hive::board::stacks::Board;

/// A set of kinds: bit k for `Kind::ALL[k]`.
type Kinds = u8;

/// The kinds that an ant can follow wherever they walk.
const SLIDING: Kinds = 1 << Kind::Queen as u8
    | 1 << Kind::Spider as u8
    | 1 << Kind::Ant as u8
    | 1 << Kind::Pillbug as u8;

/// Writes the cells to which an uncovered piece on the board can walk, if its lifting does not
/// split the hive.
#[inline]
pub(super) fn write_walks(
    board: &Board,
    piece: Piece,
    from: Cell,
    ants: &mut Ants,
    to: &mut Destinations,
) {
    let mut kinds: Kinds = 1 << piece.kind() as u8;
    if piece.kind() == Kind::Mosquito {
        kinds = if board.level(piece) > 0 {
            1 << Kind::Beetle as u8
        } else {
            touched_kinds(board, from)
        };
    }
    if kinds & 1 << Kind::Ant as u8 != 0 {
        ants.write(&board.occupied, from, to);
        kinds &= !SLIDING;
    } else {
        *to = Destinations::NONE;
    }
    for kind in Bits(kinds.into()) {
        add_walks_as(board, Kind::ALL[kind], from, to);
    }
}

/// How many cells [`write_walks`] writes, for most kinds without finding them.
#[inline]
pub(super) fn count_walks(board: &Board, piece: Piece, from: Cell, ants: &mut Ants) -> usize {
    let around = board.occupied.around(from);
    match piece.kind() {
        Kind::Queen | Kind::Pillbug => SLIDES[around].count_ones() as usize,
        Kind::Beetle => beetle_steps(board, from).count_ones() as usize,
        // One jump in each direction, none of which end on the same cell.
        Kind::Grasshopper => around.count_ones() as usize,
        Kind::Ant => ants.count(&board.occupied, from),
        Kind::Spider | Kind::Mosquito | Kind::Ladybug => {
            let mut to = Destinations::NONE;
            write_walks(board, piece, from, ants, &mut to);
            to.len()
        }
    }
}

/// The kinds that a bug on the ground touches.
pub(crate) fn touched_kinds(board: &Board, from: Cell) -> Kinds {
    cells(from, board.occupied.around(from))
        .filter_map(|cell| board.top(cell))
        .fold(0, |kinds, top| kinds | 1 << top.kind() as u8)
}

/// Adds the walks of a kind but the ant's; a mosquito has none of its own.
#[inline]
fn add_walks_as(board: &Board, kind: Kind, from: Cell, to: &mut Destinations) {
    match kind {
        Kind::Queen | Kind::Pillbug => {
            to.insert_around(from, SLIDES[board.occupied.around(from)].into());
        }
        Kind::Spider => add_spider(&board.occupied.without(from), from, to),
        Kind::Grasshopper => add_grasshopper(board, from, to),
        Kind::Beetle => to.insert_around(from, beetle_steps(board, from)),
        Kind::Ladybug if board.covered == 0 => add_ladybug_on_a_flat_hive(board, from, to),
        Kind::Ladybug => add_ladybug(board, from, to),
        Kind::Ant | Kind::Mosquito => {}
    }
}

/// Three slides without coming back to a cell.
fn add_spider(others: &CellSet, from: Cell, to: &mut Destinations) {
    for first in slides(others, from) {
        for second in slides(others, first).filter(|&cell| cell != from) {
            for third in slides(others, second).filter(|&cell| cell != from && cell != first) {
                to.insert(third);
            }
        }
    }
}

/// A straight jump over one piece or more, to the first empty cell.
fn add_grasshopper(board: &Board, from: Cell, to: &mut Destinations) {
    for direction in Bits(board.occupied.around(from) as u32) {
        let direction = Direction::ALL[direction];
        let mut cell = from.neighbour(direction).neighbour(direction);
        while board.occupied.contains(cell) {
            cell = cell.neighbour(direction);
        }
        to.insert(cell);
    }
}

/// The directions of one step at any height.
#[inline]
fn beetle_steps(board: &Board, from: Cell) -> Around {
    if board.covered == 0 {
        // On a flat hive there is no gate on the way up.
        let around = board.occupied.around(from);
        around | Around::from(SLIDES[around])
    } else {
        steps(board, from, from, board.height(from) - 1)
    }
}

/// Two steps on top of the hive, then one down.
fn add_ladybug(board: &Board, from: Cell, to: &mut Destinations) {
    let others = board.occupied.without(from);
    let steps = |cell: Cell, height: usize| steps(board, from, cell, height);
    let mut seconds = CellSet::EMPTY;
    for first in cells(from, others.around(from) & steps(from, 0)) {
        let on_top = others.around(first) & steps(first, board.height(first));
        cells(first, on_top).for_each(|second| seconds.insert(second));
    }
    for second in seconds.iter() {
        let down = !others.around(second) & steps(second, board.height(second));
        for third in cells(second, down).filter(|&cell| cell != from) {
            to.insert(third);
        }
    }
}

/// The same where no piece lies on another, so that there are no gates on top.
fn add_ladybug_on_a_flat_hive(board: &Board, from: Cell, to: &mut Destinations) {
    let others = board.occupied.without(from);
    let mut firsts = CellSet::EMPTY;
    cells(from, others.around(from)).for_each(|first| firsts.insert(first));
    let mut seconds = CellSet::EMPTY;
    for r in from.rows_within(2) {
        seconds.insert_row(r, firsts.touching(r) & others.row(r));
    }
    let empty = |r: usize| !board.occupied.row(r);
    for r in from.rows_within(3) {
        to.insert_row(r, seconds.touching(r) & empty(r));
    }
}

//! Where a bug can walk by its own kind's power.

use super::cell::{Cell, Direction};
use super::cell_set::CellSet;
use super::piece::{Kind, Piece};
use super::state::State;
use super::steps::{Heights, slides};

/// Adds the cells to which an uncovered piece on the board can walk, its lifting being allowed.
pub(super) fn add_walks(state: &State, piece: Piece, from: Cell, to: &mut CellSet) {
    let kinds = powers(state, piece, from);
    for kind in Kind::ALL {
        if kinds & 1 << kind as u8 != 0 {
            add_walks_of_kind(state, kind, from, to);
        }
    }
}

/// The kinds as which a piece can walk, bit k for `Kind::ALL[k]`.
fn powers(state: &State, piece: Piece, from: Cell) -> u8 {
    match piece.kind() {
        Kind::Mosquito if state.level(piece) > 0 => 1 << Kind::Beetle as u8,
        Kind::Mosquito => {
            let touched = from
                .neighbours()
                .into_iter()
                .filter_map(|cell| state.top(cell))
                .fold(0, |kinds, top| kinds | 1 << top.kind() as u8);
            touched & !(1 << Kind::Mosquito as u8)
        }
        kind => 1 << kind as u8,
    }
}

fn add_walks_of_kind(state: &State, kind: Kind, from: Cell, to: &mut CellSet) {
    let mut others = *state.occupied();
    if state.height(from) == 1 {
        others.remove(from);
    }
    match kind {
        Kind::Queen | Kind::Pillbug => slides(&others, from).for_each(|cell| to.insert(cell)),
        Kind::Spider => add_spider(&others, from, to),
        Kind::Ant => add_ant(&others, from, to),
        Kind::Grasshopper => add_grasshopper(&others, from, to),
        Kind::Beetle => add_beetle(state, from, to),
        Kind::Ladybug => add_ladybug(state, from, to),
        Kind::Mosquito => {}
    }
}

/// Three slides without coming back to a cell.
fn add_spider(others: &CellSet, from: Cell, to: &mut CellSet) {
    for first in slides(others, from) {
        for second in slides(others, first).filter(|&cell| cell != from) {
            for third in slides(others, second).filter(|&cell| cell != from && cell != first) {
                to.insert(third);
            }
        }
    }
}

/// Any number of slides.
fn add_ant(others: &CellSet, from: Cell, to: &mut CellSet) {
    let mut visited = CellSet::EMPTY;
    visited.insert(from);
    let mut open = vec![from];
    while let Some(cell) = open.pop() {
        for next in slides(others, cell) {
            if !visited.contains(next) {
                visited.insert(next);
                to.insert(next);
                open.push(next);
            }
        }
    }
}

/// A straight jump over one piece or more, to the first empty cell.
fn add_grasshopper(others: &CellSet, from: Cell, to: &mut CellSet) {
    for direction in Direction::ALL {
        let mut cell = from.neighbour(direction);
        if others.contains(cell) {
            while others.contains(cell) {
                cell = cell.neighbour(direction);
            }
            to.insert(cell);
        }
    }
}

/// One step at any height.
fn add_beetle(state: &State, from: Cell, to: &mut CellSet) {
    let heights = Heights {
        state,
        lifted: from,
    };
    for direction in Direction::ALL {
        if heights.can_step(from, direction) {
            to.insert(from.neighbour(direction));
        }
    }
}

/// Two steps on top of the hive, then one down.
fn add_ladybug(state: &State, from: Cell, to: &mut CellSet) {
    let heights = Heights {
        state,
        lifted: from,
    };
    let steps = |cell: Cell, on_top: bool| {
        let heights = &heights;
        Direction::ALL
            .into_iter()
            .filter(move |&direction| {
                (heights.at(cell.neighbour(direction)) > 0) == on_top
                    && heights.can_step(cell, direction)
            })
            .map(move |direction| cell.neighbour(direction))
    };
    for first in steps(from, true) {
        for second in steps(first, true) {
            for third in steps(second, false).filter(|&cell| cell != from) {
                to.insert(third);
            }
        }
    }
}

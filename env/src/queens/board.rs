//! The geometry of one board size, and the tables that the rules look up.

use crate::IdSet;
use serde::Serialize;
use std::fmt;

/// The longest side of a board.
pub const MAX_SIDE: usize = 16;

/// The number of symmetries of a square.
pub(super) const N_SYMMETRIES: usize = 8;

/// A cell by its column and row, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Cell {
    /// Column.
    pub x: u8,
    /// Row.
    pub y: u8,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

#[derive(Debug)]
pub(super) struct Board {
    /// Rows, and columns.
    pub(super) side: usize,
    pub(super) all_cells: IdSet,
    /// `reach[cell]`: the cell and all cells in its row, column and diagonals. No queen can stand
    /// between two others of one line, so nothing ever blocks a line.
    pub(super) reach: Vec<IdSet>,
    /// `symmetries[s][cell]`: where symmetry s takes the cell. The identity, the two mirrors and
    /// the half turn, then those four after a transposition.
    pub(super) symmetries: [Vec<u8>; N_SYMMETRIES],
}

impl Board {
    /// The tables of a board of up to 16 x 16 cells.
    pub(super) fn new(side: usize) -> Self {
        let n_cells = side * side;
        let attacks = |a: usize, b: usize| {
            let (dx, dy) = ((a % side).abs_diff(b % side), (a / side).abs_diff(b / side));
            dx == 0 || dy == 0 || dx == dy
        };
        let image = |symmetry: usize, cell: usize| {
            let (mut x, mut y) = (cell % side, cell / side);
            if symmetry & 4 != 0 {
                (x, y) = (y, x);
            }
            if symmetry & 2 != 0 {
                y = side - 1 - y;
            }
            if symmetry & 1 != 0 {
                x = side - 1 - x;
            }
            (y * side + x) as u8
        };
        Board {
            side,
            all_cells: (0..n_cells).collect(),
            reach: (0..n_cells)
                .map(|cell| (0..n_cells).filter(|&other| attacks(cell, other)).collect())
                .collect(),
            symmetries: std::array::from_fn(|symmetry| {
                (0..n_cells).map(|cell| image(symmetry, cell)).collect()
            }),
        }
    }

    pub(super) fn n_cells(&self) -> usize {
        self.side * self.side
    }
}

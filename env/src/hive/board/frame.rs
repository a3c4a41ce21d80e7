//! The part of the torus that holds the hive.

use super::cell::{Cell, SIDE};
use super::key::first_of;
use super::stacks::Board;

/// Consecutive rows or columns on the circle of 32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    first: usize,
    len: usize,
}

impl Run {
    /// The run of the set bits of a hive, which are consecutive; it has 28 cells at most, so they
    /// never close the circle.
    fn of(bits: u32) -> Run {
        Run {
            first: first_of(bits),
            len: bits.count_ones() as usize,
        }
    }

    /// How far a coordinate lies beyond the first of the run, 0 to 31.
    fn offset(self, coordinate: usize) -> usize {
        (coordinate + SIDE - self.first) % SIDE
    }
}

/// The smallest parallelogram of rows and columns that holds all pieces, wherever on the torus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    columns: Run,
    rows: Run,
}

impl Frame {
    pub(crate) fn of(board: &Board) -> Frame {
        Frame {
            columns: Run::of(board.columns),
            rows: Run::of(board.rows),
        }
    }

    /// The number of columns and rows; both 0 on the empty board.
    pub(crate) fn size(self) -> [usize; 2] {
        [self.columns.len, self.rows.len]
    }

    /// Columns and rows from the frame's first cell to this one, each 0 to 31.
    fn offset(self, cell: Cell) -> [usize; 2] {
        [self.columns.offset(cell.q()), self.rows.offset(cell.r())]
    }

    /// The axial coordinates of a cell, as if the frame lay on a plane: its first column and row
    /// from -16 to 15, and those behind from there on.
    pub(crate) fn signed(self, cell: Cell) -> [i32; 2] {
        let half = SIDE as i32 / 2;
        let signed = |run: Run, coordinate: usize| {
            let first = (run.first as i32 + half).rem_euclid(SIDE as i32) - half;
            // One cell before the frame touches it, too.
            let offset = (run.offset(coordinate) as i32 + 1).rem_euclid(SIDE as i32) - 1;
            first + offset
        };
        [signed(self.columns, cell.q()), signed(self.rows, cell.r())]
    }

    /// The cell at this offset, which may be negative.
    pub(crate) fn cell(self, [column, row]: [i32; 2]) -> Cell {
        Cell::new(
            self.columns.first as i32 + column,
            self.rows.first as i32 + row,
        )
    }

    /// The column and row on a torus of 32 x 32 whose first `side` columns and rows have the
    /// frame in their middle. Translation of the hive changes nothing.
    pub(crate) fn centred(self, cell: Cell, side: usize) -> [usize; 2] {
        let [column, row] = self.offset(cell);
        let centre = |offset: usize, len: usize| {
            // Rounded down also where the frame is larger than the window.
            (offset as i32 + (side as i32 - len as i32).div_euclid(2)).rem_euclid(SIDE as i32)
        };
        [
            centre(column, self.columns.len) as usize,
            centre(row, self.rows.len) as usize,
        ]
    }
}

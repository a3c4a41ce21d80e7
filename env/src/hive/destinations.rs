//! Where a piece can go, counted as it is found.

use super::cell::Cell;
use super::cell_set::{Around, CellSet};
use super::steps::cells;

/// A set of cells that knows its size.
#[derive(Clone, Copy)]
pub(super) struct Destinations {
    pub(super) cells: CellSet,
    len: u32,
}

impl Destinations {
    pub(super) const NONE: Destinations = Destinations {
        cells: CellSet::EMPTY,
        len: 0,
    };

    #[inline]
    pub(super) fn insert(&mut self, cell: Cell) {
        self.len += u32::from(!self.cells.contains(cell));
        self.cells.insert(cell);
    }

    /// Adds the cells in some directions from a cell.
    #[inline]
    pub(super) fn insert_around(&mut self, from: Cell, directions: Around) {
        for cell in cells(from, directions) {
            self.insert(cell);
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, cell: Cell) {
        self.len -= u32::from(self.cells.contains(cell));
        self.cells.remove(cell);
    }

    /// Adds cells of a row.
    #[inline]
    pub(super) fn insert_row(&mut self, r: usize, cells: u32) {
        self.len += (cells & !self.cells.row(r)).count_ones();
        self.cells.insert_row(r, cells);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }
}

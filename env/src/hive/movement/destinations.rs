//! Where a piece can go, counted as it is found.

use super::steps::cells;
use crate::hive::board::cell::Cell;
use crate::hive::board::cell_set::{Around, CellSet};

/// A set of cells that knows its size.
#[derive(Clone, Copy)]
pub(crate) struct Destinations {
    pub(crate) cells: CellSet,
    len: u32,
}

impl Destinations {
    pub(crate) const NONE: Destinations = Destinations {
        cells: CellSet::EMPTY,
        len: 0,
    };

    #[inline]
    pub(crate) fn insert(&mut self, cell: Cell) {
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
    pub(crate) fn remove(&mut self, cell: Cell) {
        self.len -= u32::from(self.cells.contains(cell));
        self.cells.remove(cell);
    }

    /// Adds cells of a row.
    #[inline]
    pub(crate) fn insert_row(&mut self, r: usize, cells: u32) {
        self.len += (cells & !self.cells.row(r)).count_ones();
        self.cells.insert_row(r, cells);
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }
}

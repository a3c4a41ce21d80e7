//! Sets of cells, as one word of bits for each row of the torus.

use super::cell::{Cell, SIDE};

/// A set of cells: bit q of word r stands for the cell (q, r).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellSet {
    rows: [u32; SIDE],
}

/// Which of the six cells around a cell are in a set: bit d for the direction
/// `Direction::ALL[d]`, below 64.
pub(super) type Around = usize;

impl CellSet {
    pub(super) const EMPTY: CellSet = CellSet { rows: [0; SIDE] };

    #[inline]
    pub(super) fn insert(&mut self, cell: Cell) {
        self.rows[cell.r()] |= 1 << cell.q();
    }

    #[inline]
    pub(super) fn remove(&mut self, cell: Cell) {
        self.rows[cell.r()] &= !(1 << cell.q());
    }

    #[inline]
    pub(super) fn contains(&self, cell: Cell) -> bool {
        self.rows[cell.r()] >> cell.q() & 1 == 1
    }

    /// Which cells around `cell` are in the set.
    #[inline]
    pub(super) fn around(&self, cell: Cell) -> Around {
        let (q, r) = (cell.q() as u32, cell.r());
        // The row above from the cell's own column on, the other two from the column before.
        let above = self.rows[(r + SIDE - 1) % SIDE].rotate_right(q);
        let beside = self.rows[r].rotate_right(q.wrapping_sub(1) % 32);
        let below = self.rows[(r + 1) % SIDE].rotate_right(q.wrapping_sub(1) % 32);
        let bits = (beside >> 2 & 1)
            | (above & 2)
            | (above & 1) << 2
            | (beside & 1) << 3
            | (below & 3) << 4;
        bits as usize
    }

    /// The cells in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Cell> {
        self.rows.iter().enumerate().flat_map(|(r, &row)| {
            std::iter::successors(Some(row), |row| Some(row & (row - 1)))
                .take_while(|&row| row != 0)
                .map(move |row| Cell::new(row.trailing_zeros() as i32, r as i32))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hive::Direction;

    #[test]
    fn around_tells_the_direction_of_each_member_everywhere_on_the_torus() {
        for index in 0..SIDE * SIDE {
            let cell = Cell::from_index(index);
            for (bit, direction) in Direction::ALL.into_iter().enumerate() {
                let mut set = CellSet::EMPTY;
                set.insert(cell);
                set.insert(cell.neighbour(direction));
                assert_eq!(set.around(cell), 1 << bit, "{cell:?} {direction:?}");
            }
        }
    }

    #[test]
    fn cells_come_in_ascending_order() {
        let mut set = CellSet::EMPTY;
        for index in [1023, 0, 31, 32, 500, 501] {
            set.insert(Cell::from_index(index));
        }
        set.remove(Cell::from_index(500));
        let indices: Vec<usize> = set.iter().map(Cell::index).collect();
        assert_eq!(indices, [0, 31, 32, 501, 1023]);
    }
}

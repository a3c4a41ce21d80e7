//! Sets of cells, as one word of bits for each row of the torus.

use super::cell::{Cell, SIDE};

/// A set of cells: bit q of word r stands for the cell (q, r).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellSet {
    rows: [u32; SIDE],
}

/// Which of the six cells around a cell are in a set: bit d for the direction
/// `Direction::ALL[d]`, below 64.
pub(crate) type Around = usize;

/// The six neighbours within a window, by their directions.
pub(crate) static AROUND: [u8; 128] = {
    // The place in the window of the cell to the east, and so on counter-clockwise.
    const PLACES: [usize; 6] = [4, 1, 0, 2, 5, 6];
    let mut table = [0; 128];
    let mut window = 0;
    while window < 128 {
        let mut direction = 0;
        while direction < 6 {
            table[window] |= ((window >> PLACES[direction] & 1) as u8) << direction;
            direction += 1;
        }
        window += 1;
    }
    table
};

/// For each pattern of occupied neighbours, into how many runs they fall; 0 for the full ring.
pub(crate) static RUNS: [u8; 64] = {
    let mut table = [0; 64];
    let mut around: Around = 0;
    while around < 64 {
        let turned = (around << 1 | around >> 5) & 63;
        // A run ends where a cell is occupied and the next is not.
        table[around] = (around & !turned).count_ones() as u8;
        around += 1;
    }
    table
};

impl CellSet {
    pub(crate) const EMPTY: CellSet = CellSet { rows: [0; SIDE] };

    #[inline]
    pub(crate) fn insert(&mut self, cell: Cell) {
        self.rows[cell.r()] |= 1 << cell.q();
    }

    #[inline]
    pub(crate) fn insert_all(&mut self, other: &CellSet) {
        for (row, more) in self.rows.iter_mut().zip(other.rows) {
            *row |= more;
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, cell: Cell) {
        self.rows[cell.r()] &= !(1 << cell.q());
    }

    #[inline]
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.rows[cell.r()] >> cell.q() & 1 == 1
    }

    /// The set without one cell.
    #[inline]
    pub(crate) fn without(mut self, cell: Cell) -> CellSet {
        self.remove(cell);
        self
    }

    /// Which cells around `cell` are in the set.
    #[inline]
    pub(crate) fn around(&self, cell: Cell) -> Around {
        AROUND[self.window(cell)] as usize
    }

    /// Which of seven cells are in the set, below 128: from bit 0, the two above `cell`, it and
    /// those beside it, and the two below.
    #[inline]
    pub(crate) fn window(&self, cell: Cell) -> usize {
        let (q, r) = (cell.q() as u32, cell.r());
        // The row above from the cell's own column on, the other two from the column before.
        let above = self.rows[(r + SIDE - 1) % SIDE].rotate_right(q);
        let beside = self.rows[r].rotate_right(q.wrapping_sub(1) % 32);
        let below = self.rows[(r + 1) % SIDE].rotate_right(q.wrapping_sub(1) % 32);
        (above & 3 | (beside & 7) << 2 | (below & 3) << 5) as usize
    }

    /// The cells of a row, bit q for the column q.
    #[inline]
    pub(crate) fn row(&self, r: usize) -> u32 {
        self.rows[r % SIDE]
    }

    /// Adds cells of a row.
    #[inline]
    pub(crate) fn insert_row(&mut self, r: usize, cells: u32) {
        self.rows[r % SIDE] |= cells;
    }

    /// The cells of a row that touch a cell of the set.
    #[inline]
    pub(crate) fn touching(&self, r: usize) -> u32 {
        let (above, beside, below) = (self.row(r + SIDE - 1), self.row(r), self.row(r + 1));
        above
            | above.rotate_right(1)
            | beside.rotate_left(1)
            | beside.rotate_right(1)
            | below
            | below.rotate_left(1)
    }

    /// The columns that hold a cell of the set, bit q for the column q.
    #[inline]
    pub(crate) fn columns(&self) -> u32 {
        self.rows.iter().fold(0, |set, row| set | row)
    }

    /// The `k`-th cell in ascending order, from 0; `None` if there are not so many.
    pub(crate) fn nth(&self, mut k: usize) -> Option<Cell> {
        for (r, &row) in self.rows.iter().enumerate() {
            let n = row.count_ones() as usize;
            if k < n {
                let q = Bits(row).nth(k)?;
                return Some(Cell::new(q as i32, r as i32));
            }
            k -= n;
        }
        None
    }

    /// The cells in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Cell> {
        self.rows
            .iter()
            .enumerate()
            .flat_map(|(r, &row)| Bits(row).map(move |q| Cell::new(q as i32, r as i32)))
    }
}

/// The numbers of the set bits, ascending.
#[derive(Clone, Copy)]
pub(crate) struct Bits(pub(crate) u32);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(lowest)
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
    fn the_cells_that_touch_a_cell_are_its_neighbours_everywhere_on_the_torus() {
        for index in 0..SIDE * SIDE {
            let cell = Cell::from_index(index);
            let mut set = CellSet::EMPTY;
            set.insert(cell);
            let mut touching = CellSet::EMPTY;
            (0..SIDE).for_each(|r| touching.insert_row(r, set.touching(r)));
            let mut neighbours = cell.neighbours();
            neighbours.sort_unstable();
            assert!(touching.iter().eq(neighbours), "{cell:?}");
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
        let nth: Vec<Option<Cell>> = (0..6).map(|k| set.nth(k)).collect();
        assert!(set.iter().map(Some).chain([None]).eq(nth));
        assert_eq!(set.columns(), 1 << 0 | 1 << 31 | 1 << 21);
    }
}

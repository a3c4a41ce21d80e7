//! Cells of the hexagonal grid.
//!
//! The grid has no edges. It is held on a torus of 32 x 32 cells: a hive of 28 pieces is at most
//! 28 cells long, and no rule looks further than two cells beyond it, so that no two cells that
//! a rule could confuse fall together (that would take 32). Coordinates are axial: q grows to
//! the east, r to the south-east; hexes stand on a corner. See Red Blob Games, "Hexagonal Grids".

use std::fmt;

/// Cells along each axis of the torus.
pub const SIDE: usize = 32;
/// The number of cells of the torus.
pub const N_CELLS: usize = SIDE * SIDE;

/// A cell: `r * 32 + q`, both modulo 32. The first piece of a game stands on [`Cell::ORIGIN`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u16);

/// The six directions, counter-clockwise from the east.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// `bug-` in a MoveString.
    East,
    /// `bug/`.
    NorthEast,
    /// `\bug`.
    NorthWest,
    /// `-bug`.
    West,
    /// `/bug`.
    SouthWest,
    /// `bug\`.
    SouthEast,
}

impl Direction {
    /// All six, counter-clockwise from the east.
    pub const ALL: [Direction; 6] = [
        Direction::East,
        Direction::NorthEast,
        Direction::NorthWest,
        Direction::West,
        Direction::SouthWest,
        Direction::SouthEast,
    ];

    /// The step along q and r.
    #[must_use]
    pub const fn step(self) -> [i8; 2] {
        match self {
            Direction::East => [1, 0],
            Direction::NorthEast => [1, -1],
            Direction::NorthWest => [0, -1],
            Direction::West => [-1, 0],
            Direction::SouthWest => [-1, 1],
            Direction::SouthEast => [0, 1],
        }
    }

    /// The direction `n` sixths of a turn counter-clockwise.
    #[inline]
    #[must_use]
    pub const fn turned(self, n: usize) -> Direction {
        Direction::ALL[(self as usize + n) % 6]
    }

    /// The direction back.
    #[must_use]
    pub const fn opposite(self) -> Direction {
        self.turned(3)
    }
}

impl Cell {
    /// Where the first piece stands.
    pub const ORIGIN: Cell = Cell(0);

    /// The cell at axial coordinates, which are taken modulo 32.
    #[inline]
    #[must_use]
    pub const fn new(q: i32, r: i32) -> Cell {
        Cell(((r & 31) << 5 | (q & 31)) as u16)
    }

    /// The cell with this index, below 1024.
    ///
    /// # Panics
    /// If the index is not below 1024.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Cell {
        assert!(index < N_CELLS, "a cell's index is below 1024");
        Cell(index as u16)
    }

    /// `r * 32 + q`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column on the torus, 0 to 31.
    #[inline]
    #[must_use]
    pub const fn q(self) -> usize {
        (self.0 & 31) as usize
    }

    /// The row on the torus, 0 to 31.
    #[inline]
    #[must_use]
    pub const fn r(self) -> usize {
        (self.0 >> 5) as usize
    }

    /// The cell next to this one.
    #[inline]
    #[must_use]
    pub const fn neighbour(self, direction: Direction) -> Cell {
        self.neighbour_at(direction as usize)
    }

    /// The cell next to this one in the direction with this number, below 6.
    #[inline]
    pub(crate) const fn neighbour_at(self, direction: usize) -> Cell {
        NEIGHBOURS[self.0 as usize & (N_CELLS - 1)][direction & 7]
    }

    /// The six cells around this one, in the order of [`Direction::ALL`].
    #[inline]
    #[must_use]
    pub const fn neighbours(self) -> [Cell; 6] {
        let [a, b, c, d, e, f, ..] = NEIGHBOURS[self.0 as usize & (N_CELLS - 1)];
        [a, b, c, d, e, f]
    }

    /// The rows of the torus that are at most `distance` away.
    #[inline]
    pub(crate) fn rows_within(self, distance: usize) -> impl Iterator<Item = usize> {
        (self.r() + SIDE - distance..=self.r() + SIDE + distance).map(|r| r % SIDE)
    }

    /// The direction from this cell to `other`, if they are adjacent.
    #[must_use]
    pub fn direction_to(self, other: Cell) -> Option<Direction> {
        Direction::ALL
            .into_iter()
            .find(|&direction| self.neighbour(direction) == other)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.q(), self.r())
    }
}

/// The neighbours of each cell, with two entries to spare so that a row has the size of a power
/// of two.
static NEIGHBOURS: [[Cell; 8]; N_CELLS] = {
    let mut table = [[Cell(0); 8]; N_CELLS];
    let mut index = 0;
    while index < N_CELLS {
        let mut direction = 0;
        while direction < 6 {
            let [q, r] = Direction::ALL[direction].step();
            table[index][direction] = Cell::new(
                (index % SIDE) as i32 + q as i32,
                (index / SIDE) as i32 + r as i32,
            );
            direction += 1;
        }
        index += 1;
    }
    table
};

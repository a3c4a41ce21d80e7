//! Which piece lies where: the board without turns and history.

use super::cell::{Cell, N_CELLS};
use super::cell_set::{Bits, CellSet, RUNS};
use super::piece::{N_PIECES, Piece};
use crate::Player;

/// "No piece" and "no cell" in the packed tables.
const NONE: u8 = u8::MAX;
const IN_HAND: u16 = u16::MAX;

/// A set of pieces: bit i for `Piece::from_index(i)`.
pub(crate) type PieceSet = u32;

/// The stacks of a position, and what is worth counting along.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    /// The cells that hold a piece.
    pub(crate) occupied: CellSet,
    /// The rows and the columns that hold a piece, a bit each.
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    /// The cells on top of which a piece of each player lies.
    pub(crate) tops_of: [CellSet; 2],
    /// The pieces on the board.
    pub(crate) pieces: PieceSet,
    /// The pieces that lie under others.
    pub(crate) covered: PieceSet,
    /// Cells less adjacent pairs plus triples that touch one another: Euler's number, which for
    /// a connected hive is 1 less the number of its holes.
    euler: i8,
    /// How many pieces lie under each piece, and what lies directly under it.
    level: [u8; N_PIECES],
    under: [u8; N_PIECES],
    /// The cell of each piece.
    cells: [u16; N_PIECES],
    /// The piece on top of each cell.
    tops: [u8; N_CELLS],
}

impl Board {
    pub(crate) const EMPTY: Board = Board {
        occupied: CellSet::EMPTY,
        rows: 0,
        columns: 0,
        tops_of: [CellSet::EMPTY; 2],
        pieces: 0,
        covered: 0,
        euler: 0,
        level: [0; N_PIECES],
        under: [NONE; N_PIECES],
        cells: [IN_HAND; N_PIECES],
        tops: [NONE; N_CELLS],
    };

    #[inline]
    pub(crate) fn top(&self, cell: Cell) -> Option<Piece> {
        match self.tops[cell.index()] {
            NONE => None,
            index => Some(Piece::from_index(index as usize)),
        }
    }

    #[inline]
    pub(crate) fn height(&self, cell: Cell) -> usize {
        match self.tops[cell.index()] {
            NONE => 0,
            index => self.level[index as usize] as usize + 1,
        }
    }

    /// The piece directly under a piece.
    #[inline]
    pub(crate) fn under(&self, piece: Piece) -> Option<Piece> {
        match self.under[piece.index()] {
            NONE => None,
            index => Some(Piece::from_index(index as usize)),
        }
    }

    #[inline]
    pub(crate) fn cell_of(&self, piece: Piece) -> Option<Cell> {
        match self.cells[piece.index()] {
            IN_HAND => None,
            index => Some(Cell::from_index(index as usize)),
        }
    }

    #[inline]
    pub(crate) fn level(&self, piece: Piece) -> usize {
        self.level[piece.index()] as usize
    }

    #[inline]
    pub(crate) fn has(&self, piece: Piece) -> bool {
        self.pieces >> piece.index() & 1 == 1
    }

    /// Whether the hive surrounds an empty cell.
    #[inline]
    pub(crate) fn has_holes(&self) -> bool {
        self.euler != 1
    }

    /// Whether all six cells around a player's queen are occupied.
    #[inline]
    pub(crate) fn is_surrounded(&self, player: Player) -> bool {
        self.cell_of(Piece::queen(player))
            .is_some_and(|cell| self.occupied.around(cell) == 63)
    }

    /// Takes the top piece of its cell off the board.
    #[inline]
    pub(crate) fn lift(&mut self, piece: Piece) {
        let index = piece.index();
        let cell = Cell::from_index(self.cells[index] as usize);
        self.tops_of[piece.owner().index()].remove(cell);
        match self.under(piece) {
            Some(under) => {
                self.tops_of[under.owner().index()].insert(cell);
                self.covered &= !(1 << under.index());
            }
            None => {
                self.occupied.remove(cell);
                if self.occupied.row(cell.r()) == 0 {
                    self.rows &= !(1 << cell.r());
                }
                self.columns = self.occupied.columns();
                self.euler -= self.euler_of(cell);
            }
        }
        self.tops[cell.index()] = self.under[index];
        self.cells[index] = IN_HAND;
        self.pieces &= !(1 << index);
    }

    /// Puts a piece that is off the board on top of a cell.
    #[inline]
    pub(crate) fn drop_on(&mut self, piece: Piece, cell: Cell) {
        let index = piece.index();
        match self.top(cell) {
            Some(under) => {
                self.tops_of[under.owner().index()].remove(cell);
                self.covered |= 1 << under.index();
                self.level[index] = self.level[under.index()] + 1;
            }
            None => {
                self.occupied.insert(cell);
                self.rows |= 1 << cell.r();
                self.columns |= 1 << cell.q();
                self.euler += self.euler_of(cell);
                self.level[index] = 0;
            }
        }
        self.tops_of[piece.owner().index()].insert(cell);
        self.under[index] = self.tops[cell.index()];
        self.tops[cell.index()] = index as u8;
        self.cells[index] = cell.index() as u16;
        self.pieces |= 1 << index;
    }

    /// What a cell adds to Euler's number: itself, less a pair with each neighbour, plus a triple
    /// with each two neighbours that touch; so 1 less the runs of its neighbours.
    fn euler_of(&self, cell: Cell) -> i8 {
        1 - RUNS[self.occupied.around(cell)] as i8
    }
}

/// The pieces of a set, ascending.
#[inline]
pub(crate) fn pieces_of(set: PieceSet) -> impl Iterator<Item = Piece> {
    Bits(set).map(Piece::from_index)
}

impl PartialEq for Board {
    /// Compares the cell and the level of each piece.
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells
            && pieces_of(self.pieces).all(|piece| self.level(piece) == other.level(piece))
    }
}

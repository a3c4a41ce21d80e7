//! A position, the moves that led to it, and its key.

use super::action::Action;
use super::cell::{Cell, N_CELLS};
use super::cell_set::CellSet;
use super::piece::{N_PIECES, Piece};
use crate::random::mix;
use crate::{ActionId, Player};
use std::hash::{Hash, Hasher};

/// "No piece" and "no cell" in the packed tables.
const NONE: u8 = u8::MAX;
const IN_HAND: u16 = u16::MAX;

/// A position, with the whole game that led to it.
///
/// `Eq` compares the cell and height of each piece, the player to move, the stunned piece and the
/// positions that may still be repeated. It tells apart two hives of the same shape on different
/// cells, since their actions have different ids; the hash does not.
#[derive(Debug)]
pub struct State {
    /// The piece on top of each cell.
    tops: [u8; N_CELLS],
    /// The cells that hold a piece.
    occupied: CellSet,
    /// The cell of each piece.
    cells: [u16; N_PIECES],
    /// What lies directly under each piece.
    under: [u8; N_PIECES],
    /// How many pieces lie under each piece.
    level: [u8; N_PIECES],
    to_move: Player,
    /// The piece that the last move put elsewhere on the board.
    stunned: Option<Piece>,
    /// Of all plies, as ids, which fit 16 bits.
    moves: Vec<u16>,
    /// The keys of the positions since the last placement, this one last: earlier ones have
    /// fewer pieces and cannot come back.
    seen: Vec<u64>,
}

impl State {
    /// The empty board.
    #[must_use]
    pub(super) fn empty() -> State {
        let mut state = State {
            tops: [NONE; N_CELLS],
            occupied: CellSet::EMPTY,
            cells: [IN_HAND; N_PIECES],
            under: [NONE; N_PIECES],
            level: [0; N_PIECES],
            to_move: Player::First,
            stunned: None,
            moves: Vec::new(),
            seen: Vec::new(),
        };
        state.seen.push(state.key_from_scratch());
        state
    }

    /// The piece on top of a cell.
    #[inline]
    #[must_use]
    pub fn top(&self, cell: Cell) -> Option<Piece> {
        match self.tops[cell.index()] {
            NONE => None,
            index => Some(Piece::from_index(index as usize)),
        }
    }

    /// Whether a cell holds a piece.
    #[inline]
    #[must_use]
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.occupied.contains(cell)
    }

    /// All cells that hold a piece.
    #[inline]
    pub(super) fn occupied(&self) -> &CellSet {
        &self.occupied
    }

    /// The number of pieces on a cell.
    #[inline]
    #[must_use]
    pub fn height(&self, cell: Cell) -> usize {
        match self.tops[cell.index()] {
            NONE => 0,
            index => self.level[index as usize] as usize + 1,
        }
    }

    /// The pieces on a cell, from the top down.
    pub fn stack(&self, cell: Cell) -> impl Iterator<Item = Piece> {
        std::iter::successors(self.top(cell), |piece| match self.under[piece.index()] {
            NONE => None,
            index => Some(Piece::from_index(index as usize)),
        })
    }

    /// Where a piece stands; `None` while it is in hand (or not in this game).
    #[inline]
    #[must_use]
    pub fn cell_of(&self, piece: Piece) -> Option<Cell> {
        match self.cells[piece.index()] {
            IN_HAND => None,
            index => Some(Cell::from_index(index as usize)),
        }
    }

    /// How many pieces lie under a piece.
    #[inline]
    #[must_use]
    pub fn level(&self, piece: Piece) -> usize {
        self.level[piece.index()] as usize
    }

    /// Whether another piece stands on this one.
    #[inline]
    #[must_use]
    pub fn is_covered(&self, piece: Piece) -> bool {
        self.cell_of(piece)
            .is_some_and(|cell| self.top(cell) != Some(piece))
    }

    /// The piece that the last ply moved or threw; `None` after a placement or a pass.
    #[inline]
    #[must_use]
    pub fn stunned(&self) -> Option<Piece> {
        self.stunned
    }

    /// Who moves next.
    #[inline]
    #[must_use]
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// The number of plies played, passes included.
    #[inline]
    #[must_use]
    pub fn n_plies(&self) -> usize {
        self.moves.len()
    }

    /// The actions played, from the first on.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = ActionId> {
        self.moves.iter().map(|&id| ActionId(u32::from(id)))
    }

    /// How often this position has occurred, this time included: the same stacks of kinds and
    /// colours up to translation, the same player to move and the same stunned piece.
    #[must_use]
    pub fn n_occurrences(&self) -> usize {
        let key = self.key();
        self.seen.iter().filter(|&&seen| seen == key).count()
    }

    /// The key of the position, equal for positions that are the same for the repetition rule.
    #[inline]
    #[must_use]
    pub(super) fn key(&self) -> u64 {
        *self.seen.last().expect("the position itself is there")
    }

    /// Plays an action without asking the rules.
    pub(super) fn apply(&mut self, action: Action) {
        match action {
            Action::Pass => self.stunned = None,
            Action::Put(piece, cell) => {
                self.stunned = match self.cell_of(piece) {
                    Some(_) => {
                        self.lift(piece);
                        Some(piece)
                    }
                    None => {
                        self.seen.clear();
                        None
                    }
                };
                self.drop_on(piece, cell);
            }
        }
        self.to_move = self.to_move.opponent();
        self.moves.push(action.id().0 as u16);
        self.seen.push(self.key_from_scratch());
    }

    /// Takes the top piece of its cell off the board.
    pub(super) fn lift(&mut self, piece: Piece) {
        let index = piece.index();
        self.tops[self.cells[index] as usize] = self.under[index];
        if self.under[index] == NONE {
            self.occupied
                .remove(Cell::from_index(self.cells[index] as usize));
        }
        self.cells[index] = IN_HAND;
    }

    /// Puts a piece that is off the board on top of a cell.
    pub(super) fn drop_on(&mut self, piece: Piece, cell: Cell) {
        let index = piece.index();
        self.level[index] = self.height(cell) as u8;
        self.under[index] = self.tops[cell.index()];
        self.tops[cell.index()] = index as u8;
        self.occupied.insert(cell);
        self.cells[index] = cell.index() as u16;
    }

    /// Zobrist's sum over (kind, colour, level, cell), the cells counted from a corner of the
    /// hive's frame, so that translation makes no difference.
    fn key_from_scratch(&self) -> u64 {
        let (mut rows, mut columns) = (0u32, 0u32);
        for &index in &self.cells {
            if index != IN_HAND {
                let cell = Cell::from_index(index as usize);
                rows |= 1 << cell.r();
                columns |= 1 << cell.q();
            }
        }
        let (first_row, first_column) = (first_of(rows), first_of(columns));
        let describe = |piece: Piece| {
            let cell = self.cell_of(piece)?;
            let row = (cell.r() + 32 - first_row) % 32;
            let column = (cell.q() + 32 - first_column) % 32;
            let kind = piece.kind() as u64 * 2 + piece.owner() as u64;
            Some(kind << 16 | (self.level(piece) as u64) << 12 | (row * 32 + column) as u64)
        };
        let mut key = Piece::all()
            .filter_map(describe)
            .fold(0, |key: u64, fact| key ^ mix(fact));
        if let Some(stunned) = self.stunned.and_then(describe) {
            key ^= mix(1 << 32 | stunned);
        }
        if self.to_move == Player::Second {
            key ^= mix(1 << 33);
        }
        key
    }
}

/// The first set bit after the gap of a circular range of set bits; 0 if there is none.
fn first_of(bits: u32) -> usize {
    // A hive is connected, so its rows (and columns) are consecutive on the circle.
    (bits & !bits.rotate_left(1)).trailing_zeros() as usize % 32
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells
            && self.to_move == other.to_move
            && self.stunned == other.stunned
            && self.seen == other.seen
            && Piece::all().all(|piece| {
                self.cell_of(piece).is_none() || self.level(piece) == other.level(piece)
            })
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key());
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        let State {
            tops,
            occupied,
            cells,
            under,
            level,
            to_move,
            stunned,
            moves,
            seen,
        } = self;
        State {
            tops: *tops,
            occupied: *occupied,
            cells: *cells,
            under: *under,
            level: *level,
            to_move: *to_move,
            stunned: *stunned,
            moves: moves.clone(),
            seen: seen.clone(),
        }
    }

    /// Reuses the storage of both histories.
    fn clone_from(&mut self, source: &Self) {
        let State {
            tops,
            occupied,
            cells,
            under,
            level,
            to_move,
            stunned,
            moves,
            seen,
        } = source;
        self.tops = *tops;
        self.occupied = *occupied;
        self.cells = *cells;
        self.under = *under;
        self.level = *level;
        self.to_move = *to_move;
        self.stunned = *stunned;
        self.moves.clone_from(moves);
        self.seen.clone_from(seen);
    }
}

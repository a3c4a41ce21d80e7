//! A position, and the moves that led to it.

use super::board::action::Action;
use super::board::cell::{Cell, Direction};
use super::board::key::key;
use super::board::piece::Piece;
use super::board::stacks::{Board, pieces_of};
use crate::{ActionId, Player};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A new game has room for the history of so many plies, so that few games allocate later.
const USUAL_PLIES: usize = 256;

/// A position, with the whole game that led to it.
///
/// `Eq` compares the cell and height of each piece, the player to move, the stunned piece (in games
/// with a pillbug) and the positions that may still be repeated. It tells apart two hives of the same shape on different
/// cells, since their actions have different ids; the hash does not.
pub struct State {
    pub(super) board: Board,
    to_move: Player,
    /// The piece that the last move put elsewhere on the board.
    stunned: Option<Piece>,
    /// How often the position has occurred.
    n_occurrences: u16,
    /// Whose queens are surrounded.
    surrounded: [bool; 2],
    /// Of all plies, as ids, which fit 16 bits.
    moves: Vec<u16>,
    /// The keys of the positions since the last placement, this one last: earlier ones have
    /// fewer pieces and cannot come back. Empty right after a placement.
    seen: Vec<u64>,
}

impl State {
    /// The empty board.
    #[must_use]
    pub(super) fn empty() -> State {
        State {
            board: Board::EMPTY,
            to_move: Player::First,
            stunned: None,
            n_occurrences: 1,
            surrounded: [false; 2],
            moves: Vec::with_capacity(USUAL_PLIES),
            seen: Vec::with_capacity(USUAL_PLIES),
        }
    }

    /// Pieces on their cells, from the ground up, as if no piece had moved yet but `stunned`.
    #[cfg(test)]
    pub(super) fn arranged(
        pieces: &[(Piece, Cell)],
        to_move: Player,
        stunned: Option<Piece>,
    ) -> State {
        let mut state = State::empty();
        for &(piece, cell) in pieces {
            state.apply(Action::Put(piece, cell), true);
        }
        state.to_move = to_move;
        state.stunned = stunned;
        state
    }

    /// The piece on top of a cell.
    #[inline]
    #[must_use]
    pub fn top(&self, cell: Cell) -> Option<Piece> {
        self.board.top(cell)
    }

    /// Whether a cell holds a piece.
    #[inline]
    #[must_use]
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.board.occupied.contains(cell)
    }

    /// The number of pieces on a cell.
    #[inline]
    #[must_use]
    pub fn height(&self, cell: Cell) -> usize {
        self.board.height(cell)
    }

    /// The pieces on a cell, from the top down.
    pub fn stack(&self, cell: Cell) -> impl Iterator<Item = Piece> {
        std::iter::successors(self.top(cell), |&piece| self.board.under(piece))
    }

    /// The pieces on the board: bit i for [`Piece::from_index(i)`](Piece::from_index).
    #[inline]
    #[must_use]
    pub fn pieces_on_board(&self) -> u32 {
        self.board.pieces
    }

    /// Which cells around `cell` are occupied: bit d for `Direction::ALL[d]`.
    #[inline]
    #[must_use]
    pub fn occupied_around(&self, cell: Cell) -> u8 {
        self.board.occupied.around(cell) as u8
    }

    /// Where a piece stands; `None` while it is in hand (or not in this game).
    #[inline]
    #[must_use]
    pub fn cell_of(&self, piece: Piece) -> Option<Cell> {
        self.board.cell_of(piece)
    }

    /// How many pieces lie under a piece.
    #[inline]
    #[must_use]
    pub fn level(&self, piece: Piece) -> usize {
        self.board.level(piece)
    }

    /// Whether another piece stands on this one.
    #[inline]
    #[must_use]
    pub fn is_covered(&self, piece: Piece) -> bool {
        self.cell_of(piece)
            .is_some_and(|cell| self.top(cell) != Some(piece))
    }

    /// The piece that the last ply moved or threw; `None` after a placement or a pass, and always in
    /// games without a pillbug, where it changes nothing.
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

    /// Whether the queen of the player to move is on the board, without which nothing moves.
    #[inline]
    pub(super) fn queen_is_down(&self) -> bool {
        self.board.has(Piece::queen(self.to_move))
    }

    /// Whether all six cells around a player's queen are occupied.
    #[inline]
    #[must_use]
    pub fn is_surrounded(&self, player: Player) -> bool {
        self.surrounded[player.index()]
    }

    /// The only cell around a player's queen that is empty; `None` if there are more, or none.
    pub(super) fn last_liberty(&self, player: Player) -> Option<Cell> {
        let queen = self.cell_of(Piece::queen(player))?;
        let occupied = self.occupied_around(queen);
        let last = occupied.trailing_ones() as usize;
        let direction = Direction::ALL.get(last)?;
        (occupied.count_ones() == 5).then(|| queen.neighbour(*direction))
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
    /// colours up to translation, the same player to move and the same [stunned](State::stunned)
    /// piece.
    #[inline]
    #[must_use]
    pub fn n_occurrences(&self) -> usize {
        usize::from(self.n_occurrences)
    }

    /// How many moves, throws and passes have followed the last placement.
    #[inline]
    pub(super) fn plies_since_placement(&self) -> usize {
        // The position right after the placement is the first of them.
        self.seen.len().saturating_sub(1)
    }

    /// The key of the position, equal for positions that are the same for the repetition rule.
    #[inline]
    #[must_use]
    pub(super) fn key(&self) -> u64 {
        match self.seen.last() {
            Some(&key) => key,
            None => key(&self.board, self.to_move, self.stunned),
        }
    }

    /// Plays an action without asking the rules. Only in a game that `stuns`, one with a pillbug,
    /// the piece that moved is part of the position.
    #[inline]
    pub(super) fn apply(&mut self, action: Action, stuns: bool) {
        let before = match action {
            Action::Put(piece, _) if !self.board.has(piece) => None,
            _ => Some(self.key()),
        };
        self.stunned = None;
        if let Action::Put(piece, cell) = action {
            if self.board.has(piece) {
                self.board.lift(piece);
                self.stunned = stuns.then_some(piece);
            }
            self.board.drop_on(piece, cell);
        }
        self.to_move = self.to_move.opponent();
        self.surrounded = Player::BOTH.map(|player| self.board.is_surrounded(player));
        self.moves.push(action.id().0 as u16);
        match before {
            None => {
                self.seen.clear();
                self.n_occurrences = 1;
            }
            Some(before) => self.remember(before),
        }
    }

    /// Counts how often the position has occurred, the one before having the key `before`.
    fn remember(&mut self, before: u64) {
        if self.seen.is_empty() {
            self.seen.push(before);
        }
        let key = key(&self.board, self.to_move, self.stunned);
        self.seen.push(key);
        self.n_occurrences = self.seen.iter().filter(|&&seen| seen == key).count() as u16;
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.to_move == other.to_move
            && self.stunned == other.stunned
            && self.seen == other.seen
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
        State {
            moves: self.moves.clone(),
            seen: self.seen.clone(),
            ..*self
        }
    }

    /// Reuses the storage of both histories.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let State {
            board,
            to_move,
            stunned,
            n_occurrences,
            surrounded,
            moves,
            seen,
        } = source;
        self.board = *board;
        self.to_move = *to_move;
        self.stunned = *stunned;
        self.n_occurrences = *n_occurrences;
        self.surrounded = *surrounded;
        self.moves.clone_from(moves);
        self.seen.clone_from(seen);
    }
}

/// The pieces with their cells and levels, and all else that there is.
impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places: Vec<_> = pieces_of(self.board.pieces)
            .map(|piece| (piece, self.cell_of(piece), self.level(piece)))
            .collect();
        f.debug_struct("State")
            .field("places", &places)
            .field("to_move", &self.to_move)
            .field("stunned", &self.stunned)
            .field("n_occurrences", &self.n_occurrences)
            .field("surrounded", &self.surrounded)
            .field("moves", &self.moves)
            .field("seen", &self.seen)
            .finish()
    }
}

//! The legal moves of a position, piece by piece.

use super::ants::Ants;
use super::board::{PieceSet, pieces_of};
use super::config::{Hive, Opening};
use super::destinations::Destinations;
use super::piece::{N_PIECES_A_SIDE, Piece};
use super::pins::Pins;
use super::placements::placements;
use super::state::State;
use super::throws::{Throw, throws};
use super::walks::walks;
use arrayvec::ArrayVec;

/// The pieces of player 0.
const FIRST_SIDE: PieceSet = (1 << N_PIECES_A_SIDE) - 1;
/// The first of each kind, in both hands.
const FIRST_OF_KIND: PieceSet = {
    let side = 1 | 1 << 1 | 1 << 3 | 1 << 5 | 1 << 8 | 1 << 11 | 1 << 12 | 1 << 13;
    side | side << N_PIECES_A_SIDE
};

/// What of the moves does not depend on the piece.
pub(super) struct Moves<'a> {
    state: &'a State,
    /// The pieces that may come from the hand, if there is a cell for them.
    from_hand: PieceSet,
    /// The pieces on the board that may be able to move.
    on_board: PieceSet,
    /// Where a piece from the hand may go.
    placements: Destinations,
    throws: ArrayVec<Throw, 2>,
    pins: Pins,
    ants: Ants,
}

impl<'a> Moves<'a> {
    /// The moves of a game that is not over.
    #[inline]
    pub(super) fn new(game: &Hive, state: &'a State) -> Moves<'a> {
        let mut moves = Moves {
            state,
            from_hand: from_hand(game, state),
            on_board: 0,
            placements: Destinations::NONE,
            throws: ArrayVec::new(),
            pins: Pins::UNKNOWN,
            ants: Ants::UNKNOWN,
        };
        if moves.from_hand != 0 {
            moves.placements = placements(state);
        }
        if state.queen_is_down() {
            if game.pillbug {
                moves.throws = throws(state, &mut moves.pins);
            }
            let thrown = moves.throws.iter().map(|throw| throw.targets);
            moves.on_board = state.board.pieces & side(state) | thrown.fold(0, |a, b| a | b);
        }
        moves
    }

    /// The cells to which a piece on the board may go.
    #[inline]
    fn of_piece_on_board(&mut self, piece: Piece) -> Destinations {
        let mut to = Destinations::NONE;
        let board = &self.state.board;
        if let Some(from) = board.cell_of(piece)
            && piece.owner() == self.state.to_move()
            && board.top(from) == Some(piece)
            && self.state.stunned() != Some(piece)
            && (board.level(piece) > 0 || !self.pins.splits(board, from))
        {
            to = walks(board, piece, from, &mut self.ants);
        }
        for throw in &self.throws {
            throw.add(piece, &mut to);
        }
        to
    }

    /// The pieces that may have a move, in ascending order.
    #[inline]
    pub(super) fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        pieces_of(self.from_hand | self.on_board)
    }

    /// The cells to which a piece may go.
    #[inline]
    pub(super) fn of(&mut self, piece: Piece) -> Destinations {
        if self.from_hand >> piece.index() & 1 == 1 {
            self.placements
        } else if self.on_board >> piece.index() & 1 == 1 {
            self.of_piece_on_board(piece)
        } else {
            Destinations::NONE
        }
    }

    /// The number of cells to which a piece may go.
    #[inline]
    pub(super) fn count_of(&mut self, piece: Piece) -> usize {
        if self.from_hand >> piece.index() & 1 == 1 {
            self.placements.len()
        } else {
            self.of_piece_on_board(piece).len()
        }
    }

    /// How many there are, a pass not counted.
    #[inline]
    pub(super) fn count(&mut self) -> usize {
        let mut n = self.from_hand.count_ones() as usize * self.placements.len();
        for piece in pieces_of(self.on_board) {
            n += self.of_piece_on_board(piece).len();
        }
        n
    }
}

/// The pieces of the player to move.
#[inline]
fn side(state: &State) -> PieceSet {
    FIRST_SIDE << (state.to_move().index() * N_PIECES_A_SIDE)
}

/// The pieces of a side's turn before its queen is down, of which there are three at most.
const TURNS_WITHOUT_QUEEN: u32 = 3;

/// The pieces in hand that may be placed now, given a cell: of each kind the next in order, and
/// as the rules of the queen have it.
#[inline]
fn from_hand(game: &Hive, state: &State) -> PieceSet {
    let (own, down) = (side(state), state.board.pieces);
    let queen = 1 << Piece::queen(state.to_move()).index();
    let hand = game.pieces() & own & !down;
    let next = hand & (FIRST_OF_KIND | down << 1);
    // Before the queen is down a side can only place, so its pieces count its turns.
    match (down & own).count_ones() {
        0 if game.opening == Opening::Tournament => next & !queen,
        TURNS_WITHOUT_QUEEN if down & queen == 0 => queen,
        _ => next,
    }
}

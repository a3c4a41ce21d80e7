//! The legal moves of a position, piece by piece.

use super::ants::Ants;
use super::destinations::Destinations;
use super::pins::Pins;
use super::placements::add_placements;
use super::throws::{Throw, throws};
use super::walks::{count_walks, write_walks};
use crate::Player;
use crate::hive::board::cell::Cell;
use crate::hive::board::piece::{N_PIECES_A_SIDE, Piece};
use crate::hive::board::stacks::{PieceSet, pieces_of};
use crate::hive::config::{Hive, Opening};
use crate::hive::state::State;
use arrayvec::ArrayVec;

/// The pieces of player 0.
const FIRST_SIDE: PieceSet = (1 << N_PIECES_A_SIDE) - 1;
/// The first of each kind, in both hands.
const FIRST_OF_KIND: PieceSet = {
    let side = 1 | 1 << 1 | 1 << 3 | 1 << 5 | 1 << 8 | 1 << 11 | 1 << 12 | 1 << 13;
    side | side << N_PIECES_A_SIDE
};

/// What the moves of all pieces of a position have in common.
pub(crate) struct Moves<'a> {
    state: &'a State,
    /// The pieces that may come from the hand, if there is a cell for them.
    from_hand: PieceSet,
    /// The side's pieces on the board that are neither covered nor stunned.
    walkers: PieceSet,
    /// The pieces that can be thrown.
    thrown: PieceSet,
    /// Where a piece from the hand may go.
    placements: Destinations,
    throws: ArrayVec<Throw, 2>,
    pins: Pins,
    ants: Ants,
}

impl<'a> Moves<'a> {
    /// The moves of a game that is not over.
    #[inline]
    pub(crate) fn new(game: &Hive, state: &'a State) -> Moves<'a> {
        Moves::of_side(game, state, state.to_move())
    }

    /// The moves that a player would have if they were to move.
    #[inline]
    pub(crate) fn of_side(game: &Hive, state: &'a State, player: Player) -> Moves<'a> {
        let mut moves = Moves {
            state,
            from_hand: from_hand(game, state, player),
            walkers: 0,
            thrown: 0,
            placements: Destinations::NONE,
            throws: ArrayVec::new(),
            pins: Pins::UNKNOWN,
            ants: Ants::UNKNOWN,
        };
        let board = &state.board;
        if moves.from_hand != 0 {
            add_placements(state, player, &mut moves.placements);
        }
        if state.board.has(Piece::queen(player)) {
            let stunned = state.stunned().map_or(0, |piece| 1 << piece.index());
            moves.walkers = board.pieces & side(player) & !board.covered & !stunned;
            if game.pillbug {
                moves.throws = throws(state, player, &mut moves.pins);
                for throw in &moves.throws {
                    moves.thrown |= throw.targets;
                }
            }
        }
        moves
    }

    /// The pieces that may have a move, in ascending order.
    #[inline]
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        pieces_of(self.from_hand | self.walkers | self.thrown)
    }

    /// The cells to which a piece may go.
    #[inline]
    pub(crate) fn of(&mut self, piece: Piece) -> Destinations {
        if self.from_hand >> piece.index() & 1 == 1 {
            return self.placements;
        }
        let mut to = Destinations::NONE;
        if let Some(from) = self.walker_cell(piece) {
            write_walks(&self.state.board, piece, from, &mut self.ants, &mut to);
        }
        for throw in &self.throws {
            throw.add(piece, &mut to);
        }
        to
    }

    /// The number of cells to which a piece may go.
    #[inline]
    pub(crate) fn count_of(&mut self, piece: Piece) -> usize {
        if self.from_hand >> piece.index() & 1 == 1 {
            self.placements.len()
        } else if self.thrown >> piece.index() & 1 == 1 {
            // It may walk to a cell to which it can be thrown.
            self.of(piece).len()
        } else {
            self.walker_cell(piece).map_or(0, |from| {
                count_walks(&self.state.board, piece, from, &mut self.ants)
            })
        }
    }

    /// How many there are, a pass not counted.
    #[inline]
    pub(crate) fn count(&mut self) -> usize {
        let mut n = self.from_hand.count_ones() as usize * self.placements.len();
        for piece in pieces_of(self.walkers | self.thrown) {
            n += self.count_of(piece);
        }
        n
    }

    /// The cell of a piece on the board that may walk; `None` for others.
    #[inline]
    fn walker_cell(&mut self, piece: Piece) -> Option<Cell> {
        let board = &self.state.board;
        let from = board.cell_of(piece)?;
        let may_walk = self.walkers >> piece.index() & 1 == 1
            && (board.level(piece) > 0 || !self.pins.splits(board, from));
        may_walk.then_some(from)
    }
}

/// The pieces of a player.
#[inline]
fn side(player: Player) -> PieceSet {
    FIRST_SIDE << (player.index() * N_PIECES_A_SIDE)
}

/// The pieces of a side's turn before its queen is down, of which there are three at most.
const TURNS_WITHOUT_QUEEN: u32 = 3;

/// The pieces in a player's hand that may be placed now, given a cell: of each kind the next in
/// order, and as the rules of the queen have it.
#[inline]
fn from_hand(game: &Hive, state: &State, player: Player) -> PieceSet {
    let (own, down) = (side(player), state.board.pieces);
    let queen = 1 << Piece::queen(player).index();
    let hand = game.pieces() & own & !down;
    let next = hand & (FIRST_OF_KIND | down << 1);
    // Before the queen is down a side can only place, so its pieces count its turns.
    match (down & own).count_ones() {
        0 if game.opening == Opening::Tournament => next & !queen,
        TURNS_WITHOUT_QUEEN if down & queen == 0 => queen,
        _ => next,
    }
}

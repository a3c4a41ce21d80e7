//! What an evaluation asks about all pieces at once, answered without finding any moves.

use super::pins::Pins;
use super::steps::SLIDES;
use super::walks::touched_kinds;
use crate::hive::board::cell::Cell;
use crate::hive::board::piece::{Kind, Piece};
use crate::hive::board::stacks::pieces_of;
use crate::hive::state::State;

/// The kinds that stay on the ground, where pieces around them may leave no way out.
const CRAWLERS: u8 = 1 << Kind::Queen as u8
    | 1 << Kind::Spider as u8
    | 1 << Kind::Ant as u8
    | 1 << Kind::Pillbug as u8;

impl State {
    /// The pieces of both sides that the hive does not hold fast: bit i for
    /// [`Piece::from_index(i)`](Piece::from_index). Such a piece is not covered, its lifting does
    /// not split the hive, and if it can only crawl there is a way out of its cell. Whose turn it
    /// is, which piece is stunned, throws, and gates between stacks are left aside.
    #[must_use]
    pub fn free_pieces(&self) -> u32 {
        let board = &self.board;
        let mut pins = Pins::UNKNOWN;
        let mut free = 0;
        for piece in pieces_of(board.pieces & !board.covered) {
            let Some(cell) = board.cell_of(piece) else {
                continue;
            };
            if board.level(piece) > 0 || self.can_leave(piece, cell) && !pins.splits(board, cell) {
                free |= 1 << piece.index();
            }
        }
        free
    }

    /// Whether an uncovered piece on the ground has a way out of its cell, the one hive apart.
    #[inline]
    fn can_leave(&self, piece: Piece, cell: Cell) -> bool {
        let powers = match piece.kind() {
            Kind::Mosquito => touched_kinds(&self.board, cell) & !(1 << Kind::Mosquito as u8),
            kind => 1 << kind as u8,
        };
        powers & !CRAWLERS != 0 || powers != 0 && SLIDES[self.board.occupied.around(cell)] != 0
    }
}

#[cfg(test)]
mod tests {
    use crate::Game;
    use crate::hive::{Action, Hive, Kind, Piece, State};
    use crate::random::{positions, stream};

    /// In games without throws a piece on the board that has a move is free; and on a flat hive a
    /// free queen, ant, grasshopper or beetle has a move.
    #[test]
    fn free_pieces_are_those_that_move() {
        let game = Hive::parse_parameters("base+ml").unwrap();
        let (mut n_free, mut n_held) = (0, 0);
        for index in 0..60 {
            let mut legal = Vec::new();
            for state in positions(&game, stream(1, "hive mobility", index)).take(80) {
                game.legal_actions(&state, &mut legal);
                if state.cell_of(Piece::queen(state.to_move())).is_some() {
                    let moves = |piece| {
                        legal.iter().any(|&action| {
                            matches!(Action::from_id(action), Some(Action::Put(put, _)) if put == piece)
                        })
                    };
                    for piece in on_board(&state) {
                        let free = state.free_pieces() >> piece.index() & 1 == 1;
                        assert!(free || !moves(piece), "{piece} {state:?}");
                        let sure = [Kind::Queen, Kind::Ant, Kind::Grasshopper, Kind::Beetle];
                        if sure.contains(&piece.kind()) && state.board.covered == 0 {
                            assert!(!free || moves(piece), "{piece} {state:?}");
                            *(if free { &mut n_free } else { &mut n_held }) += 1;
                        }
                    }
                }
            }
        }
        assert!(n_free > 1000 && n_held > 1000, "{n_free} {n_held}");
    }

    /// The mover's pieces on the board, which `pieces_on_board` names.
    fn on_board(state: &State) -> Vec<Piece> {
        let pieces = Piece::of(state.to_move()).filter(|&piece| state.cell_of(piece).is_some());
        let pieces: Vec<Piece> = pieces.collect();
        for piece in &pieces {
            assert!(state.pieces_on_board() >> piece.index() & 1 == 1);
        }
        pieces
    }
}

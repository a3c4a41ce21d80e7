//! Squares with what they count; a piece in hand is clicked, then a square.

use super::board::square::Square;
use super::config::Xadrersi;
use super::pieces::kind::Kind;
use super::pieces::placements::parts;
use super::state::State;
use crate::view::{Board, Cell, Form, Piece, Reserve, Touch, View, numbered};
use crate::{ActionId, Game, Player};

fn square_id(square: Square) -> String {
    format!("s{}", square.index())
}

fn hand_id(player: Player, kind: Kind) -> String {
    let side = ['w', 'b'][player.index()];
    format!("{side}{}", kind.letter())
}

impl View for Xadrersi {
    fn board(&self, state: &State) -> Board {
        let mut board = Board::new(Form::Squares, [8, 8]);
        let counts = self.counted_squares(state);
        for square in (0..64).filter_map(Square::new) {
            let at = square.index();
            board.cells.push(Cell {
                id: square_id(square),
                x: (at % 8) as i32,
                y: (at / 8) as i32,
                name: square.to_string(),
                owner: None,
                status: (state.anchor() == Some(square)).then_some("to be touched by the king"),
                counts: Some([counts[0][at], counts[1][at]]),
            });
            if let Some((owner, kind)) = state.piece(square) {
                board.pieces.push(Piece {
                    id: None,
                    kind: kind.letter().to_string(),
                    owner,
                    cell: square_id(square),
                    level: 0,
                    stuck: None,
                });
            }
        }
        for owner in Player::BOTH {
            for kind in Kind::ALL {
                let count = usize::from(state.in_hand(owner, kind));
                if count > 0 {
                    board.reserves.push(Reserve {
                        id: hand_id(owner, kind),
                        kind: kind.letter().to_string(),
                        owner,
                        count,
                    });
                }
            }
        }
        board
    }

    fn touch(&self, state: &State, action: ActionId) -> Touch {
        let (kind, square) = parts(action);
        Touch::clicks([hand_id(self.player_to_move(state), kind), square_id(square)])
    }

    fn clicked(&self, state: &State, clicks: &[&str]) -> Option<ActionId> {
        let &[hand, square] = clicks else { return None };
        let mover = self.player_to_move(state);
        let mut kinds = Kind::ALL.into_iter();
        let kind = kinds.find(|&kind| hand_id(mover, kind) == hand)?;
        let square = Square::new(numbered(square, 's')?)?;
        Some(ActionId::from(kind.index() * 64 + square.index()))
    }
}

//! What the pieces on a board count.

use super::attacks::attacks;
use super::kind::Kind;
use crate::Player;
use crate::xadrersi::board::bitboard::{Bitboard, squares};
use crate::xadrersi::state::State;

/// No side can count more: 8 squares for the king, 27 for the queen, 14 for each rook, 13 for each
/// bishop, 8 for each knight, all on boards of their own.
pub const MAX_POINTS: i32 = 8 + 27 + 2 * 14 + 2 * 13 + 2 * 8;

/// How often each empty square counts for each player: `[player][square]`.
pub(crate) fn counted_squares(state: &State) -> [[u8; 64]; 2] {
    let mut counts = [[0; 64]; 2];
    for player in Player::BOTH {
        for attacked in counted(state, player) {
            for square in squares(attacked) {
                counts[player.index()][square.index()] += 1;
            }
        }
    }
    counts
}

/// The points of both players: one for every pair of an own piece and an empty square that it
/// attacks.
pub(crate) fn points(state: &State) -> [i32; 2] {
    Player::BOTH.map(|player| {
        counted(state, player)
            .map(|attacked| attacked.count_ones() as i32)
            .sum()
    })
}

/// For each piece of a player the empty squares that it attacks.
#[inline]
fn counted(state: &State, player: Player) -> impl Iterator<Item = Bitboard> {
    let (occupied, own) = (state.occupied(), state.side(player));
    Kind::ALL.into_iter().flat_map(move |kind| {
        squares(state.kinds[kind.index()] & own)
            .map(move |square| attacks(kind, square, occupied) & !occupied)
    })
}

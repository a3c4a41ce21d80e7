//! A position and its hash.

use super::board::bitboard::{Bitboard, squares};
use super::board::square::Square;
use super::pieces::kind::{Kind, N_KINDS};
use crate::Player;
use crate::random::mix;
use std::hash::{Hash, Hasher};

/// A position: the pieces on the board, and before the last ply the piece that Black's king must
/// touch.
///
/// What is left in hand, the player to move and a pending queen call follow from them.
#[derive(Clone, Debug)]
pub struct State {
    /// The squares of each kind, of both players.
    pub(super) kinds: [Bitboard; N_KINDS],
    /// The squares of Black's pieces.
    pub(super) second: Bitboard,
    /// Where White placed the last piece; only while Black's king is to touch it.
    pub(super) anchor: Option<Square>,
    /// `[player][kind]`: how many are still in hand.
    pub(super) left: [[u8; N_KINDS]; 2],
    pub(super) n_pieces: u8,
    pub(super) key: u64,
}

/// The plies of a whole game: eight pieces a side.
pub(super) const N_PLIES: u8 = 16;

impl State {
    pub(super) const INITIAL: State = State {
        kinds: [0; N_KINDS],
        second: 0,
        anchor: None,
        left: [[1, 1, 2, 2, 2]; 2],
        n_pieces: 0,
        key: 0,
    };

    /// A state of pieces that fit the stock of both sides.
    pub(super) fn from_parts(
        kinds: [Bitboard; N_KINDS],
        second: Bitboard,
        anchor: Option<Square>,
    ) -> State {
        let mut state = State {
            kinds,
            second,
            anchor,
            ..State::INITIAL
        };
        for kind in Kind::ALL {
            for square in squares(kinds[kind.index()]) {
                let player = usize::from(second & square.bit() != 0);
                state.left[player][kind.index()] -= 1;
                state.key ^= piece_key(player, kind, square);
                state.n_pieces += 1;
            }
        }
        if let Some(anchor) = anchor {
            state.key ^= ANCHOR_KEYS[anchor.index()];
        }
        state
    }

    /// The piece on a square and whose it is.
    #[must_use]
    pub fn piece(&self, square: Square) -> Option<(Player, Kind)> {
        let kind = Kind::ALL
            .into_iter()
            .find(|kind| self.kinds[kind.index()] & square.bit() != 0)?;
        let player = Player::BOTH[usize::from(self.second & square.bit() != 0)];
        Some((player, kind))
    }

    /// How many pieces of a kind a player still has in hand.
    #[must_use]
    pub fn in_hand(&self, player: Player, kind: Kind) -> u8 {
        self.left[player.index()][kind.index()]
    }

    /// How many pieces are on the board, which is the number of plies played.
    #[must_use]
    pub fn n_pieces(&self) -> usize {
        usize::from(self.n_pieces)
    }

    /// The piece of White that Black's king must touch; `None` but before the last ply.
    #[must_use]
    pub fn anchor(&self) -> Option<Square> {
        self.anchor
    }

    #[inline]
    pub(super) fn occupied(&self) -> Bitboard {
        let [king, queen, rook, bishop, knight] = self.kinds;
        king | queen | rook | bishop | knight
    }

    /// The squares of a player's pieces.
    #[inline]
    pub(super) fn side(&self, player: Player) -> Bitboard {
        match player {
            Player::First => self.occupied() & !self.second,
            Player::Second => self.second,
        }
    }

    /// The players place in turn.
    #[inline]
    pub(super) fn to_move(&self) -> Player {
        Player::BOTH[usize::from(self.n_pieces & 1)]
    }

    /// Whether the opponent has just placed the queen while the player to move still holds one: it
    /// must be placed at once, so at no other time one queen alone is on the board.
    #[inline]
    pub(super) fn queen_called(&self) -> bool {
        const QUEEN: usize = Kind::Queen.index();
        let mover = self.to_move();
        self.left[mover.index()][QUEEN] > self.left[mover.opponent().index()][QUEEN]
    }

    /// Puts a piece of the player to move on an empty square.
    #[inline]
    pub(super) fn place(&mut self, kind: Kind, square: Square) {
        let player = usize::from(self.n_pieces & 1);
        self.kinds[kind.index()] |= square.bit();
        self.second |= (player as u64) << square.index();
        self.left[player][kind.index()] -= 1;
        self.key ^= piece_key(player, kind, square);
        self.n_pieces += 1;
        match self.n_pieces {
            15 => {
                self.anchor = Some(square);
                self.key ^= ANCHOR_KEYS[square.index()];
            }
            N_PLIES => {
                if let Some(anchor) = self.anchor.take() {
                    self.key ^= ANCHOR_KEYS[anchor.index()];
                }
            }
            _ => {}
        }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.kinds == other.kinds && self.second == other.second && self.anchor == other.anchor
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key);
    }
}

// Zobrist keys (Zobrist, 1970): one constant a piece on a square, and one a square for the piece
// that Black's king must touch; a position's is their xor.

#[inline]
fn piece_key(player: usize, kind: Kind, square: Square) -> u64 {
    PIECE_KEYS[player][kind.index()][square.index()]
}

/// `[player][kind][square]`.
static PIECE_KEYS: [[[u64; 64]; N_KINDS]; 2] = {
    let mut keys = [[[0; 64]; N_KINDS]; 2];
    let mut index = 0;
    while index < 2 * N_KINDS * 64 {
        keys[index / (N_KINDS * 64)][index / 64 % N_KINDS][index % 64] = mix(index as u64);
        index += 1;
    }
    keys
};

/// `[square]`.
static ANCHOR_KEYS: [u64; 64] = {
    let mut keys = [0; 64];
    let mut square = 0;
    while square < 64 {
        keys[square] = mix(1 << 32 | square as u64);
        square += 1;
    }
    keys
};

//! A position and its hash.

use super::board::{MAX_BOXES, MAX_EDGES};
use crate::IdSet;
use crate::Player;
use crate::random::mix;
use std::hash::{Hash, Hasher};

/// A position: drawn edges, the owners of the boxes and the player to move.
///
/// `Eq` and `Hash` compare edges, points and mover; *which* boxes a player owns makes no
/// difference to the game and is ignored.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) edges: IdSet,
    /// Bit b: player 1 took box b.
    pub(super) taken_by_second: [u64; 2],
    pub(super) key: u64,
    pub(super) n_drawn: u8,
    pub(super) points: [u8; 2],
    pub(super) to_move: Player,
}

impl State {
    pub(super) const INITIAL: State = State {
        edges: IdSet([0; 4]),
        taken_by_second: [0; 2],
        key: points_key(Player::First, 0) ^ points_key(Player::Second, 0),
        n_drawn: 0,
        points: [0; 2],
        to_move: Player::First,
    };

    /// The drawn edges.
    #[must_use]
    pub fn edges(&self) -> IdSet {
        self.edges
    }

    /// Bit b: player 1 took box b.
    pub(super) fn taken_by_second(&self) -> u128 {
        let [low, high] = self.taken_by_second.map(u128::from);
        low | (high << 64)
    }

    /// What the incremental `key` must equal.
    pub(super) fn hash_from_scratch(&self) -> u64 {
        let edges = self.edges.iter();
        let key = edges.fold(0, |key, edge| key ^ EDGE_KEYS[edge]);
        key ^ PASS_KEYS[self.to_move.index()]
            ^ POINTS_KEYS[0][usize::from(self.points[0])]
            ^ POINTS_KEYS[1][usize::from(self.points[1])]
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.edges == other.edges && self.points == other.points && self.to_move == other.to_move
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key);
    }
}

// Zobrist keys (Zobrist, 1970): one constant a fact, combined by xor. Edges use the indices from
// 0, the mover one, and the points of each player one for each count.

/// The key of player 0 and of player 1 to move; so, too, the change of a state's key by a turn
/// that does not pass and by one that does.
pub(super) static PASS_KEYS: [u64; 2] = [0, mix(1 << 32)];

#[inline]
const fn points_key(player: Player, points: u8) -> u64 {
    mix((2 + player as u64) << 32 | points as u64)
}

/// The key of each drawn edge: `[edge]`.
pub(super) static EDGE_KEYS: [u64; MAX_EDGES] = {
    let mut keys = [0; MAX_EDGES];
    let mut edge = 0;
    while edge < MAX_EDGES {
        keys[edge] = mix(edge as u64);
        edge += 1;
    }
    keys
};

/// The key of each count of points: `[player][points]`.
pub(super) static POINTS_KEYS: [[u64; MAX_BOXES + 1]; 2] = {
    let mut keys = [[0; MAX_BOXES + 1]; 2];
    let mut points = 0;
    while points <= MAX_BOXES {
        keys[0][points] = points_key(Player::First, points as u8);
        keys[1][points] = points_key(Player::Second, points as u8);
        points += 1;
    }
    keys
};

//! A position and its hash.

use crate::IdSet;
use crate::Player;
use crate::random::mix;
use std::hash::{Hash, Hasher};

/// A position: the cells with queens.
///
/// The free cells, the number of queens and so the player to move follow from them. `Eq` and
/// `Hash` compare the cells with queens alone; *who* placed a queen makes no difference to the
/// game and is kept for the text and the drawing.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) queens: IdSet,
    /// The queens that player 1 placed.
    pub(super) placed_by_second: IdSet,
    pub(super) free: IdSet,
    pub(super) key: u64,
    pub(super) n_queens: u8,
}

impl State {
    /// The empty board, all of whose cells are free.
    pub(super) fn empty(all_cells: IdSet) -> Self {
        State {
            queens: IdSet::EMPTY,
            placed_by_second: IdSet::EMPTY,
            free: all_cells,
            key: 0,
            n_queens: 0,
        }
    }

    /// The cells with queens.
    #[inline]
    #[must_use]
    pub fn queens(&self) -> IdSet {
        self.queens
    }

    /// The cells that no queen occupies or attacks.
    #[inline]
    #[must_use]
    pub fn free(&self) -> IdSet {
        self.free
    }

    /// How many queens are on the board, which is the number of plies played.
    #[inline]
    #[must_use]
    pub fn n_queens(&self) -> usize {
        usize::from(self.n_queens)
    }

    /// Who placed the queen on this cell; `None` where there is none.
    #[must_use]
    pub fn owner(&self, cell: usize) -> Option<Player> {
        self.queens
            .contains(cell)
            .then(|| Player::BOTH[usize::from(self.placed_by_second.contains(cell))])
    }

    /// White and Black place in turn.
    #[inline]
    pub(super) fn to_move(&self) -> Player {
        Player::BOTH[usize::from(self.n_queens & 1)]
    }

    /// Puts a queen of the player to move on a free cell; `reach` are the cells that it occupies
    /// and attacks.
    #[inline]
    pub(super) fn place(&mut self, cell: usize, reach: IdSet) {
        self.queens.insert(cell);
        let second = u64::from(self.n_queens & 1);
        self.placed_by_second.0[cell >> 6] |= second << (cell & 63);
        self.free = self.free.without(reach);
        self.key ^= QUEEN_KEYS[cell];
        self.n_queens += 1;
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.queens == other.queens
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key);
    }
}

/// Zobrist keys (Zobrist, 1970) of a queen on each cell; a position's is their xor.
static QUEEN_KEYS: [u64; 256] = {
    let mut keys = [0; 256];
    let mut cell = 0;
    while cell < 256 {
        keys[cell] = mix(cell as u64);
        cell += 1;
    }
    keys
};

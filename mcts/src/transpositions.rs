//! Positions by which nodes are found again.

use rustc_hash::FxHashMap;
use std::fmt;
use tablero_env::Game;

/// The nodes of the tree by their positions. Equal positions share a node; positions are compared
/// in full, so that equal hashes of different ones do no harm.
#[derive(Clone)]
pub(crate) struct Transpositions<G: Game> {
    nodes: FxHashMap<G::State, u32>,
}

impl<G: Game> Transpositions<G> {
    pub fn new() -> Self {
        Transpositions {
            nodes: FxHashMap::default(),
        }
    }

    pub fn node_of(&self, state: &G::State) -> Option<usize> {
        self.nodes.get(state).map(|&node| node as usize)
    }

    pub fn insert(&mut self, state: &G::State, node: usize) {
        self.nodes.insert(state.clone(), node as u32);
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Renumbers the nodes, and forgets those without a new number.
    pub fn renumber(&mut self, new_number: impl Fn(u32) -> Option<u32>) {
        self.nodes.retain(|_, node| match new_number(*node) {
            Some(number) => {
                *node = number;
                true
            }
            None => false,
        });
    }

    /// Bytes held by the table, without what its positions hold elsewhere.
    pub fn n_bytes(&self) -> usize {
        // One byte of control for each place, of which one in eight stays free.
        let place = size_of::<(G::State, u32)>() + 1;
        self.nodes.capacity() * 8 / 7 * place
    }
}

// Not derived, so that a report does not depend on the order of a table.
impl<G: Game> fmt::Debug for Transpositions<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions", self.nodes.len())
    }
}

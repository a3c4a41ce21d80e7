//! Positions by which nodes are found again.

use rustc_hash::FxHashMap;
use std::fmt;
use tablero_env::Game;

/// The nodes of the tree by their positions. Equal positions share a node; positions are compared
/// in full, so that of different ones with equal hashes only the last is found.
#[derive(Clone)]
pub(crate) struct Transpositions<G: Game> {
    /// By node.
    states: Vec<G::State>,
    /// By hash.
    nodes: FxHashMap<u64, u32>,
}

impl<G: Game> Transpositions<G> {
    pub fn new() -> Self {
        Transpositions {
            states: Vec::new(),
            nodes: FxHashMap::default(),
        }
    }

    /// The node of a position with this hash.
    pub fn node_of(&self, hash: u64, state: &G::State) -> Option<usize> {
        let node = *self.nodes.get(&hash)? as usize;
        (self.states[node] == *state).then_some(node)
    }

    /// Adds the position of the next node.
    pub fn push(&mut self, hash: u64, state: &G::State) {
        self.nodes.insert(hash, self.states.len() as u32);
        self.states.push(state.clone());
    }

    pub fn clear(&mut self) {
        self.states.clear();
        self.nodes.clear();
    }

    /// Renumbers the nodes, and forgets those without a new number; numbers keep the order.
    pub fn renumber(&mut self, new_number: impl Fn(u32) -> Option<u32>) {
        let mut old = 0..;
        self.states
            .retain(|_| old.next().and_then(&new_number).is_some());
        self.nodes.retain(|_, node| match new_number(*node) {
            Some(number) => {
                *node = number;
                true
            }
            None => false,
        });
    }

    /// Bytes held by the tables, without what their positions hold elsewhere.
    pub fn n_bytes(&self) -> usize {
        // One byte of control for each place, of which one in eight stays free.
        let place = size_of::<(u64, u32)>() + 1;
        self.states.capacity() * size_of::<G::State>() + self.nodes.capacity() * 8 / 7 * place
    }
}

// Not derived, so that a report does not depend on the order of a table.
impl<G: Game> fmt::Debug for Transpositions<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions", self.nodes.len())
    }
}

//! The way of one simulation from the root to a leaf, and how those that wait for an evaluation
//! keep others off their leaves.

use crate::bounds::Bounds;
use crate::puct::Moves;
use crate::tree::{Leaf, Tree};
use crate::value::FirstValue;
use tablero_env::{ActionId, Game, Player};

/// A simulation under way.
#[derive(Clone, Debug)]
pub(crate) struct Walk<G: Game> {
    /// The edges from the root to the leaf.
    pub path: Vec<u32>,
    pub leaf: G::State,
    /// The legal actions of the leaf, ascending.
    pub legal: Vec<ActionId>,
    /// Of the request, if there is one.
    pub nonce: u64,
    /// The result, where no evaluation is needed.
    pub known: Option<Leaf>,
    /// What the rules say about the leaf.
    pub bounds: Bounds,
}

impl<G: Game> Walk<G> {
    pub fn new(leaf: G::State) -> Self {
        Walk {
            path: Vec::new(),
            leaf,
            legal: Vec::new(),
            nonce: 0,
            known: None,
            bounds: Bounds::OPEN,
        }
    }

    /// The edge after number `depth` of the path, if that one is `edge`.
    fn after(&self, depth: usize, edge: usize) -> Option<usize> {
        let passes = self.path.get(depth) == Some(&(edge as u32));
        let next = self.path.get(depth + 1).filter(|_| passes)?;
        Some(*next as usize)
    }
}

/// A node's statistics with virtual losses (Chaslot, Winands and van den Herik, 2008): each
/// simulation that waits counts as a visit, lost for the player who chose it, of every move on its
/// way. They are laid over the numbers of the tree, which itself never holds them.
#[derive(Clone, Debug, Default)]
pub(crate) struct VirtualLosses {
    n_visits: Vec<u32>,
    values: Vec<FirstValue>,
}

impl VirtualLosses {
    /// The moves of `node`, to which edge number `depth` of a path, `edge`, leads, under the
    /// `waiting` simulations; and how many of these pass through the node.
    pub fn lay<'a, G: Game>(
        &'a mut self,
        tree: &'a Tree,
        node: usize,
        edge: usize,
        depth: usize,
        waiting: &[Walk<G>],
    ) -> (Moves<'a>, u32) {
        let moves = tree.choices(node);
        self.n_visits.clear();
        self.n_visits.extend_from_slice(moves.n_visits);
        self.values.clear();
        self.values.extend_from_slice(moves.values);
        let first = tree.edges(node).start;
        let mut n_tried = moves.n_tried;
        let mut n_passing = 0;
        for next in waiting.iter().filter_map(|walk| walk.after(depth, edge)) {
            n_passing += 1;
            let rank = next - first;
            let is_open = !moves.bounds[rank].is_exact();
            lose(
                &mut self.n_visits[rank],
                &mut self.values[rank],
                tree.mover(node),
                is_open,
            );
            // Untried moves are tried in their order, and so come to wait in it.
            n_tried = n_tried.max(rank + 1);
        }
        let moves = Moves {
            n_visits: &self.n_visits,
            values: &self.values,
            n_tried,
            ..moves
        };
        (moves, n_passing)
    }
}

/// Adds a loss for `mover` to a mean; a proven value stays.
fn lose(n_visits: &mut u32, value: &mut FirstValue, mover: Player, is_open: bool) {
    *n_visits += 1;
    if is_open {
        value.0 += (-f32::from(mover.sign()) - value.0) / *n_visits as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_virtual_loss_is_a_visit_lost_for_the_player_who_chose_it() {
        let lost = |mover, is_open| {
            let (mut n_visits, mut value) = (3, FirstValue(0.5));
            lose(&mut n_visits, &mut value, mover, is_open);
            (n_visits, value.0)
        };
        // (3 * 0.5 - 1) / 4 and (3 * 0.5 + 1) / 4, as player 0 sees them.
        assert_eq!(lost(Player::First, true), (4, 0.125));
        assert_eq!(lost(Player::Second, true), (4, 0.625));
        assert_eq!(lost(Player::Second, false), (4, 0.5));
    }
}

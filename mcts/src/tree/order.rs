//! The order of the untried moves.

use super::{NO_NODE, Tree};
use crate::bounds::Bounds;
use tablero_env::ActionId;

/// A move being sorted, with what moves along.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sorted {
    key: f32,
    prior: f32,
    action: ActionId,
    bounds: Bounds,
}

impl Tree {
    /// Orders the untried moves of a node by falling priors.
    pub fn sort_untried(&mut self, node: usize) {
        let untried = self.untried_moves(node);
        let priors = &self.prior[untried.clone()];
        // Without an early exit, so that it runs in vectors.
        let is_sorted = priors
            .windows(2)
            .fold(true, |all, pair| all & (pair[0] >= pair[1]));
        if !is_sorted {
            self.sorting.clear();
            for mv in untried {
                let sorted = self.to_sort(node, mv, self.prior[mv]);
                self.sorting.push(sorted);
            }
            self.write_sorted(node);
        }
    }

    /// Orders the untried moves of a node by falling `keys` instead of their priors, and the
    /// keys alike.
    pub fn sort_untried_by(&mut self, node: usize, keys: &mut [f32]) {
        self.sorting.clear();
        for (mv, &key) in self.untried_moves(node).zip(keys.iter()) {
            let sorted = self.to_sort(node, mv, key);
            self.sorting.push(sorted);
        }
        self.write_sorted(node);
        for (key, sorted) in keys.iter_mut().zip(&self.sorting) {
            *key = sorted.key;
        }
    }

    #[inline]
    fn to_sort(&self, node: usize, mv: usize, key: f32) -> Sorted {
        let rank = mv - self.first_move[node] as usize;
        Sorted {
            key,
            prior: self.prior[mv],
            action: self.action[mv],
            bounds: match self.edges(node).nth(rank) {
                Some(edge) => self.bounds[edge],
                None => Bounds::OPEN,
            },
        }
    }

    fn write_sorted(&mut self, node: usize) {
        self.sorting
            .sort_unstable_by(|a, b| b.key.total_cmp(&a.key).then(a.action.cmp(&b.action)));
        for (mv, sorted) in self.untried_moves(node).zip(&self.sorting) {
            self.prior[mv] = sorted.prior;
            self.action[mv] = sorted.action;
        }
        // Of an untried move there may be a proof from elsewhere, and, where a simulation was
        // dropped on its way, a link, which the next one finds again.
        let edges = self.edges(node).skip(self.n_tried(node));
        for (edge, sorted) in edges.zip(&self.sorting) {
            self.bounds[edge] = sorted.bounds;
            self.child[edge] = NO_NODE;
        }
    }
}

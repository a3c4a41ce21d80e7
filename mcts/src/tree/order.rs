//! The order of the untried moves.

use super::{Edge, Tree};
use crate::bounds::Bounds;
use tablero_env::ActionId;

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
            let moves = untried.map(|mv| (self.prior[mv], mv));
            self.sorting
                .extend(moves.map(|(prior, mv)| (prior, prior, self.action[mv])));
            self.write_sorted(node);
        }
    }

    /// Orders the untried moves of a node by falling `keys` instead of their priors, and the
    /// keys alike.
    pub fn sort_untried_by(&mut self, node: usize, keys: &mut [f32]) {
        let moves = self.untried_moves(node).zip(keys.iter());
        self.sorting.clear();
        self.sorting
            .extend(moves.map(|(mv, &key)| (key, self.prior[mv], self.action[mv])));
        self.write_sorted(node);
        for (key, sorted) in keys.iter_mut().zip(&self.sorting) {
            *key = sorted.0;
        }
    }

    /// What edges know of untried moves moves along.
    fn write_sorted(&mut self, node: usize) {
        // Few nodes have edges when their moves come into an order: only the root has.
        let known = match self.edges(node) {
            edges if edges.is_empty() => Vec::new(),
            _ => self.known_untried(node),
        };
        self.sort_moves(node);
        for (action, bounds) in known {
            let mut moves = self.moves(node).zip(self.edges(node));
            if let Some((_, edge)) = moves.find(|&(mv, _)| self.action[mv] == action) {
                self.edges[edge].bounds = bounds;
            }
        }
    }

    /// Takes what the edges of untried moves know: the [proofs from elsewhere](Tree::prove). A
    /// simulation that was dropped half-way may have left a link, which the next one finds again.
    #[cold]
    fn known_untried(&mut self, node: usize) -> Vec<(ActionId, Bounds)> {
        let mut known = Vec::new();
        let moves = self.moves(node).zip(self.edges(node));
        for (mv, edge) in moves.skip(self.n_tried(node)) {
            let edge = std::mem::replace(&mut self.edges[edge], Edge::UNTRIED);
            if edge.bounds != Bounds::OPEN {
                known.push((self.action[mv], edge.bounds));
            }
        }
        known
    }

    fn sort_moves(&mut self, node: usize) {
        self.sorting
            .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        for (mv, &(_, prior, action)) in self.untried_moves(node).zip(&self.sorting) {
            self.prior[mv] = prior;
            self.action[mv] = action;
        }
    }
}

//! The order of the untried moves.

use super::Tree;

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

    fn write_sorted(&mut self, node: usize) {
        self.sorting
            .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        for (mv, &(_, prior, action)) in self.untried_moves(node).zip(&self.sorting) {
            self.prior[mv] = prior;
            self.action[mv] = action;
        }
    }
}

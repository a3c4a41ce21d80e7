//! What the root has and other nodes have not: noise, scores of sequential halving, a budget.

use crate::Budget;
use crate::tree::Tree;

/// The part of a search that begins anew with each move. Vectors have one element a move of the
/// root, in the tree's order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Root {
    pub budget: Budget,
    /// The simulations completed for this move.
    pub n_simulations: u32,
    /// Whether the first of them evaluates the root.
    pub is_fresh: bool,
    /// With noise, where PUCT has some.
    pub priors: Vec<f32>,
    /// g + logit, where the root is searched by Gumbel.
    pub scores: Vec<f32>,
    /// The visits from before this move.
    pub n_inherited: Vec<u32>,
}

impl Root {
    /// Begins a move in a new tree, or in one that is kept. The caller draws the noise.
    pub fn begin(&mut self, tree: &Tree, is_fresh: bool) {
        self.n_simulations = 0;
        self.is_fresh = is_fresh;
        self.read_priors(tree);
        self.scores.clear();
        self.scores.resize(self.priors.len(), 0.0);
        self.n_inherited.clear();
        self.n_inherited
            .extend(tree.edges(tree.root()).map(|edge| tree.edge_visits(edge)));
    }

    /// Takes the priors of the root's moves, in the tree's order.
    pub fn read_priors(&mut self, tree: &Tree) {
        self.priors.clear();
        let priors = tree.moves(tree.root()).map(|mv| tree.prior(mv));
        self.priors.extend(priors);
    }
}

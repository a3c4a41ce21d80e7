//! What the root has and other nodes have not: noise, scores of sequential halving, a budget.

use crate::forced::owed;
use crate::gumbel::{self, Completed};
use crate::priors::add_noise;
use crate::puct::{Moves, exploration, select};
use crate::tree::Tree;
use crate::{Budget, GumbelParams, RootSelection, SearchParams};
use tablero_env::random::Stream;

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
        self.budget.full = true;
        self.n_simulations = 0;
        self.is_fresh = is_fresh;
        self.read_priors(tree);
        self.scores.clear();
        self.scores.resize(self.priors.len(), 0.0);
        self.n_inherited.clear();
        self.n_inherited
            .extend(tree.edges(tree.root()).map(|edge| tree.edge_visits(edge)));
    }

    fn read_priors(&mut self, tree: &Tree) {
        self.priors.clear();
        let priors = tree.moves(tree.root()).map(|a_move| tree.prior(a_move));
        self.priors.extend(priors);
    }

    /// Gives the root its priors or scores with noise, if the search is in full, and brings its
    /// untried moves into their order.
    pub fn draw(&mut self, tree: &mut Tree, params: &SearchParams, stream: &mut Stream) {
        let root = tree.root();
        tree.sort_untried(root);
        self.read_priors(tree);
        let n_tried = tree.n_tried(root);
        let full = self.budget.full;
        match params.root {
            RootSelection::Puct => {
                if let Some(noise) = params.noise.filter(|_| full) {
                    add_noise(&mut self.priors, noise, stream);
                    tree.sort_untried_by(root, &mut self.priors[n_tried..]);
                }
            }
            RootSelection::Gumbel(GumbelParams { scale, .. }) => {
                self.scores.clear();
                self.scores.extend(self.priors.iter().map(|&prior| {
                    let draw = if full && scale > 0.0 {
                        scale * gumbel::draw(stream)
                    } else {
                        0.0
                    };
                    gumbel::logit(prior) + draw
                }));
                tree.sort_untried_by(root, &mut self.scores[n_tried..]);
                self.read_priors(tree);
            }
        }
    }

    /// The visits of a move in the search of this move.
    pub fn n_new(&self, tree: &Tree, rank: usize) -> u32 {
        tree.edge_visits(tree.edges(tree.root()).start + rank) - self.n_inherited[rank]
    }

    /// The values of the moves as Gumbel completes them.
    pub fn completed(&self, tree: &Tree, params: &GumbelParams) -> Completed {
        let (root, mover) = (tree.root(), tree.mover(tree.root()));
        let raw_value = tree.raw_value(root).seen_by(mover);
        Completed::new(tree.choices(root), mover, raw_value, params)
    }

    /// The rank of the move to follow from the root by PUCT. `moves` and `n_visits`, of the root,
    /// are those with virtual losses.
    pub fn select_puct(
        &self,
        tree: &Tree,
        params: &SearchParams,
        moves: Moves<'_>,
        n_visits: u32,
    ) -> usize {
        let mover = tree.mover(tree.root());
        let moves = Moves {
            priors: &self.priors,
            ..moves
        };
        if params.forced_playouts > 0.0
            && self.budget.full
            && let Some(rank) = owed(moves, params.forced_playouts, n_visits - 1)
        {
            return rank;
        }
        let value = tree.wdl(tree.root()).value.seen_by(mover);
        let exploration = exploration(params, n_visits);
        select(moves, mover, exploration, value, params.root_fpu_reduction)
    }

    /// The rank of the move to follow from the root by Gumbel. `moves`, of the root, are those
    /// with virtual losses, of which there are `n_waiting`: they count as visits, but do not
    /// change the value by which moves are halved.
    pub fn select_gumbel(
        &self,
        tree: &Tree,
        params: &GumbelParams,
        moves: Moves<'_>,
        n_waiting: u32,
    ) -> usize {
        let m = params.max_considered.min(self.scores.len());
        let evaluation = u32::from(self.is_fresh);
        let planned = self.budget.n_simulations.saturating_sub(evaluation);
        let done = (self.n_simulations + n_waiting).saturating_sub(evaluation);
        let visits = gumbel::considered_visits(m, planned, done);
        let completed = self.completed(tree, params);
        let n_new = |rank: usize| moves.n_visits[rank] - self.n_inherited[rank];
        let halved = Moves {
            n_tried: moves.n_tried,
            ..tree.choices(tree.root())
        };
        gumbel::select_root(
            halved,
            tree.mover(tree.root()),
            &self.scores,
            n_new,
            visits,
            &completed,
        )
    }
}

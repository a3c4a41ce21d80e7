//! Moving the root, and planting a new tree.

use crate::estimate::Estimate;
use crate::tree::{Leaf, ROOT_EDGE};
use crate::{Budget, Search};
use tablero_env::{ActionId, ForFirst, Game};

impl<G: Game> Search<G> {
    /// Starts the tree anew with the root alone, its priors equal until it is evaluated.
    pub(crate) fn plant(&mut self) {
        self.tree.clear();
        self.transpositions.clear();
        self.walk.is_waiting = false;
        let legal = &mut self.walk.legal;
        self.game.legal_actions(&self.state, legal);
        self.priors.clear();
        self.priors.resize(legal.len(), 1.0 / legal.len() as f32);
        let mover = self.game.player_to_move(&self.state);
        self.tree
            .expand(ROOT_EDGE, mover, legal, &self.priors, ForFirst(0.0));
        if self.tree.shares_nodes {
            let hash = self.game.hash(&self.state);
            self.transpositions.push(hash, &self.state);
        }
        self.tree.open(self.tree.root());
        self.root.budget = Budget::default();
        self.root.begin(&self.tree, true);
        if let Some(outcome) = self.game.outcome(&self.state) {
            let leaf = Leaf {
                estimate: Estimate::from_outcome(&outcome),
                is_visit: true,
            };
            self.tree.backward(&[ROOT_EDGE as u32], leaf);
        }
    }

    /// Plays `action` and makes the position after it the root. What the search knows about that
    /// position is kept, the rest is dropped at once or with a later move, and what waits for an
    /// evaluation is dropped.
    /// The next move does not [explore](Budget::explores) unless [`begin_move`](Search::begin_move)
    /// says so.
    ///
    /// # Errors
    /// The broken rule; the search is then unchanged.
    pub fn advance(&mut self, action: ActionId) -> Result<(), G::Illegal> {
        self.game.play(&mut self.state, action)?;
        let tree = &mut self.tree;
        let mut moves = tree.moves(tree.root()).zip(tree.edges(tree.root()));
        let edge = moves.find_map(|(mv, edge)| (tree.action(mv) == action).then_some(edge));
        match edge.filter(|&edge| tree.child(edge).is_some()) {
            Some(edge) => {
                tree.re_root(edge);
                self.drop_unreachable();
                self.walk.is_waiting = false;
                self.root.budget = Budget::default();
                self.root.begin(&self.tree, false);
                self.draw();
            }
            None => self.plant(),
        }
        Ok(())
    }

    /// Gives the place of positions that cannot come any more to new ones, once they may be more than
    /// half of all: what remains moves, so that to do it with each move would take long.
    fn drop_unreachable(&mut self) {
        let tree = &mut self.tree;
        // A visit expands at most one position.
        let n_kept = tree.n_visits(tree.root()) as usize;
        if tree.n_nodes() > (2 * n_kept).min(self.params.max_nodes / 2) {
            tree.compact();
            self.transpositions.renumber(|node| tree.new_number(node));
        }
    }
}

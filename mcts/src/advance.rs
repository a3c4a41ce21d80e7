//! Moving the root, and planting a new tree.

use crate::Search;
use crate::bounds::Bounds;
use crate::tree::{Leaf, ROOT_EDGE};
use crate::value::FirstWdl;
use tablero_env::{ActionId, Game};

impl<G: Game> Search<G> {
    /// Starts the tree anew with the root alone, its priors equal until it is evaluated.
    pub(crate) fn plant(&mut self) {
        self.tree.clear();
        self.transpositions.clear();
        let legal = &mut self.walks[0].legal;
        self.game.legal_actions(&self.state, legal);
        self.priors.clear();
        self.priors.resize(legal.len(), 1.0 / legal.len() as f32);
        let mover = self.game.player_to_move(&self.state);
        let unknown = FirstWdl::UNKNOWN.value;
        self.tree
            .expand(ROOT_EDGE, mover, legal, &self.priors, unknown);
        self.tree.open(self.tree.root());
        self.root.begin(&self.tree, true);
        if let Some(outcome) = self.game.outcome(&self.state) {
            let leaf = Leaf {
                result: FirstWdl::from_outcome(&outcome),
                bounds: Bounds::from_outcome(&outcome),
                is_visit: true,
            };
            self.tree.back_up(&[ROOT_EDGE as u32], leaf);
        }
    }

    /// Begins anew from `state`, in the storage of the old tree. The stream goes on.
    pub fn restart(&mut self, state: G::State) {
        self.state = state;
        self.n_waiting = 0;
        self.plant();
    }

    /// Plays `action` and makes the position after it the root. What the search knows about that
    /// position is kept, the rest of the tree is dropped; what waits for an evaluation is, too.
    /// The root's priors get new noise.
    ///
    /// # Errors
    /// The broken rule; the search is then unchanged.
    pub fn advance(&mut self, action: ActionId) -> Result<(), G::Illegal> {
        self.game.play(&mut self.state, action)?;
        self.n_waiting = 0;
        let tree = &mut self.tree;
        let mut moves = tree.moves(tree.root()).zip(tree.edges(tree.root()));
        let edge = moves.find_map(|(a_move, edge)| (tree.action(a_move) == action).then_some(edge));
        match edge.filter(|&edge| tree.child(edge).is_some()) {
            Some(edge) => {
                tree.re_root(edge);
                self.transpositions
                    .renumber(|node| self.tree.new_number(node));
                self.root.begin(&self.tree, false);
                self.root
                    .draw(&mut self.tree, &self.params, &mut self.stream);
            }
            None => self.plant(),
        }
        Ok(())
    }
}

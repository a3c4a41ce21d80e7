//! Folding evaluations in.

use crate::bounds::Bounds;
use crate::priors::normalise;
use crate::tree::{Leaf, ROOT_EDGE};
use crate::value::FirstWdl;
use crate::{Evaluation, Request, Search};
use tablero_env::Game;

impl<G: Game> Search<G> {
    /// Completes the simulations in front whose results are known.
    pub(crate) fn complete_known(&mut self) {
        while let Some(walk) = self.walks[..self.n_waiting].first()
            && let Some(leaf) = walk.known
        {
            self.complete(leaf);
        }
    }

    /// Completes the simulation in front.
    fn complete(&mut self, leaf: Leaf) {
        self.tree.back_up(&self.walks[0].path, leaf);
        self.root.n_simulations += 1;
        self.walks[..self.n_waiting].rotate_left(1);
        self.n_waiting -= 1;
    }

    /// The simulations that began and are not complete.
    #[must_use]
    pub fn n_waiting(&self) -> usize {
        self.n_waiting
    }

    /// The position whose evaluation is to be applied next.
    ///
    /// # Panics
    /// If none is awaited.
    #[must_use]
    pub fn request(&self) -> Request<'_, G> {
        self.requests().next().expect("an evaluation is awaited")
    }

    /// The positions whose evaluations are awaited, in the order in which they are to be applied.
    pub fn requests(&self) -> impl Iterator<Item = Request<'_, G>> {
        let waiting = self.walks[..self.n_waiting].iter();
        let unknown = waiting.filter(|walk| walk.known.is_none());
        unknown.map(|walk| Request {
            state: &walk.leaf,
            legal: &walk.legal,
            nonce: walk.nonce,
            is_root: walk.path.last() == Some(&(ROOT_EDGE as u32)),
        })
    }

    /// Completes the simulation that waits for the evaluation of [`request`](Search::request),
    /// the oldest.
    ///
    /// Priors that are no distribution count as equal, win, draw and loss that are none as
    /// equally likely.
    ///
    /// # Panics
    /// If no evaluation is awaited, or if there is not one prior for each legal action.
    pub fn apply(&mut self, evaluation: Evaluation<'_>) {
        assert!(self.n_waiting > 0, "no evaluation is awaited");
        let walk = &self.walks[0];
        let n_legal = walk.legal.len();
        assert_eq!(evaluation.priors.len(), n_legal, "one prior a legal action");
        normalise(evaluation.priors, &mut self.priors);
        let leaf = *walk.path.last().expect("a path begins at the root") as usize;
        let mover = self.game.player_to_move(&walk.leaf);
        let result = FirstWdl::from_mover(evaluation.wdl, mover);
        let tree = &mut self.tree;
        let root = tree.root();
        // What is proven of the root tells no move.
        let proven = evaluation
            .proven
            .filter(|_| self.params.use_proven && leaf != ROOT_EDGE)
            .map_or(Bounds::OPEN, |value| Bounds::exactly(value, mover));
        let bounds = walk.bounds & proven;
        let mut judged = Leaf {
            result: bounds.apply(result),
            bounds,
            is_visit: true,
        };
        if leaf == ROOT_EDGE {
            tree.set_moves(root, &walk.legal, &self.priors, result.value);
            self.root.draw(tree, &self.params, &mut self.stream);
        } else if tree.shares_nodes
            && let Some(shared) = self.transpositions.node_of(&walk.leaf)
        {
            // Two ways to one position waited at once.
            tree.link(leaf, shared);
            judged = tree.read(shared);
        } else if bounds.is_exact() {
            // Nothing below it can tell more.
        } else if tree.n_nodes() < self.params.max_nodes && tree.has_numbers_for(n_legal) {
            tree.expand(leaf, mover, &walk.legal, &self.priors, result.value);
            if tree.shares_nodes {
                self.transpositions.insert(&walk.leaf, tree.n_nodes() - 1);
            }
        }
        self.complete(judged);
        self.complete_known();
    }
}

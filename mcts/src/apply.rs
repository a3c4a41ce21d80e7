//! Folding evaluations and proofs in.

use crate::bounds::Bounds;
use crate::estimate::Estimate;
use crate::priors::normalise;
use crate::tree::{Leaf, ROOT_EDGE};
use crate::{Evaluation, Request, Search};
use tablero_env::{ForMover, Game};

impl<G: Game> Search<G> {
    /// Completes the simulation under way.
    pub(crate) fn complete(&mut self, leaf: Leaf) {
        self.tree.backward(&self.walk.path, leaf);
        self.root.n_simulations += 1;
        self.walk.is_waiting = false;
    }

    /// The position whose evaluation is awaited, if there is one.
    #[must_use]
    pub fn request(&self) -> Option<Request<'_, G>> {
        self.walk.is_waiting.then_some(Request {
            state: &self.walk.leaf,
            legal: &self.walk.legal,
            nonce: self.walk.nonce,
        })
    }

    /// Completes the simulation that waits for the evaluation of [`request`](Search::request).
    ///
    /// Priors that are no distribution count as equal, win, draw and loss that are none as
    /// equally likely. A proof of the root is ignored: it names no move.
    ///
    /// # Panics
    /// If no evaluation is awaited, or if there is not one prior for each legal action.
    pub fn apply(&mut self, evaluation: Evaluation<'_>) {
        let (tree, walk) = (&mut self.tree, &self.walk);
        assert!(walk.is_waiting, "no evaluation is awaited");
        let n_legal = walk.legal.len();
        assert_eq!(evaluation.priors.len(), n_legal, "one prior a legal action");
        normalise(evaluation.priors, &mut self.priors);
        let edge = *walk.path.last().expect("a path begins at the root") as usize;
        let mover = self.game.player_to_move(&walk.leaf);
        let evaluated = Estimate::from_mover(evaluation.wdl, mover);
        let proven = match evaluation.proven {
            Some(value) if edge != ROOT_EDGE => Bounds::exactly(value.for_first(mover)),
            _ => Bounds::OPEN,
        };
        let leaf = Leaf {
            estimate: evaluated.within(walk.bounds & proven),
            is_visit: true,
        };
        if edge == ROOT_EDGE {
            tree.set_moves(tree.root(), &walk.legal, &self.priors, evaluated.value);
            self.draw();
            self.prove_wins();
        } else if leaf.estimate.bounds.is_exact() {
            // Nothing below it can tell more.
        } else if tree.n_nodes() < self.params.max_nodes && tree.has_numbers_for(n_legal) {
            tree.expand(edge, mover, &walk.legal, &self.priors, evaluated.value);
            if tree.shares_nodes {
                let hash = self.game.hash(&walk.leaf);
                self.transpositions.push(hash, &walk.leaf);
            }
        }
        self.complete(leaf);
    }

    /// Proves the moves of the root that win at once, where there are any: without it none may be
    /// among the simulations.
    fn prove_wins(&mut self) {
        if !self.game.wins_at_once(&self.state, &self.walk.legal) {
            return;
        }
        let tree = &mut self.tree;
        let root = tree.root();
        let won = Bounds::exactly(ForMover(1).for_first(tree.mover(root)));
        for (mv, edge) in tree.moves(root).zip(tree.edges(root)) {
            if self.game.wins_at_once_by(&self.state, tree.action(mv)) {
                tree.prove(edge, won);
            }
        }
    }
}

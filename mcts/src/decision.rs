//! When further simulations cannot change the choice any more.

use crate::proof::Proof;
use crate::tree::{ROOT, Tree};
use crate::{RootSelection, Search};
use tablero_env::{Game, Player};

impl<G: Game> Search<G> {
    /// Whether [`best`](Search::best) is certain to stay what it is until
    /// [`n_simulations`](Search::n_simulations) reaches `n_sims`: no other move can catch up in
    /// visits, and no proof that would change the choice can be complete by then. Exact, and so
    /// careful: `false` says nothing. For play alone: stopping early changes visits, and so the
    /// policy target.
    ///
    /// Proofs make certainty rare, since one simulation may find that the best move loses at
    /// once; without [`use_proven`](crate::SearchParams::use_proven) only visits count. By Gumbel
    /// only a single move, or a proven one, is certain.
    #[must_use]
    pub fn is_decided(&self, n_sims: u32) -> bool {
        let tree = &self.tree;
        let edges = tree.edges(ROOT);
        if edges.len() <= 1 || self.root_proven().is_some() {
            return true;
        }
        let n_left = n_sims.saturating_sub(self.n_simulations());
        if n_left == 0 {
            return true;
        }
        // By Gumbel visits are dealt out by a plan, whose last one may decide.
        if self.root_visits() == 0 || self.params().root != RootSelection::Puct {
            return false;
        }
        let mover = tree.mover(ROOT);
        let Some((_, best)) = self.best_at(ROOT) else {
            return true;
        };
        edges
            .filter(|&edge| edge != best && tree.proof(edge) != Proof::loss_of(mover))
            .all(|edge| {
                let may_visit = tree.n_visits(edge).saturating_add(n_left);
                may_visit < tree.n_visits(best) && self.is_beyond(edge, mover, n_left)
            })
            && self.is_beyond(best, mover.opponent(), n_left)
    }

    /// Whether more than `n_left` simulations are needed to prove that `player` wins after an
    /// edge.
    fn is_beyond(&self, edge: usize, player: Player, n_left: u32) -> bool {
        !self.params().use_proven || n_to_prove(&self.tree, edge, player, n_left) > n_left
    }
}

/// At least so many simulations are needed to prove that `player` wins after `edge`; not counted
/// beyond `enough`. Each simulation ends at one leaf, so these are the proof numbers of Allis
/// (1994).
fn n_to_prove(tree: &Tree, edge: usize, player: Player, enough: u32) -> u32 {
    match tree.proof(edge) {
        Proof::Open => {}
        proof if proof == Proof::win_of(player) => return 0,
        _ => return u32::MAX,
    }
    let Some(node) = tree.child(edge) else {
        return 1;
    };
    let (edges, n_moves) = (tree.edges(node), tree.moves(node).len());
    let n_untried = (n_moves - edges.len().min(tree.n_tried(node))) as u32;
    let tried = edges.take(tree.n_tried(node));
    if tree.mover(node) == player {
        // One winning move is enough.
        if n_untried > 0 {
            return 1;
        }
        let mut least = u32::MAX;
        for edge in tried {
            least = least.min(n_to_prove(tree, edge, player, enough.min(least)));
            if least <= 1 {
                break;
            }
        }
        least
    } else {
        let mut all = n_untried;
        for edge in tried {
            if all > enough {
                break;
            }
            all = all.saturating_add(n_to_prove(tree, edge, player, enough));
        }
        all
    }
}

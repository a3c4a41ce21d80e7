//! When further simulations cannot change the choice any more.

use crate::tree::Tree;
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
    /// only a single move, or a proven one, is certain; so it is with proofs and
    /// [`transpositions`](crate::SearchParams::transpositions).
    #[must_use]
    pub fn is_decided(&self, n_sims: u32) -> bool {
        let tree = &self.tree;
        let edges = tree.edges(tree.root());
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
        let mover = self.player_to_move();
        let Some((_, best)) = self.best_at(tree.root()) else {
            return true;
        };
        let low = |edge| tree.edge_bounds(edge).seen_by(mover)[0];
        let high = |edge| tree.edge_bounds(edge).seen_by(mover)[1];
        // A move that is worse for certain stays so, but while all may yet be lost.
        let rivals =
            edges.filter(|&edge| edge != best && high(edge) > -1 && high(edge) >= low(best));
        let mut may_draw = false;
        for edge in rivals {
            let may_visit = tree.edge_visits(edge).saturating_add(n_left);
            if may_visit >= tree.edge_visits(best) || self.may_prove(edge, mover, 1, n_left) {
                return false;
            }
            may_draw |= self.may_prove(edge, mover, 0, n_left);
        }
        // The best move falls behind where it is proven lost, or no win beside a certain draw.
        let opponent = mover.opponent();
        let falls_behind = self.may_prove(best, opponent, 1, n_left)
            || may_draw && self.may_prove(best, opponent, 0, n_left);
        !falls_behind
    }

    /// Whether `n_left` simulations may prove that `player` returns at least `least` after an
    /// edge.
    fn may_prove(&self, edge: usize, player: Player, least: i8, n_left: u32) -> bool {
        let params = self.params();
        // Where positions are shared, one simulation may add to many proofs.
        params.use_proven
            && (self.tree.shares_nodes
                || n_to_prove(&self.tree, edge, player, least, n_left) <= n_left)
    }
}

/// At least so many simulations are needed to prove that `player` returns at least `least` after
/// `edge`; not counted beyond `enough`. Each simulation ends at one leaf, so these are the proof
/// numbers of Allis (1994).
fn n_to_prove(tree: &Tree, edge: usize, player: Player, least: i8, enough: u32) -> u32 {
    let [low, high] = tree.edge_bounds(edge).seen_by(player);
    if low >= least {
        return 0;
    }
    if high < least {
        return u32::MAX;
    }
    let Some(node) = tree.child(edge) else {
        return 1;
    };
    let (edges, n_moves) = (tree.edges(node), tree.moves(node).len());
    let n_untried = (n_moves - edges.len().min(tree.n_tried(node))) as u32;
    let tried = edges.take(tree.n_tried(node));
    if tree.mover(node) == player {
        // One such move is enough.
        if n_untried > 0 {
            return 1;
        }
        let mut fewest = u32::MAX;
        for edge in tried {
            let enough = enough.min(fewest);
            fewest = fewest.min(n_to_prove(tree, edge, player, least, enough));
            if fewest <= 1 {
                break;
            }
        }
        fewest
    } else {
        let mut all = n_untried;
        for edge in tried {
            if all > enough {
                break;
            }
            all = all.saturating_add(n_to_prove(tree, edge, player, least, enough));
        }
        all
    }
}

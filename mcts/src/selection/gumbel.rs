//! Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning
//! with Gumbel", 2022). A move that is cut by proven bounds counts as not there while there are
//! others.

use super::Rule;
use super::completed::{Completed, Scale, improved_policy, logit, select};
use super::halving::{best_by, considered_visits, select_root};
use crate::bounds::acceptable;
use crate::moves::Moves;
use crate::ranges::{AT_LEAST_0, AT_LEAST_1, ParamsError, in_range};
use crate::report::RootEdge;
use crate::root::Root;
use crate::tree::Tree;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use tablero_env::ActionId;
use tablero_env::random::Stream;

/// The Gumbel rule: sequential halving of moves drawn without replacement at the root, and
/// elsewhere the move whose visits lag most behind the improved policy. Improves on the priors
/// with any number of simulations; meant for few.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gumbel {
    /// How many moves of the root are looked at: m. In moves that
    /// [explore](crate::Budget::explores) they are drawn by their priors, else those with the
    /// highest priors are taken. At least 1; default 16, as in the paper.
    pub max_considered: usize,
    /// c_visit of sigma(q) = (c_visit + max visits) * c_scale * q, which weighs values against
    /// logarithms of priors; q is a score, 0 for a loss to 1 for a win. At least 0; default 50, as
    /// in the paper.
    pub c_visit: f32,
    /// c_scale of the same. At least 0; default 1, as in the paper for board games. (mctx has 0.1,
    /// after stretching the values of a position's moves over 0 to 1.)
    pub c_scale: f32,
}

impl Default for Gumbel {
    fn default() -> Self {
        Gumbel {
            max_considered: 16,
            c_visit: 50.0,
            c_scale: 1.0,
        }
    }
}

impl Gumbel {
    pub(super) fn check(&self) -> Result<(), ParamsError> {
        in_range("max_considered", self.max_considered as f32, AT_LEAST_1)?;
        in_range("c_visit", self.c_visit, AT_LEAST_0)?;
        in_range("c_scale", self.c_scale, AT_LEAST_0)
    }

    /// The completed values of the root's moves.
    fn completed(&self, tree: &Tree) -> Completed {
        let (root, mover) = (tree.root(), tree.mover(tree.root()));
        let raw_value = tree.raw_value(root).seen_by(mover);
        Completed::new(tree.choices(root), mover, raw_value, self.scale())
    }

    fn scale(&self) -> Scale {
        Scale {
            c_visit: self.c_visit,
            c_scale: self.c_scale,
        }
    }
}

impl Rule for Gumbel {
    fn prepare(&self, root: &mut Root, tree: &mut Tree, stream: &mut Stream) {
        let explores = root.budget.explores;
        root.scores.clear();
        let scores = root.priors.iter().map(|&prior| {
            let noise = if explores { draw(stream) } else { 0.0 };
            logit(prior) + noise
        });
        root.scores.extend(scores);
        let n_tried = tree.n_tried(tree.root());
        tree.sort_untried_by(tree.root(), &mut root.scores[n_tried..]);
        root.read_priors(tree);
    }

    fn at_root(&self, root: &Root, tree: &Tree) -> usize {
        let m = self.max_considered.min(root.scores.len());
        let evaluation = u32::from(root.is_fresh);
        let planned = root.budget.n_simulations.saturating_sub(evaluation);
        let done = root.n_simulations.saturating_sub(evaluation);
        let visits = considered_visits(m, planned, done);
        let moves = tree.choices(tree.root());
        let n_new = |rank: usize| moves.edges[rank].n_visits - root.n_inherited[rank];
        let mover = tree.mover(tree.root());
        let completed = self.completed(tree);
        select_root(moves, mover, &root.scores, n_new, visits, &completed)
    }

    #[inline]
    fn inside(&self, tree: &Tree, node: usize) -> usize {
        let mover = tree.mover(node);
        let raw_value = tree.raw_value(node).seen_by(mover);
        select(tree.choices(node), mover, raw_value, self.scale())
    }

    /// The improved policy.
    fn weights(
        &self,
        _root: &Root,
        tree: &Tree,
        edges: &[RootEdge],
        accepted: &[bool],
    ) -> Vec<f64> {
        let completed = self.completed(tree);
        let moves = edges.iter().zip(accepted).map(|(edge, &is_accepted)| {
            let value = edge.value.map_or(completed.mixed, |value| value.0);
            (edge.raw_prior, is_accepted.then_some(value))
        });
        improved_policy(moves, &completed)
    }

    /// Of the moves that sequential halving visited most for this move, the one with the highest
    /// g + ln prior + sigma(completed Q).
    fn best(&self, root: &Root, tree: &Tree) -> Option<ActionId> {
        let (node, mover) = (tree.root(), tree.mover(tree.root()));
        let moves: Moves<'_> = tree.choices(node);
        let [_, most] = tree.bounds(node).seen_by(mover);
        let accept = acceptable(
            most,
            moves.edges.iter().map(|edge| edge.bounds.seen_by(mover)),
        );
        let completed = self.completed(tree);
        let n_moves = moves.priors.len();
        let accepted = (0..n_moves).filter(|&rank| accept(moves.edges[rank].bounds.seen_by(mover)));
        let best = best_by(accepted, |rank| {
            let value = match moves.edges[rank].n_visits {
                0 => completed.mixed,
                _ => moves.edges[rank].value.seen_by(mover),
            };
            let n_new = moves.edges[rank].n_visits - root.n_inherited[rank];
            (n_new, root.scores[rank] + completed.sigma(value))
        })?;
        Some(tree.action(tree.moves(node).start + best))
    }
}

/// A draw of the standard Gumbel distribution. The moves with the highest sums of such a draw and
/// the logarithm of their prior are a draw by priors without replacement (Gumbel-top-k).
fn draw<R: Rng + ?Sized>(rng: &mut R) -> f32 {
    // Above 0 and below 1, so that both logarithms are finite.
    let uniform = (f64::from(rng.random::<u32>()) + 0.5) / 4_294_967_296.0;
    (-(-uniform.ln()).ln()) as f32
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bounds::{Bounds, Cut, best_of};
    use crate::tree::Edge;
    use tablero_env::Player;
    use tablero_env::random::stream;

    #[test]
    fn gumbel_draws_have_their_mean_and_variance() {
        let mut rng = stream(1, "gumbel", 0);
        let n = 100_000;
        let draws: Vec<f64> = (0..n).map(|_| f64::from(draw(&mut rng))).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n);
        // Euler's constant and pi^2 / 6; standard errors are 0.0041 and 0.011.
        assert!((mean - 0.5772).abs() < 0.02, "{mean}");
        assert!((variance - 1.6449).abs() < 0.06, "{variance}");
    }

    #[test]
    fn the_highest_sum_is_a_draw_by_priors() {
        let priors = [0.1_f32, 0.6, 0.3];
        let mut rng = stream(2, "gumbel", 0);
        let mut counts = [0_i32; 3];
        for _ in 0..10_000 {
            let sums = priors.map(|prior| logit(prior) + draw(&mut rng));
            let best = (0..3).max_by(|&a, &b| sums[a].total_cmp(&sums[b]));
            counts[best.unwrap()] += 1;
        }
        for (count, prior) in counts.into_iter().zip(priors) {
            // Standard deviations are below 50.
            assert!(
                (count as f32 - 10_000.0 * prior).abs() < 250.0,
                "{counts:?}"
            );
        }
    }

    pub const OPEN: [Edge; 3] = edges([Bounds::OPEN; 3]);

    /// Of three moves, of which two are tried: values 0.5 and -0.5 for player 0, visits 3 and 1.
    pub const fn edges([a, b, c]: [Bounds; 3]) -> [Edge; 3] {
        [
            Edge::of(3, 0.5, a),
            Edge::of(1, -0.5, b),
            Edge::of(0, 0.0, c),
        ]
    }

    /// [`edges`] whose priors are 0.5 and twice 0.25.
    pub fn bandit(mover: Player, edges: &[Edge; 3]) -> Moves<'_> {
        let bounds = edges.iter().map(|edge| edge.bounds);
        Moves {
            priors: &[0.5, 0.25, 0.25],
            edges,
            cut: Cut::new(mover, best_of(mover, bounds)),
            n_tried: 2,
        }
    }
}

//! What a search found: statistics of the root, the policy target, the move to play.

use crate::proof::acceptable;
use crate::temperature::{sample, temper};
use crate::tree::{ROOT, ROOT_EDGE};
use crate::value::FirstWdl;
use crate::{Search, Wdl};
use tablero_env::{ActionId, Game};

/// What a search knows about one legal action of the root. Values are seen by the player to move
/// at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootEdge {
    /// The action.
    pub action: ActionId,
    /// The prior used by the search, with noise, 0..=1.
    pub prior: f32,
    /// The evaluator's prior, without noise, 0..=1; equal shares before the root is evaluated.
    pub raw_prior: f32,
    /// The simulations that began with this action.
    pub visits: u32,
    /// The mean return of those simulations, -1..=1, or the proven one; `None` without visits.
    pub value: Option<f32>,
    /// The exact return under best play, +1, 0 or -1, where it is proven.
    pub proven: Option<i8>,
}

impl<G: Game> Search<G> {
    /// The legal actions of the root, in ascending order; none in a finished game.
    #[must_use]
    pub fn root_edges(&self) -> Vec<RootEdge> {
        let tree = &self.tree;
        let mover = tree.mover(ROOT);
        let moves = tree.moves(ROOT).zip(tree.edges(ROOT));
        let moves = moves.zip(&self.root_priors);
        let mut report: Vec<RootEdge> = moves
            .map(|((a_move, edge), &prior)| RootEdge {
                action: tree.action(a_move),
                prior,
                raw_prior: tree.prior(a_move),
                visits: tree.n_visits(edge),
                value: (tree.n_visits(edge) > 0).then(|| tree.value(edge).seen_by(mover)),
                proven: tree.proof(edge).value_for(mover),
            })
            .collect();
        report.sort_unstable_by_key(|edge| edge.action);
        report
    }

    /// The visits of the root: its evaluation and the simulations since then, those inherited
    /// from before the last [`advance`](Search::advance) included. 0 before it is evaluated.
    #[must_use]
    pub fn root_visits(&self) -> u32 {
        self.tree.n_visits(ROOT_EDGE)
    }

    /// Win, draw and loss for the player to move at the root: the mean over its visits, or the
    /// proven result. Equally likely before the root is evaluated.
    #[must_use]
    pub fn root_wdl(&self) -> Wdl {
        let wdl = match self.root_visits() {
            0 => FirstWdl::UNKNOWN,
            _ => self.tree.wdl(ROOT_EDGE),
        };
        wdl.seen_by(self.tree.mover(ROOT))
    }

    /// The exact return of the player to move at the root under best play, +1, 0 or -1, where it
    /// is proven.
    #[must_use]
    pub fn root_proven(&self) -> Option<i8> {
        self.tree.proof(ROOT_EDGE).value_for(self.tree.mover(ROOT))
    }

    /// The policy that the search recommends: one share for each legal action of the root, in
    /// ascending order of actions, with sum 1.
    ///
    /// Shares are those of the visits (AlphaZero), with two exceptions: where a win is proven,
    /// only actions proven to win have a share; an action proven to lose has none, unless all
    /// lose. Before anything is visited, the evaluator's priors take the place of visits.
    #[must_use]
    pub fn policy_target(&self) -> Vec<f32> {
        let edges = self.root_edges();
        let accept = acceptable(edges.iter().map(|edge| edge.proven));
        let shares = |weight: fn(&RootEdge) -> f64| -> Option<Vec<f32>> {
            let weights = edges.iter().map(|edge| {
                if accept(edge.proven) {
                    weight(edge)
                } else {
                    0.0
                }
            });
            let total: f64 = weights.clone().sum();
            (total > 0.0).then(|| weights.map(|weight| (weight / total) as f32).collect())
        };
        shares(|edge| f64::from(edge.visits))
            .or_else(|| shares(|edge| f64::from(edge.raw_prior)))
            .or_else(|| shares(|_| 1.0))
            .unwrap_or_default()
    }

    /// The action to play at full strength: the most visited; ties by value, then the
    /// evaluator's prior, then the lowest id. Where a win is proven, only actions proven to win
    /// count; an action proven to lose counts only if all lose.
    ///
    /// # Panics
    /// If the game is over.
    #[must_use]
    pub fn best(&self) -> ActionId {
        let (action, _) = self.best_at(ROOT).expect("the game is not over");
        action
    }

    /// An action drawn in proportion to the [`policy_target`](Search::policy_target) to the
    /// power of 1 / `temperature`. At a temperature of 0 (or below, or not a number) it is
    /// [`best`](Search::best).
    ///
    /// # Panics
    /// If the game is over.
    pub fn choose(&mut self, temperature: f32) -> ActionId {
        if temperature.is_nan() || temperature <= 0.0 {
            return self.best();
        }
        let mut weights: Vec<f64> = self.policy_target().into_iter().map(f64::from).collect();
        assert!(!weights.is_empty(), "the game is not over");
        temper(&mut weights, f64::from(temperature));
        let rank = sample(&weights, &mut self.stream);
        self.root_edges()[rank].action
    }

    /// The line that both players follow by [`best`](Search::best), as far as it was visited.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<ActionId> {
        let mut line = Vec::new();
        let mut node = Some(ROOT);
        while let Some((action, edge)) = node.and_then(|node| self.best_at(node))
            && self.tree.n_visits(edge) > 0
        {
            line.push(action);
            node = self.tree.child(edge);
        }
        line
    }

    /// The best action at a node and its edge; `None` if the node has no edges.
    fn best_at(&self, node: usize) -> Option<(ActionId, usize)> {
        let tree = &self.tree;
        let mover = tree.mover(node);
        let proven = |edge| tree.proof(edge).value_for(mover);
        let accept = acceptable(tree.edges(node).map(proven));
        let moves = tree.moves(node).zip(tree.edges(node));
        let best = moves
            .filter(|&(_, edge)| accept(proven(edge)))
            .max_by(|&a, &b| {
                let value = |edge| tree.value(edge).seen_by(mover);
                let by_visits = tree.n_visits(a.1).cmp(&tree.n_visits(b.1));
                by_visits
                    .then_with(|| value(a.1).total_cmp(&value(b.1)))
                    .then_with(|| tree.prior(a.0).total_cmp(&tree.prior(b.0)))
                    .then_with(|| tree.action(b.0).cmp(&tree.action(a.0)))
            });
        best.map(|(a_move, edge)| (tree.action(a_move), edge))
    }
}

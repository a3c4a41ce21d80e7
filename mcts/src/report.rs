//! What a search found: statistics of the root, the policy target, the move to play.

use crate::bounds::acceptable;
use crate::forced::{Visited, n_forced, pruned};
use crate::gumbel::{best_by, improved_policy};
use crate::puct::{exploration, score};
use crate::temperature::{sample, temper};
use crate::value::FirstWdl;
use crate::{GumbelParams, RootSelection, Search, Wdl};
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
    /// The least and the greatest return under best play that are not ruled out: `[0, 1]` where at
    /// least a draw is proven, `[-1, 0]` where it is proven that there is no win.
    pub bounds: [i8; 2],
}

impl<G: Game> Search<G> {
    /// The legal actions of the root, in ascending order; none in a finished game.
    #[must_use]
    pub fn root_edges(&self) -> Vec<RootEdge> {
        let tree = &self.tree;
        let (root, mover) = (tree.root(), self.player_to_move());
        let moves = tree.moves(root).zip(tree.edges(root));
        let moves = moves.zip(&self.root.priors);
        let mut report: Vec<RootEdge> = moves
            .map(|((a_move, edge), &prior)| RootEdge {
                action: tree.action(a_move),
                prior,
                raw_prior: tree.prior(a_move),
                visits: tree.edge_visits(edge),
                value: (tree.edge_visits(edge) > 0).then(|| tree.edge_value(edge).seen_by(mover)),
                proven: tree.edge_bounds(edge).exact_for(mover),
                bounds: tree.edge_bounds(edge).seen_by(mover),
            })
            .collect();
        report.sort_unstable_by_key(|edge| edge.action);
        report
    }

    /// The visits of the root: its evaluation and the simulations since then, those inherited
    /// from before the last [`advance`](Search::advance) included. 0 before it is evaluated.
    #[must_use]
    pub fn root_visits(&self) -> u32 {
        self.tree.n_visits(self.tree.root())
    }

    /// Win, draw and loss for the player to move at the root: the mean over its visits, or the
    /// proven result. Equally likely before the root is evaluated.
    #[must_use]
    pub fn root_wdl(&self) -> Wdl {
        let wdl = match self.root_visits() {
            0 => FirstWdl::UNKNOWN,
            _ => self.tree.wdl(self.tree.root()),
        };
        wdl.seen_by(self.player_to_move())
    }

    /// The exact return of the player to move at the root under best play, +1, 0 or -1, where it
    /// is proven.
    #[must_use]
    pub fn root_proven(&self) -> Option<i8> {
        let bounds = self.tree.bounds(self.tree.root());
        bounds.exact_for(self.player_to_move())
    }

    /// The least and the greatest return of the player to move at the root under best play that
    /// are not ruled out; `[-1, 1]` where nothing is proven.
    #[must_use]
    pub fn root_bounds(&self) -> [i8; 2] {
        let bounds = self.tree.bounds(self.tree.root());
        bounds.seen_by(self.player_to_move())
    }

    /// The policy that the search recommends: one share for each legal action of the root, in
    /// ascending order of actions, with sum 1.
    ///
    /// By PUCT, shares are those of the visits (AlphaZero), without the forced ones where there
    /// are [some](crate::SearchParams::forced_playouts); by Gumbel, those of the improved policy,
    /// softmax(ln prior + sigma(completed Q)). But an action has no share where proven
    /// [bounds](RootEdge::bounds) make another preferable, which returns at least as much however
    /// the game goes on, and may return more: so only wins have shares where one is proven, and a
    /// loss has none, unless all lose.
    /// Before anything is visited, the evaluator's priors take the place of visits.
    #[must_use]
    pub fn policy_target(&self) -> Vec<f32> {
        let edges = self.root_edges();
        let accept = acceptable(edges.iter().map(|edge| edge.bounds));
        let accepted: Vec<bool> = edges.iter().map(|edge| accept(edge.bounds)).collect();
        let weights = match self.params().root {
            RootSelection::Puct => self.visit_weights(&edges, &accepted),
            RootSelection::Gumbel(params) => self.improved_weights(&edges, &accepted, &params),
        };
        shares(weights.into_iter(), &accepted)
            .or_else(|| {
                let priors = edges.iter().map(|edge| f64::from(edge.raw_prior));
                shares(priors, &accepted)
            })
            .or_else(|| shares(edges.iter().map(|_| 1.0), &accepted))
            .unwrap_or_default()
    }

    /// The visits of the moves, without those that were only forced.
    fn visit_weights(&self, edges: &[RootEdge], accepted: &[bool]) -> Vec<f64> {
        let visits = edges.iter().map(|edge| edge.visits);
        let k = self.params().forced_playouts;
        let top = (0..edges.len())
            .rev()
            .filter(|&index| accepted[index])
            .max_by_key(|&index| edges[index].visits);
        let top = top.filter(|_| k > 0.0 && self.root.budget.full && self.root_visits() > 0);
        let Some(top) = top else {
            return visits.map(f64::from).collect();
        };
        let exploration = exploration(self.params(), self.root_visits());
        let values = self.values_of_selection();
        let seen = |index: usize| Visited {
            prior: edges[index].prior,
            value: values[index],
            n_visits: edges[index].visits,
        };
        let Visited {
            prior,
            value,
            n_visits,
        } = seen(top);
        let top_score = score(value, prior, n_visits, exploration);
        let n_all = visits.sum();
        let kept = edges.iter().enumerate().map(|(index, edge)| {
            if index == top {
                n_visits
            } else {
                let n_forced = n_forced(k, edge.prior, n_all);
                pruned(seen(index), top_score, exploration, n_forced)
            }
        });
        kept.map(f64::from).collect()
    }

    /// What selection goes by, for each action of the root in ascending order; 0 where it is not tried.
    fn values_of_selection(&self) -> Vec<f32> {
        let tree = &self.tree;
        let (root, mover) = (tree.root(), self.player_to_move());
        let values = tree.choices(root).values;
        let moves = tree.moves(root).zip(values);
        let mut values: Vec<_> = moves
            .map(|(a_move, value)| (tree.action(a_move), value.seen_by(mover)))
            .collect();
        values.sort_unstable_by_key(|&(action, _)| action);
        values.into_iter().map(|(_, value)| value).collect()
    }

    /// The improved policy.
    fn improved_weights(
        &self,
        edges: &[RootEdge],
        accepted: &[bool],
        params: &GumbelParams,
    ) -> Vec<f64> {
        let completed = self.root.completed(&self.tree, params);
        let moves = edges.iter().zip(accepted).map(|(edge, &is_accepted)| {
            let value = edge.value.unwrap_or(completed.mixed);
            (edge.raw_prior, is_accepted.then_some(value))
        });
        improved_policy(moves, &completed)
    }

    /// The action to play at full strength. By PUCT the most visited; ties by value, then the
    /// evaluator's prior, then the lowest id. By Gumbel, of the actions that sequential halving
    /// visited most for this move, the one with the highest g + ln prior + sigma(completed Q).
    /// Only actions count that may have a share of the [`policy_target`](Search::policy_target).
    ///
    /// # Panics
    /// If the game is over.
    #[must_use]
    pub fn best(&self) -> ActionId {
        self.best_of_root().expect("the game is not over")
    }

    /// [`best`](Search::best), or `None` in a finished game.
    fn best_of_root(&self) -> Option<ActionId> {
        match self.params().root {
            RootSelection::Puct => self.best_at(self.tree.root()).map(|(action, _)| action),
            RootSelection::Gumbel(params) => self.best_halved(&params),
        }
    }

    fn best_halved(&self, params: &GumbelParams) -> Option<ActionId> {
        let tree = &self.tree;
        let (root, mover) = (tree.root(), self.player_to_move());
        let moves = tree.choices(root);
        let accept = acceptable(moves.bounds.iter().map(|bounds| bounds.seen_by(mover)));
        let completed = self.root.completed(tree, params);
        let n_moves = moves.priors.len();
        let accepted = (0..n_moves).filter(|&rank| accept(moves.bounds[rank].seen_by(mover)));
        let best = best_by(accepted, |rank| {
            let value = match moves.n_visits[rank] {
                0 => completed.mixed,
                _ => moves.values[rank].seen_by(mover),
            };
            let score = self.root.scores[rank] + completed.sigma(value);
            (self.root.n_new(tree, rank), score)
        })?;
        Some(tree.action(tree.moves(root).start + best))
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

    /// The [variation](Search::variation) that begins with [`best`](Search::best); empty in a
    /// finished game.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<ActionId> {
        self.best_of_root()
            .map_or_else(Vec::new, |best| self.variation(best))
    }

    /// The line that begins with an action of the root and goes on with the most visited actions
    /// of both players, as far as it was visited: empty if the action was not. Ties and proven
    /// values count as in [`best`](Search::best).
    #[must_use]
    pub fn variation(&self, action: ActionId) -> Vec<ActionId> {
        let tree = &self.tree;
        let mut line = Vec::new();
        let mut moves = tree.moves(tree.root()).zip(tree.edges(tree.root()));
        let first = moves.find(|&(a_move, _)| tree.action(a_move) == action);
        let mut next = first.map(|(_, edge)| (action, edge));
        while let Some((action, edge)) = next.filter(|&(_, edge)| tree.edge_visits(edge) > 0) {
            line.push(action);
            next = tree.child(edge).and_then(|node| self.best_at(node));
        }
        line
    }

    /// The most visited action at a node and its edge, as [`best`](Search::best) has it; `None` if
    /// the node has no edges.
    pub(crate) fn best_at(&self, node: usize) -> Option<(ActionId, usize)> {
        let tree = &self.tree;
        let mover = tree.mover(node);
        let bounds = |edge| tree.edge_bounds(edge).seen_by(mover);
        let accept = acceptable(tree.edges(node).map(bounds));
        let moves = tree.moves(node).zip(tree.edges(node));
        let best = moves
            .filter(|&(_, edge)| accept(bounds(edge)))
            .max_by(|&a, &b| {
                let value = |edge| tree.edge_value(edge).seen_by(mover);
                let by_visits = tree.edge_visits(a.1).cmp(&tree.edge_visits(b.1));
                by_visits
                    .then_with(|| value(a.1).total_cmp(&value(b.1)))
                    .then_with(|| tree.prior(a.0).total_cmp(&tree.prior(b.0)))
                    .then_with(|| tree.action(b.0).cmp(&tree.action(a.0)))
            });
        best.map(|(a_move, edge)| (tree.action(a_move), edge))
    }
}

/// The weights of the accepted moves, scaled to sum to 1; `None` if there is nothing to scale.
fn shares(weights: impl Iterator<Item = f64>, accepted: &[bool]) -> Option<Vec<f32>> {
    let weights: Vec<f64> = weights
        .zip(accepted)
        .map(|(weight, &is_accepted)| if is_accepted { weight } else { 0.0 })
        .collect();
    let total: f64 = weights.iter().sum();
    (total > 0.0).then(|| {
        let share = |weight: f64| (weight / total) as f32;
        weights.into_iter().map(share).collect()
    })
}

//! What a search found: statistics of the root, the policy target, the move to play.

use crate::bounds::{Bounds, acceptable};
use crate::estimate::Estimate;
use crate::temperature::{sample, temper};
use crate::{Search, Wdl};
use tablero_env::{ActionId, ForFirst, ForMover, Game};

/// What a search knows of one legal action of the root.
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
    pub value: Option<ForMover<f32>>,
    /// What is proven of it.
    pub bounds: ForMover<Bounds>,
}

impl RootEdge {
    /// The exact return under best play, +1, 0 or -1, where it is proven.
    #[must_use]
    pub fn proven(&self) -> Option<ForMover<i8>> {
        self.bounds.0.exact().map(ForMover)
    }
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
            .map(|((mv, edge), &prior)| RootEdge {
                action: tree.action(mv),
                prior,
                raw_prior: tree.prior(mv),
                visits: tree.edge_visits(edge),
                value: (tree.edge_visits(edge) > 0).then(|| tree.edge_value(edge).for_mover(mover)),
                bounds: ForFirst(tree.edge_bounds(edge)).for_mover(mover),
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

    /// Win, draw and loss: the mean over the visits of the root, or the proven result. Equally
    /// likely before the root is evaluated.
    #[must_use]
    pub fn root_wdl(&self) -> ForMover<Wdl> {
        let root = self.tree.root();
        let mean = match self.root_visits() {
            0 => Estimate::UNKNOWN.within(self.tree.bounds(root)),
            _ => self.tree.mean(root),
        };
        mean.wdl(self.player_to_move())
    }

    /// The exact return under best play, +1, 0 or -1, where it is proven.
    #[must_use]
    pub fn root_proven(&self) -> Option<ForMover<i8>> {
        self.root_bounds().0.exact().map(ForMover)
    }

    /// What is proven of the root.
    #[must_use]
    pub fn root_bounds(&self) -> ForMover<Bounds> {
        let bounds = self.tree.bounds(self.tree.root());
        ForFirst(bounds).for_mover(self.player_to_move())
    }

    /// The policy that the search recommends: one share for each legal action of the root, in
    /// ascending order of actions, with sum 1.
    ///
    /// By PUCT, shares are those of the visits (AlphaZero); by Gumbel, those of the improved
    /// policy, softmax(ln prior + sigma(completed Q)). But an action has no share where proven
    /// [bounds](RootEdge::bounds) make another preferable, which returns at least as much however
    /// the game goes on, and may return more: so only wins have shares where one is proven, and a
    /// loss has none, unless all lose.
    /// Before anything is visited, the evaluator's priors take the place of visits.
    #[must_use]
    pub fn policy_target(&self) -> Vec<f32> {
        let edges = self.root_edges();
        let bounds = edges.iter().map(|edge| edge.bounds.0.returns());
        let [_, most] = self.root_bounds().0.returns();
        let accept = acceptable(most, bounds.clone());
        let accepted: Vec<bool> = bounds.map(accept).collect();
        let rule = self.params.selection.rule();
        let weights = rule.weights(&self.root, &self.tree, &edges, &accepted);
        shares(weights.into_iter(), &accepted)
            .or_else(|| {
                let priors = edges.iter().map(|edge| f64::from(edge.raw_prior));
                shares(priors, &accepted)
            })
            .or_else(|| shares(edges.iter().map(|_| 1.0), &accepted))
            .unwrap_or_default()
    }

    /// The action to play at full strength. By PUCT, of the actions with at least 15 % of the visits of
    /// the most visited one, the one with the highest lower confidence bound of its value,
    /// Q - 1 / sqrt(n), or its value where that is proven; ties by visits, then the evaluator's prior,
    /// then the lowest id. By Gumbel, of the actions that sequential halving visited most for this
    /// move, the one with the highest g + ln prior + sigma(completed Q).
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
        let rule = self.params.selection.rule();
        rule.best(&self.root, &self.tree)
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
    /// of both players, as far as it was visited: empty if the action was not. Ties are broken by value,
    /// then the evaluator's prior, then the lowest id.
    #[must_use]
    pub fn variation(&self, action: ActionId) -> Vec<ActionId> {
        let tree = &self.tree;
        let mut line = Vec::new();
        let mut moves = tree.moves(tree.root()).zip(tree.edges(tree.root()));
        let first = moves.find(|&(mv, _)| tree.action(mv) == action);
        let mut next = first.map(|(_, edge)| (action, edge));
        while let Some((action, edge)) = next.filter(|&(_, edge)| tree.edge_visits(edge) > 0) {
            line.push(action);
            next = tree.child(edge).and_then(|node| tree.most_visited(node));
        }
        line
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

//! PUCT (Rosin, 2011) as in AlphaZero (Silver et al., 2018), with KataGo's first-play urgency (Wu,
//! 2019).

use super::Rule;
use crate::moves::Moves;
use crate::priors::add_noise;
use crate::ranges::{ABOVE_0, AT_LEAST_0, IN_0_TO_1, ParamsError, in_range};
use crate::report::RootEdge;
use crate::root::Root;
use crate::tree::Tree;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use tablero_env::random::Stream;
use tablero_env::{ActionId, Player};

/// The visits on whose scale exploration grows: c_base of AlphaZero.
const C_BASE: f32 = 19652.0;

/// A move with a smaller share of the visits of the most visited one is too little known to be played.
const LEAST_SHARE: f32 = 0.15;

/// The PUCT rule. The policy target are the visits; the move to play is the one whose value has the
/// highest lower confidence bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Puct {
    /// How strongly priors pull against values: c_init of PUCT. At least 0; default 1.25, as in
    /// AlphaZero (Silver et al., 2018, supplement).
    pub c_puct: f32,
    /// First-play urgency: an untried move counts as the value of its position minus this times
    /// the square root of the prior mass of the tried moves. At the root half of it counts, and
    /// nothing in a move that [explores](crate::Budget::explores). At least 0; default 0.2, as in
    /// KataGo (Wu, 2019).
    pub fpu_reduction: f32,
    /// The share of Dirichlet noise in the priors of the root, in moves that
    /// [explore](crate::Budget::explores): self-play tries moves that the priors dismiss (AlphaGo
    /// Zero, Silver et al., 2017). 0..=1; default 0.25, as there.
    pub noise: f32,
    /// The sum of the noise's concentrations: each of n actions with a prior has
    /// `noise_alpha / n`. Above 0; default 10.83, as in KataGo (0.03 on each of the 361 points of
    /// 19x19 Go).
    pub noise_alpha: f32,
}

impl Default for Puct {
    fn default() -> Self {
        Puct {
            c_puct: 1.25,
            fpu_reduction: 0.2,
            noise: 0.25,
            noise_alpha: 10.83,
        }
    }
}

impl Puct {
    pub(super) fn check(&self) -> Result<(), ParamsError> {
        in_range("c_puct", self.c_puct, AT_LEAST_0)?;
        in_range("fpu_reduction", self.fpu_reduction, AT_LEAST_0)?;
        in_range("noise", self.noise, IN_0_TO_1)?;
        in_range("noise_alpha", self.noise_alpha, ABOVE_0)
    }

    /// The exploration factor of a position visited `n_visits` times, its own evaluation included:
    /// (c_init + ln((1 + N + c_base) / c_base)) * sqrt(N).
    #[inline]
    fn exploration(&self, n_visits: u32) -> f32 {
        let growth = GROWTHS.get(n_visits as usize).copied();
        let growth = growth.unwrap_or_else(|| growth_of(n_visits));
        (self.c_puct + growth) * (n_visits as f32).sqrt()
    }

    #[inline]
    fn choose(&self, tree: &Tree, node: usize, moves: Moves<'_>, fpu_reduction: f32) -> usize {
        let mover = tree.mover(node);
        let value = tree.value(node).seen_by(mover);
        let exploration = self.exploration(tree.n_visits(node));
        select(moves, mover, exploration, value, fpu_reduction)
    }
}

/// [`growth_of`] each number of visits that is common: every position on every path asks for one.
static GROWTHS: LazyLock<[f32; 1 << 14]> =
    LazyLock::new(|| std::array::from_fn(|n| growth_of(n as u32)));

/// The growth of exploration after `n_visits` visits: ln((1 + N + c_base) / c_base).
fn growth_of(n_visits: u32) -> f32 {
    ((1.0 + n_visits as f32) / C_BASE).ln_1p()
}

impl Rule for Puct {
    fn prepare(&self, root: &mut Root, tree: &mut Tree, stream: &mut Stream) {
        if root.budget.explores && self.noise > 0.0 {
            add_noise(&mut root.priors, self.noise, self.noise_alpha, stream);
            let n_tried = tree.n_tried(tree.root());
            tree.sort_untried_by(tree.root(), &mut root.priors[n_tried..]);
        }
    }

    fn at_root(&self, root: &Root, tree: &Tree) -> usize {
        let node = tree.root();
        let moves = Moves {
            priors: &root.priors,
            ..tree.choices(node)
        };
        // With noise every move should get its try (KataGo, Wu, 2019).
        let fpu_reduction = if root.budget.explores {
            0.0
        } else {
            self.fpu_reduction / 2.0
        };
        self.choose(tree, node, moves, fpu_reduction)
    }

    #[inline]
    fn inside(&self, tree: &Tree, node: usize) -> usize {
        self.choose(tree, node, tree.choices(node), self.fpu_reduction)
    }

    fn weights(&self, _root: &Root, _tree: &Tree, edges: &[RootEdge], _: &[bool]) -> Vec<f64> {
        edges.iter().map(|edge| f64::from(edge.visits)).collect()
    }

    /// The highest lower confidence bound, among moves that are visited enough (KataGo: Wu, 2019): late
    /// in a search a better move than the most visited one may have been found.
    fn best(&self, _root: &Root, tree: &Tree) -> Option<ActionId> {
        let root = tree.root();
        let (_, edge) = tree.most_visited(root)?;
        let least = LEAST_SHARE * tree.edge_visits(edge) as f32;
        let mover = tree.mover(root);
        let bound = |edge| {
            let value = tree.edge_value(edge).seen_by(mover);
            let is_proven = tree.edge_bounds(edge).is_exact();
            lower_bound(value, tree.edge_visits(edge), is_proven)
        };
        tree.acceptable_moves(root)
            .filter(|&(_, edge)| tree.edge_visits(edge) as f32 >= least)
            .max_by(|&a, &b| {
                let by_bound = bound(a.1).total_cmp(&bound(b.1));
                by_bound.then_with(|| tree.by_visits(mover, a, b))
            })
            .map(|(mv, _)| tree.action(mv))
    }
}

/// The score of a move, whose value is seen by the player who chooses:
/// Q + exploration * P / (1 + n).
#[inline]
fn score(value: f32, prior: f32, n_visits: u32, exploration: f32) -> f32 {
    value + exploration * prior / (1.0 + n_visits as f32)
}

/// The lower confidence bound of the mean of `n_visits` values, which spread by 1: results are
/// between -1 and 1. What is proven is certain.
#[inline]
fn lower_bound(value: f32, n_visits: u32, is_proven: bool) -> f32 {
    if is_proven {
        return value;
    }
    value - 1.0 / (n_visits as f32).sqrt()
}

/// First-play urgency: the value given to an untried move of a position with this value, when
/// the tried moves have this share of the priors. Never below a certain loss.
#[inline]
fn first_play_urgency(parent_value: f32, tried_mass: f32, reduction: f32) -> f32 {
    (parent_value - reduction * tried_mass.sqrt()).max(-1.0)
}

/// The index of the move with the highest score for `mover`; the first of equals. Moves that are
/// cut are passed over while there are others.
#[inline]
fn select(
    moves: Moves<'_>,
    mover: Player,
    exploration: f32,
    parent_value: f32,
    fpu_reduction: f32,
) -> usize {
    let Moves { n_tried, .. } = moves;
    let mut best = 0;
    let mut best_score = f32::NEG_INFINITY;
    let mut tried_mass = 0.0;
    let tried = moves.priors[..n_tried].iter().zip(&moves.edges[..n_tried]);
    for (index, (&prior, edge)) in tried.enumerate() {
        tried_mass += prior;
        let value = edge.value.seen_by(mover);
        let score = score(value, prior, edge.n_visits, exploration);
        if score > best_score && !moves.cut.cuts(edge.bounds) {
            best = index;
            best_score = score;
        }
    }
    // Untried moves differ by their priors alone, so the first of them is the best of them.
    if let Some(&prior) = moves.priors.get(n_tried) {
        let value = first_play_urgency(parent_value, tried_mass, fpu_reduction);
        if best_score == f32::NEG_INFINITY || score(value, prior, 0, exploration) > best_score {
            best = n_tried;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::{Bounds, Cut, best_of};
    use crate::tree::Edge;
    use tablero_env::ForFirst;
    use tablero_env::Player::{First, Second};

    const OPEN: [Bounds; 3] = [Bounds::OPEN; 3];

    #[test]
    fn exploration_follows_the_formula_of_alphazero() {
        let puct = Puct::default();
        for n in [1_u32, 100, 40_000] {
            let exact =
                (1.25 + ((1.0 + f64::from(n) + 19652.0) / 19652.0).ln()) * f64::from(n).sqrt();
            let got = f64::from(puct.exploration(n));
            assert!((got / exact - 1.0).abs() < 1e-6, "{n}: {got} {exact}");
        }
    }

    #[test]
    fn a_score_is_the_value_and_the_share_of_exploration() {
        // 0.25 + 3 * 0.5 / (1 + 4).
        assert!((score(0.25, 0.5, 4, 3.0) - 0.55).abs() < 1e-6);
        assert_eq!(score(-0.5, 0.5, 0, 2.0), 0.5);
        assert_eq!(score(0.125, 0.0, 7, 3.0), 0.125);
    }

    #[test]
    fn a_lower_bound_rises_with_the_visits_to_the_value() {
        assert_eq!(lower_bound(0.5, 4, false), 0.0);
        assert_eq!(lower_bound(0.5, 100, false), 0.4);
        assert_eq!(lower_bound(0.5, 0, false), f32::NEG_INFINITY);
        assert_eq!(lower_bound(1.0, 4, true), 1.0);
    }

    #[test]
    fn urgency_falls_with_the_tried_mass_down_to_a_loss() {
        assert_eq!(first_play_urgency(0.5, 0.0, 0.2), 0.5);
        assert!((first_play_urgency(0.5, 0.25, 0.2) - 0.4).abs() < 1e-6);
        assert_eq!(first_play_urgency(-0.95, 1.0, 0.2), -1.0);
    }

    const PRIORS: [f32; 3] = [0.2, 0.5, 0.3];

    fn choose(values: [f32; 3], n_visits: [u32; 3], bounds: [Bounds; 3], mover: Player) -> usize {
        let edges = [0, 1, 2].map(|k| Edge::of(n_visits[k], values[k], bounds[k]));
        let moves = Moves {
            priors: &PRIORS,
            edges: &edges,
            cut: Cut::new(mover, best_of(mover, bounds)),
            n_tried: n_visits.iter().filter(|&&n| n > 0).count(),
        };
        select(moves, mover, 1.0, 0.0, 0.2)
    }

    #[test]
    fn equal_values_and_visits_follow_the_prior() {
        for mover in Player::BOTH {
            assert_eq!(choose([0.0; 3], [1; 3], OPEN, mover), 1);
        }
    }

    #[test]
    fn each_player_reads_the_values_from_the_own_side() {
        let values = [0.9, 0.0, -0.9];
        assert_eq!(choose(values, [5; 3], OPEN, Player::First), 0);
        assert_eq!(choose(values, [5; 3], OPEN, Player::Second), 2);
    }

    #[test]
    fn visits_wear_the_prior_off() {
        assert_eq!(choose([0.0; 3], [1, 4, 1], OPEN, Player::First), 2);
    }

    #[test]
    fn an_untried_move_competes_with_its_urgency() {
        // Untried: 0 - 0.2 * sqrt(0.7) + 0.3 = 0.133. Tried: value + 0.5 / 5 at the second.
        let n_visits = [4, 4, 0];
        assert_eq!(choose([-0.5, 0.0, 0.0], n_visits, OPEN, Player::First), 2);
        assert_eq!(choose([-0.5, 0.1, 0.0], n_visits, OPEN, Player::First), 1);
    }

    #[test]
    fn lost_moves_are_passed_over_while_there_are_others() {
        let values = [1.0, -1.0, 1.0];
        let bounds = [Bounds::FIRST_WINS, Bounds::OPEN, Bounds::FIRST_WINS];
        assert_eq!(choose(values, [1, 900, 1], bounds, Second), 1);
        let bounds = [Bounds::SECOND_WINS, Bounds::SECOND_WINS, Bounds::OPEN];
        assert_eq!(choose([-1.0; 3], [1, 1, 0], bounds, First), 2);
    }

    #[test]
    fn with_a_draw_secured_moves_that_cannot_win_are_passed_over() {
        let at_most_a_draw = Bounds::from_lead(ForFirst([-1, 0]));
        let draw = Bounds::from_lead(ForFirst([0, 0]));
        let bounds = [at_most_a_draw, draw, Bounds::OPEN];
        assert_eq!(choose([0.0, 0.0, -0.9], [1, 900, 9], bounds, First), 1);
        assert_eq!(choose([0.0, 0.0, -0.1], [1, 900, 9], bounds, First), 1);
        assert_eq!(choose([0.0, 0.0, 0.1], [1, 900, 9], bounds, First), 2);
        // Without it, they are not.
        let bounds = [at_most_a_draw, Bounds::OPEN, Bounds::OPEN];
        assert_eq!(choose([0.0, 0.0, -0.9], [1, 900, 9], bounds, First), 0);
    }

    #[test]
    fn numbers_that_are_not_finite_still_choose_a_move() {
        assert!(choose([f32::NAN; 3], [1; 3], OPEN, Player::First) < 3);
        assert_eq!(choose([f32::NAN; 3], [1, 1, 0], OPEN, Player::First), 2);
    }
}

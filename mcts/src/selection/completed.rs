//! Completed values, the policy that they improve, and the choice below the root.

use crate::moves::Moves;
use tablero_env::Player;

/// How returns weigh against the logarithms of priors: the constants of sigma.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub c_visit: f32,
    pub c_scale: f32,
}

/// The completed values of a position's moves, and their weight against the priors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Completed {
    /// The return that an unvisited move counts with, seen by the player who chooses: v_mix.
    pub mixed: f32,
    /// What a score of 1 is worth in the logarithm of a prior.
    pub scale: f32,
    /// The visits of the moves that count.
    pub n_all: u32,
}

impl Completed {
    /// From a position's moves and the value that the evaluator gave it, seen by `mover`, who
    /// chooses.
    pub fn new(moves: Moves<'_>, mover: Player, raw_value: f32, scale: Scale) -> Self {
        let (mut n_all, mut n_most) = (0_u32, 0);
        let (mut mass, mut weighted) = (0.0, 0.0);
        for index in counting(moves) {
            let (n, prior) = (moves.edges[index].n_visits, floored(moves.priors[index]));
            n_all += n;
            n_most = n_most.max(n);
            mass += prior;
            weighted += prior * moves.edges[index].value.seen_by(mover);
        }
        let n = n_all as f32;
        let mean = if n_all > 0 { weighted / mass } else { 0.0 };
        Completed {
            mixed: (raw_value + n * mean) / (1.0 + n),
            scale: (scale.c_visit + n_most as f32) * scale.c_scale,
            n_all,
        }
    }

    /// sigma of a return: its score, 0 to 1, scaled.
    #[inline]
    pub fn sigma(&self, value: f32) -> f32 {
        self.scale * (value + 1.0) / 2.0
    }
}

/// The tried moves that are not cut.
#[inline]
pub(super) fn counting(moves: Moves<'_>) -> impl Iterator<Item = usize> {
    (0..moves.n_tried).filter(move |&index| !moves.cut.cuts(moves.edges[index].bounds))
}

/// Priors of 0 would leave nothing to divide by where all tried moves have them.
#[inline]
fn floored(prior: f32) -> f32 {
    prior.max(f32::MIN_POSITIVE)
}

/// The index of the move below the root: the one whose share of the visits lags most behind the
/// improved policy pi' = softmax(logits + sigma(completed Q)), that is the highest
/// pi' - n / (1 + visits of all); the first of equals.
pub(super) fn select(moves: Moves<'_>, mover: Player, raw_value: f32, scale: Scale) -> usize {
    let completed = Completed::new(moves, mover, raw_value, scale);
    let value = |index: usize| moves.edges[index].value.seen_by(mover);
    let top = counting(moves).map(value).fold(completed.mixed, f32::max);
    let weight = |prior: f32, value: f32| {
        floored(prior) * (completed.sigma(value) - completed.sigma(top)).exp()
    };
    let tried_mass: f32 = moves.priors[..moves.n_tried].iter().sum();
    let first_untried = moves.priors.get(moves.n_tried).copied();
    let mut total = match first_untried {
        // Untried moves differ by their priors alone, which sum to what is left of 1.
        Some(prior) => weight((1.0 - tried_mass).max(prior), completed.mixed),
        None => 0.0,
    };
    for index in counting(moves) {
        total += weight(moves.priors[index], value(index));
    }
    let n_all = 1.0 + completed.n_all as f32;
    // A move that is cut only where nothing else is left.
    let (mut best, mut best_lag) = (moves.n_tried, f32::NEG_INFINITY);
    for index in counting(moves) {
        let share = weight(moves.priors[index], value(index)) / total;
        let lag = share - moves.edges[index].n_visits as f32 / n_all;
        if lag > best_lag || best == moves.n_tried {
            (best, best_lag) = (index, lag);
        }
    }
    match first_untried {
        Some(prior) => {
            let lag = weight(prior, completed.mixed) / total;
            if lag > best_lag { moves.n_tried } else { best }
        }
        None if best == moves.n_tried => 0,
        None => best,
    }
}

/// The logarithm of a prior; finite for a prior of 0, too.
#[inline]
pub(super) fn logit(prior: f32) -> f32 {
    prior.max(f32::MIN_POSITIVE).ln()
}

/// The improved policy pi' over moves with these priors and completed returns; a move whose value
/// is `None` has no share. All 0 if none has one.
pub(super) fn improved_policy(
    moves: impl Iterator<Item = (f32, Option<f32>)> + Clone,
    completed: &Completed,
) -> Vec<f64> {
    let logits = moves.map(|(prior, value)| {
        value.map(|value| f64::from(logit(prior)) + f64::from(completed.sigma(value)))
    });
    let top = logits.clone().flatten().fold(f64::NEG_INFINITY, f64::max);
    let weights = logits.map(|logit| logit.map_or(0.0, |logit| (logit - top).exp()));
    let total: f64 = weights.clone().sum();
    weights.map(|weight| weight / total.max(1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::gumbel::tests::{OPEN, bandit, edges};
    use super::*;
    use crate::bounds::{Bounds, Cut};
    use crate::tree::Edge;

    const SCALE: Scale = Scale {
        c_visit: 2.0,
        c_scale: 0.5,
    };

    #[test]
    fn the_mixed_value_and_the_scale_follow_the_formulas() {
        let completed = Completed::new(bandit(Player::First, &OPEN), Player::First, 0.1, SCALE);
        // Weighted by priors: (0.5 * 0.5 - 0.25 * 0.5) / 0.75 = 1/6; (0.1 + 4 / 6) / 5.
        assert!((completed.mixed - 0.153_333).abs() < 1e-5, "{completed:?}");
        // (c_visit 2 + 3 visits) * c_scale 0.5; a return of 0.5 is a score of 0.75.
        assert_eq!(completed.scale, 2.5);
        assert_eq!(completed.sigma(0.5), 1.875);
        // The other player sees everything reversed.
        let reversed = Completed::new(bandit(Player::Second, &OPEN), Player::Second, -0.1, SCALE);
        assert_eq!(reversed.mixed, -completed.mixed);
        // Without visits the value is the evaluator's.
        let untried = Moves {
            n_tried: 0,
            ..bandit(Player::First, &OPEN)
        };
        let completed = Completed::new(untried, Player::First, 0.1, SCALE);
        assert_eq!((completed.mixed, completed.scale), (0.1, 1.0));
    }

    #[test]
    fn the_improved_policy_is_the_softmax_of_logits_and_completed_values() {
        let completed = Completed {
            mixed: 0.0,
            scale: 2.0,
            n_all: 4,
        };
        let moves = [(0.5, Some(0.5)), (0.25, Some(-0.5)), (0.25, Some(0.0))];
        let policy = improved_policy(moves.into_iter(), &completed);
        // 0.5 e^1.5, 0.25 e^0.5 and 0.25 e^1: 2.24084, 0.41218, 0.67957; sum 3.33260.
        let total: f64 = policy.iter().sum();
        for (got, exact) in policy.iter().zip([0.672_401, 0.123_681, 0.203_916]) {
            assert!((got / total - exact).abs() < 1e-4, "{policy:?}");
        }
        let barred = [(0.5, None), (0.25, Some(-0.5)), (0.0, Some(0.0))];
        let policy = improved_policy(barred.into_iter(), &completed);
        assert_eq!(policy[0], 0.0);
        assert!(policy[1] > 0.999 && policy[2] >= 0.0, "{policy:?}");
    }

    #[test]
    fn below_the_root_visits_follow_the_improved_policy_of_either_player() {
        let choose = |mover, raw_value| select(bandit(mover, &OPEN), mover, raw_value, SCALE);
        // For player 0, with v_mix 0.1533: weights 0.5 e^1.875, 0.25 e^0.625, 0.25 e^1.4417 are
        // 3.2604, 0.4671, 1.0570, of 4.7845: shares 0.681, 0.098, 0.221, less 3/5, 1/5 and 0.
        assert_eq!(choose(Player::First, 0.1), 2);
        // For player 1, with v_mix -0.1533: 0.5 e^0.625, 0.25 e^1.875, 0.25 e^1.0583 are 0.9341,
        // 1.6302, 0.7204, of 3.2847: shares 0.284, 0.496, 0.219, less 3/5, 1/5 and 0.
        assert_eq!(choose(Player::Second, -0.1), 1);
    }

    #[test]
    fn visits_below_the_root_approach_the_improved_policy() {
        let mut edges = [0.2, 0.0, -0.1].map(|value| Edge::of(1, value, Bounds::OPEN));
        // A constant scale, as with an endless c_visit.
        let scale = Scale {
            c_visit: 1e6,
            c_scale: 2e-6,
        };
        for _ in 0..1000 {
            let moves = Moves {
                priors: &[0.2, 0.5, 0.3],
                edges: &edges,
                cut: Cut::new(Player::First, Bounds::OPEN),
                n_tried: 3,
            };
            let chosen = select(moves, Player::First, 0.0, scale);
            edges[chosen].n_visits += 1;
        }
        // 0.2 e^0.2, 0.5, 0.3 e^-0.1, of 1.01573.
        for (edge, share) in edges.iter().zip([0.240_5, 0.492_3, 0.267_2]) {
            let got = edge.n_visits as f32 / 1003.0;
            assert!((got - share).abs() < 0.01, "{edges:?}");
        }
    }

    #[test]
    fn a_lost_move_is_followed_only_where_all_are_lost() {
        let lost_first = edges([Bounds::SECOND_WINS, Bounds::OPEN, Bounds::OPEN]);
        let moves = bandit(Player::First, &lost_first);
        assert_ne!(select(moves, Player::First, 0.0, SCALE), 0);
        let tried = Moves {
            priors: &[0.5, 0.5],
            edges: &[3, 1].map(|n_visits| Edge::of(n_visits, 1.0, Bounds::FIRST_WINS)),
            cut: Cut::new(Player::Second, Bounds::FIRST_WINS),
            n_tried: 2,
        };
        assert_eq!(select(tried, Player::Second, 0.0, SCALE), 0);
    }
}

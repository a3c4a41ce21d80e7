//! The formulas of Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and Silver, "Policy
//! improvement by planning with Gumbel", 2022). A move proven lost counts as not there while
//! there are others.

use crate::GumbelParams;
use crate::proof::Proof;
use crate::puct::Moves;
use rand::{Rng, RngExt};
use tablero_env::Player;

/// A draw of the standard Gumbel distribution. The moves with the highest sums of such a draw and
/// the logarithm of their prior are a draw by priors without replacement (Gumbel-top-k).
pub(crate) fn draw<R: Rng + ?Sized>(rng: &mut R) -> f32 {
    // Above 0 and below 1, so that both logarithms are finite.
    let uniform = (f64::from(rng.random::<u32>()) + 0.5) / 4_294_967_296.0;
    (-(-uniform.ln()).ln()) as f32
}

/// The logarithm of a prior; finite for a prior of 0, too.
#[inline]
pub(crate) fn logit(prior: f32) -> f32 {
    prior.max(f32::MIN_POSITIVE).ln()
}

/// Sequential halving (Karnin et al., 2013) as a rule for the simulation number `done` of `n`
/// over `m` moves: look at the best of the moves that have been visited this often.
///
/// A phase gives each move still considered floor(n / (ceil(log2 m) * considered)) visits, at
/// least one, and halves their number, down to 2.
pub(crate) fn considered_visits(m: usize, n: u32, done: u32) -> u32 {
    if m <= 1 {
        return done;
    }
    let n_phases = m.next_power_of_two().ilog2();
    let (mut considered, mut visits, mut left) = (m as u32, 0, done);
    loop {
        let each = (n / n_phases.saturating_mul(considered)).max(1);
        let in_phase = each.saturating_mul(considered);
        if left < in_phase || considered == 2 {
            return visits + left / considered;
        }
        left -= in_phase;
        visits += each;
        considered = (considered / 2).max(2);
    }
}

/// The completed values of a position's moves, and their weight against the priors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Completed {
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
    pub fn new(moves: Moves<'_>, mover: Player, raw_value: f32, params: &GumbelParams) -> Self {
        let (mut n_all, mut n_most) = (0_u32, 0);
        let (mut mass, mut weighted) = (0.0, 0.0);
        for index in counting(moves, mover) {
            let (n, prior) = (moves.n_visits[index], floored(moves.priors[index]));
            n_all += n;
            n_most = n_most.max(n);
            mass += prior;
            weighted += prior * moves.values[index].seen_by(mover);
        }
        let n = n_all as f32;
        let mean = if n_all > 0 { weighted / mass } else { 0.0 };
        Completed {
            mixed: (raw_value + n * mean) / (1.0 + n),
            scale: (params.c_visit + n_most as f32) * params.c_scale,
            n_all,
        }
    }

    /// sigma of a return: its score, 0 to 1, scaled.
    #[inline]
    pub fn sigma(&self, value: f32) -> f32 {
        self.scale * (value + 1.0) / 2.0
    }
}

/// The tried moves that are not proven lost.
#[inline]
fn counting(moves: Moves<'_>, mover: Player) -> impl Iterator<Item = usize> {
    let loss = Proof::loss_of(mover);
    (0..moves.n_tried).filter(move |&index| moves.proofs[index] != loss)
}

/// Priors of 0 would leave nothing to divide by where all tried moves have them.
#[inline]
fn floored(prior: f32) -> f32 {
    prior.max(f32::MIN_POSITIVE)
}

/// The index of the move below the root: the one whose share of the visits lags most behind the
/// improved policy pi' = softmax(logits + sigma(completed Q)), that is the highest
/// pi' - n / (1 + visits of all); the first of equals.
pub(crate) fn select(
    moves: Moves<'_>,
    mover: Player,
    raw_value: f32,
    params: &GumbelParams,
) -> usize {
    let completed = Completed::new(moves, mover, raw_value, params);
    let value = |index: usize| moves.values[index].seen_by(mover);
    let top = counting(moves, mover)
        .map(value)
        .fold(completed.mixed, f32::max);
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
    for index in counting(moves, mover) {
        total += weight(moves.priors[index], value(index));
    }
    let n_all = 1.0 + completed.n_all as f32;
    // A lost move only where nothing else is left.
    let (mut best, mut best_lag) = (moves.n_tried, f32::NEG_INFINITY);
    for index in counting(moves, mover) {
        let share = weight(moves.priors[index], value(index)) / total;
        let lag = share - moves.n_visits[index] as f32 / n_all;
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

/// The index of the move of the root that sequential halving looks at: of the moves visited
/// `visits` times in this search (`n_new`), the one with the highest score. Where moves were
/// proven lost there may be none; then of the most visited below that.
///
/// `scores` are g + logit, for each move in the tree's order; untried moves follow the others by
/// falling score.
pub(crate) fn select_root(
    moves: Moves<'_>,
    mover: Player,
    scores: &[f32],
    n_new: impl Fn(usize) -> u32,
    visits: u32,
    completed: &Completed,
) -> usize {
    // The first of the untried moves is the best of them.
    let untried = (moves.n_tried < scores.len()).then_some(moves.n_tried);
    let open = counting(moves, mover).chain(untried);
    let key = |index: usize| {
        let n = n_new(index);
        // Those with as many visits first, then fewer, then more.
        let rank = if n <= visits {
            (1, n)
        } else {
            (0, u32::MAX - n)
        };
        let value = match moves.n_visits[index] {
            0 => completed.mixed,
            _ => moves.values[index].seen_by(mover),
        };
        (rank, scores[index] + completed.sigma(value))
    };
    best_by(open, key).unwrap_or(0)
}

/// The first of those with the greatest key.
pub(crate) fn best_by<R: Ord + Copy>(
    indices: impl Iterator<Item = usize>,
    key: impl Fn(usize) -> (R, f32),
) -> Option<usize> {
    let mut best: Option<(usize, (R, f32))> = None;
    for index in indices {
        let new = key(index);
        let is_better = best.is_none_or(|(_, old)| {
            let by_score = || new.1.total_cmp(&old.1);
            new.0.cmp(&old.0).then_with(by_score).is_gt()
        });
        if is_better {
            best = Some((index, new));
        }
    }
    best.map(|(index, _)| index)
}

/// The improved policy pi' over moves with these priors and completed returns; a move whose value
/// is `None` has no share. All 0 if none has one.
pub(crate) fn improved_policy(
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
    use super::*;
    use crate::value::FirstValue;
    use Proof::{FirstWins, Open, SecondWins};
    use tablero_env::random::stream;

    fn sequence(m: usize, n: u32) -> Vec<u32> {
        (0..n).map(|done| considered_visits(m, n, done)).collect()
    }

    #[test]
    fn sequential_halving_deals_visits_in_phases() {
        // Four moves, 16 simulations, two phases: 16 / (2 * 4) = 2 visits for each of 4, then
        // 16 / (2 * 2) = 4 for each of 2.
        let four = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5];
        assert_eq!(sequence(4, 16), four);
        // Three moves, two phases (log2 3 rounds up): 9 / (2 * 3) = 1 visit each, then
        // 9 / (2 * 2) = 2 for each of 2, and again.
        assert_eq!(sequence(3, 9), [0, 0, 0, 1, 1, 2, 2, 3, 3]);
        // Fewer simulations than moves look at the first ones once.
        assert_eq!(sequence(16, 5), [0; 5]);
        assert_eq!(sequence(1, 4), [0, 1, 2, 3]);
        assert_eq!(sequence(2, 4), [0, 0, 1, 1]);
    }

    #[test]
    fn halving_spends_every_simulation_on_moves_that_are_there() {
        for m in 2..20 {
            for n in 1..200 {
                let mut visits = vec![0; m];
                for wanted in sequence(m, n) {
                    let found = visits.iter().position(|&visits| visits == wanted);
                    visits[found.expect("a move with so many visits")] += 1;
                }
                assert_eq!(visits.iter().sum::<u32>(), n);
            }
        }
    }

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

    const PARAMS: GumbelParams = GumbelParams {
        max_considered: 16,
        scale: 1.0,
        c_visit: 2.0,
        c_scale: 0.5,
    };

    /// Three moves, of which two are tried: values 0.5 and -0.5 for player 0, visits 3 and 1.
    fn bandit(proofs: &[Proof; 3]) -> Moves<'_> {
        const VALUES: [FirstValue; 3] = [FirstValue(0.5), FirstValue(-0.5), FirstValue(0.0)];
        Moves {
            priors: &[0.5, 0.25, 0.25],
            n_visits: &[3, 1, 0],
            values: &VALUES,
            proofs,
            n_tried: 2,
        }
    }

    #[test]
    fn the_mixed_value_and_the_scale_follow_the_formulas() {
        let completed = Completed::new(bandit(&[Open; 3]), Player::First, 0.1, &PARAMS);
        // Weighted by priors: (0.5 * 0.5 - 0.25 * 0.5) / 0.75 = 1/6; (0.1 + 4 / 6) / 5.
        assert!((completed.mixed - 0.153_333).abs() < 1e-5, "{completed:?}");
        // (c_visit 2 + 3 visits) * c_scale 0.5; a return of 0.5 is a score of 0.75.
        assert_eq!(completed.scale, 2.5);
        assert_eq!(completed.sigma(0.5), 1.875);
        // The other player sees everything reversed.
        let reversed = Completed::new(bandit(&[Open; 3]), Player::Second, -0.1, &PARAMS);
        assert_eq!(reversed.mixed, -completed.mixed);
        // Without visits the value is the evaluator's.
        let untried = Moves {
            n_tried: 0,
            ..bandit(&[Open; 3])
        };
        let completed = Completed::new(untried, Player::First, 0.1, &PARAMS);
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
        let choose = |mover, raw_value| select(bandit(&[Open; 3]), mover, raw_value, &PARAMS);
        // For player 0, with v_mix 0.1533: weights 0.5 e^1.875, 0.25 e^0.625, 0.25 e^1.4417 are
        // 3.2604, 0.4671, 1.0570, of 4.7845: shares 0.681, 0.098, 0.221, less 3/5, 1/5 and 0.
        assert_eq!(choose(Player::First, 0.1), 2);
        // For player 1, with v_mix -0.1533: 0.5 e^0.625, 0.25 e^1.875, 0.25 e^1.0583 are 0.9341,
        // 1.6302, 0.7204, of 3.2847: shares 0.284, 0.496, 0.219, less 3/5, 1/5 and 0.
        assert_eq!(choose(Player::Second, -0.1), 1);
    }

    #[test]
    fn visits_below_the_root_approach_the_improved_policy() {
        let values = [FirstValue(0.2), FirstValue(0.0), FirstValue(-0.1)];
        let mut n_visits = [1, 1, 1];
        // A constant scale, as with an endless c_visit.
        let params = GumbelParams {
            c_visit: 1e6,
            c_scale: 2e-6,
            ..PARAMS
        };
        for _ in 0..1000 {
            let moves = Moves {
                priors: &[0.2, 0.5, 0.3],
                n_visits: &n_visits,
                values: &values,
                proofs: &[Open; 3],
                n_tried: 3,
            };
            let chosen = select(moves, Player::First, 0.0, &params);
            n_visits[chosen] += 1;
        }
        // 0.2 e^0.2, 0.5, 0.3 e^-0.1, of 1.01573.
        for (n, share) in n_visits.into_iter().zip([0.240_5, 0.492_3, 0.267_2]) {
            assert!((n as f32 / 1003.0 - share).abs() < 0.01, "{n_visits:?}");
        }
    }

    #[test]
    fn a_lost_move_is_followed_only_where_all_are_lost() {
        let lost_first = [SecondWins, Open, Open];
        assert_ne!(select(bandit(&lost_first), Player::First, 0.0, &PARAMS), 0);
        let tried = Moves {
            priors: &[0.5, 0.5],
            n_visits: &[3, 1],
            values: &[FirstValue(1.0), FirstValue(1.0)],
            proofs: &[FirstWins, FirstWins],
            n_tried: 2,
        };
        assert_eq!(select(tried, Player::Second, 0.0, &PARAMS), 0);
    }

    #[test]
    fn the_root_takes_the_best_score_of_the_moves_with_the_wanted_visits() {
        let completed = Completed {
            mixed: 0.0,
            scale: 2.0,
            n_all: 4,
        };
        let moves = |proofs| Moves {
            n_visits: &[2, 2, 0],
            n_tried: 2,
            ..bandit(proofs)
        };
        let choose = |scores: [f32; 3], visits, mover, proofs| {
            let n_new = |rank: usize| [2, 2, 0][rank];
            select_root(moves(proofs), mover, &scores, n_new, visits, &completed)
        };
        // sigma is 1.5, 0.5 and 1 for player 0.
        assert_eq!(choose([0.0, 0.9, 9.0], 2, Player::First, &[Open; 3]), 0);
        assert_eq!(choose([0.0, 1.1, 9.0], 2, Player::First, &[Open; 3]), 1);
        assert_eq!(choose([0.0, 0.9, 9.0], 2, Player::Second, &[Open; 3]), 1);
        assert_eq!(choose([9.0, 9.0, 0.0], 0, Player::First, &[Open; 3]), 2);
        // The one that was halved away comes back before a lost one is looked at again.
        let lost = [SecondWins, SecondWins, Open];
        assert_eq!(choose([9.0, 9.0, 0.0], 2, Player::First, &lost), 2);
    }
}

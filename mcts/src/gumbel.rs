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

//! The formulas of Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and Silver, "Policy
//! improvement by planning with Gumbel", 2022). A move that is cut by proven bounds counts as not
//! there while there are others.

mod completed;
mod halving;

use rand::{Rng, RngExt};

pub(crate) use completed::{Completed, improved_policy, select};
pub(crate) use halving::{best_by, considered_visits, select_root};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::{Bounds, Cut, best_of};
    use crate::puct::Moves;
    use crate::value::FirstValue;
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

    pub const OPEN: [Bounds; 3] = [Bounds::OPEN; 3];

    /// Three moves, of which two are tried: values 0.5 and -0.5 for player 0, visits 3 and 1.
    pub fn bandit(mover: Player, bounds: &[Bounds; 3]) -> Moves<'_> {
        const VALUES: [FirstValue; 3] = [FirstValue(0.5), FirstValue(-0.5), FirstValue(0.0)];
        Moves {
            priors: &[0.5, 0.25, 0.25],
            n_visits: &[3, 1, 0],
            values: &VALUES,
            bounds,
            cut: Cut::new(mover, best_of(mover, bounds)),
            n_tried: 2,
        }
    }
}

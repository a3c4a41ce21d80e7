//! Priors: those of an evaluator made safe, and those of the root with noise.

use rand::Rng;
use rand_distr::multi::{Dirichlet, MultiDistribution};

/// Clears `out` and fills it with `priors` scaled to sum to 1; with equal shares where they are
/// no distribution (not finite, negative, all 0).
pub(crate) fn normalise(priors: &[f32], out: &mut Vec<f32>) {
    out.clear();
    let total = sum(priors);
    // Without an early exit, so that it runs in vectors.
    let none_negative = priors.iter().fold(true, |all, &prior| all & (prior >= 0.0));
    if none_negative && total > 0.0 && total.is_finite() {
        out.extend(priors.iter().map(|prior| prior / total));
    } else {
        out.resize(priors.len(), 1.0 / priors.len() as f32);
    }
}

/// The sum in eight interleaved parts, a fixed order that runs in vectors.
fn sum(values: &[f32]) -> f32 {
    let mut parts = [0.0; 8];
    let chunks = values.chunks_exact(parts.len());
    let rest: f32 = chunks.remainder().iter().sum();
    for chunk in chunks {
        for (part, value) in parts.iter_mut().zip(chunk) {
            *part += value;
        }
    }
    parts.iter().sum::<f32>() + rest
}

/// Mixes one draw of Dirichlet noise into those `priors` that are not 0: a move without any is one
/// that need not be looked at. With fewer than two such moves, or with parameters that no Dirichlet
/// distribution has, nothing happens.
pub(crate) fn add_noise<R: Rng + ?Sized>(
    priors: &mut [f32],
    share_of_noise: f32,
    alpha_total: f32,
    rng: &mut R,
) {
    let n = priors.iter().filter(|&&prior| prior > 0.0).count();
    let alpha = f64::from(alpha_total) / n as f64;
    let Ok(dirichlet) = Dirichlet::new(&vec![alpha; n]) else {
        return;
    };
    let mut draw = vec![0.0; n];
    dirichlet.sample_to_slice(rng, &mut draw);
    // Draws of a tiny alpha can all round to 0, which the division turns into NaN.
    if draw.iter().all(|share| share.is_finite()) {
        let open = priors.iter_mut().filter(|prior| **prior > 0.0);
        for (prior, share) in open.zip(draw) {
            *prior += share_of_noise * (share as f32 - *prior);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::random::stream;

    fn normalised(priors: &[f32]) -> Vec<f32> {
        let mut out = vec![9.0];
        normalise(priors, &mut out);
        out
    }

    #[test]
    fn priors_are_scaled_and_nonsense_becomes_uniform() {
        assert_eq!(normalised(&[1.0, 3.0]), [0.25, 0.75]);
        let nonsense = [
            [0.0, 0.0],
            [f32::NAN, 1.0],
            [f32::INFINITY, 1.0],
            [-1.0, 3.0],
            [f32::MAX, f32::MAX],
        ];
        for priors in nonsense {
            assert_eq!(normalised(&priors), [0.5, 0.5], "{priors:?}");
        }
    }

    #[test]
    fn noise_keeps_a_distribution_and_depends_on_the_stream_alone() {
        for alpha_total in [1e-3, 0.3, 10.83, 1e4] {
            let draw = |index| {
                let mut priors = [0.5, 0.25, 0.25, 0.0];
                add_noise(
                    &mut priors,
                    0.25,
                    alpha_total,
                    &mut stream(3, "noise", index),
                );
                priors
            };
            for index in 0..20 {
                let priors = draw(index);
                assert!(
                    (priors.iter().sum::<f32>() - 1.0).abs() < 1e-5,
                    "{priors:?}"
                );
                let raw = [0.5, 0.25, 0.25, 0.0];
                for (noisy, raw) in priors.iter().zip(raw) {
                    assert!(*noisy >= 0.75 * raw - 1e-6, "a fraction of 0.25 keeps 0.75");
                }
                assert_eq!(priors[3], 0.0, "a move without a prior gets no noise");
                assert_eq!(priors, draw(index));
            }
            assert_ne!(draw(0), draw(1));
        }
    }

    #[test]
    fn a_single_move_and_impossible_parameters_leave_the_priors() {
        let mut rng = stream(3, "noise", 0);
        let mut single = [1.0];
        add_noise(&mut single, 0.25, 10.83, &mut rng);
        assert_eq!(single, [1.0]);
        for alpha_total in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            let mut priors = [0.5, 0.5];
            add_noise(&mut priors, 0.25, alpha_total, &mut rng);
            assert_eq!(priors, [0.5, 0.5]);
        }
    }
}

//! Choosing a move in proportion to powers of its visits.

use rand::{Rng, RngExt};

/// Turns weights w into w^(1/T), scaled so that the greatest is 1. Weights of 0 stay 0.
///
/// Computed through logarithms, so that no temperature above 0 over- or underflows the greatest
/// weight.
pub(crate) fn temper(weights: &mut [f64], temperature: f64) {
    let greatest = weights.iter().copied().fold(0.0, f64::max);
    for weight in weights.iter_mut().filter(|weight| **weight > 0.0) {
        // Computed apart, as 0 / T is not 0 for the T that rounds to 0.
        *weight = if *weight == greatest {
            1.0
        } else {
            ((*weight / greatest).ln() / temperature).exp()
        };
    }
}

/// An index drawn in proportion to the weights.
///
/// # Panics
/// If no weight is above 0.
pub(crate) fn sample<R: Rng + ?Sized>(weights: &[f64], rng: &mut R) -> usize {
    let total: f64 = weights.iter().sum();
    let mut rest = rng.random::<f64>() * total;
    let mut last = None;
    for (index, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            last = Some(index);
            if rest < weight {
                break;
            }
            rest -= weight;
        }
    }
    // Rounding may leave a remainder after the last.
    last.expect("a weight above 0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::random::stream;

    fn tempered<const N: usize>(mut weights: [f64; N], temperature: f64) -> [f64; N] {
        temper(&mut weights, temperature);
        weights
    }

    #[test]
    fn temperature_one_keeps_the_proportions() {
        let [a, b, c] = tempered([10.0, 0.0, 40.0], 1.0);
        assert!((a - 0.25).abs() < 1e-12);
        assert_eq!([b, c], [0.0, 1.0]);
    }

    #[test]
    fn half_the_temperature_squares_the_proportions() {
        let [a, b] = tempered([10.0, 40.0], 0.5);
        assert!((a - 0.0625).abs() < 1e-12);
        assert_eq!(b, 1.0);
    }

    #[test]
    fn extreme_temperatures_stay_finite() {
        let visits = [4e9, 4e9 - 1.0, 1.0, 0.0];
        for temperature in [f64::MIN_POSITIVE, 1e-300, 1e-9] {
            assert_eq!(tempered(visits, temperature)[0], 1.0);
            assert_eq!(tempered(visits, temperature)[2..], [0.0, 0.0]);
        }
        let hot = tempered(visits, 1e300);
        assert_eq!(hot, [1.0, 1.0, 1.0, 0.0]);
        assert_eq!(tempered(visits, f64::INFINITY), hot);
    }

    #[test]
    fn samples_follow_the_weights_and_never_hit_a_zero() {
        let weights = [0.0, 1.0, 0.0, 3.0, 0.0];
        let mut rng = stream(1, "temperature", 0);
        let mut counts = [0_u32; 5];
        for _ in 0..10_000 {
            counts[sample(&weights, &mut rng)] += 1;
        }
        assert_eq!([counts[0], counts[2], counts[4]], [0; 3]);
        // A binomial share of 1/4 in 10,000 draws has a standard deviation of 43.
        assert!((counts[1] as i32 - 2500).abs() < 250, "{counts:?}");
    }
}

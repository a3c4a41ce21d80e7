//! Probabilities from logits, whatever the logits are.

use super::InstructionSet;
use crate::vectorized::vectorized;

/// What is computed at once, as one vector or two.
type Lanes = [f32; 8];

/// Turns logits into probabilities, in place: each is finite and at least 0, and they sum to 1.
/// Infinite logits count as the largest finite ones, and one that is not a number as the
/// smallest.
pub fn softmax(logits: &mut [f32]) {
    by_lanes(InstructionSet::best(), logits);
}

vectorized! {
    fn by_lanes(logits: &mut [f32]) {
        // Plain loops: what is a closure is not compiled for the instructions.
        let (whole, rest) = logits.as_chunks_mut();
        let mut last: Lanes = [f32::MIN; 8];
        last[..rest.len()].copy_from_slice(rest);

        let mut maxima: Lanes = [f32::MIN; 8];
        for lanes in &mut *whole {
            bound(lanes, &mut maxima);
        }
        bound(&mut last, &mut maxima);
        let mut largest = f32::MIN;
        for maximum in maxima {
            largest = largest.max(maximum);
        }

        for lanes in &mut *whole {
            raise(lanes, largest);
        }
        raise(&mut last, largest);
        rest.copy_from_slice(&last[..rest.len()]);

        // The largest contributes exactly 1, so the sum is never 0.
        let mut sum = 0.0;
        for &mut power in &mut *logits {
            sum += power;
        }
        for probability in logits {
            *probability /= sum;
        }
    }
}

/// Makes logits finite, and keeps the largest in each place.
#[inline(always)]
fn bound(logits: &mut Lanes, maxima: &mut Lanes) {
    for (logit, maximum) in logits.iter_mut().zip(maxima) {
        *logit = if logit.is_nan() {
            f32::MIN
        } else {
            logit.clamp(f32::MIN, f32::MAX)
        };
        *maximum = maximum.max(*logit);
    }
}

/// Powers of e in place of logits, that of the largest being 1.
#[inline(always)]
fn raise(logits: &mut Lanes, largest: f32) {
    for logit in logits {
        *logit = exp(*logit - largest);
    }
}

/// `e^x` for x of at most 0, with a relative error below 2e-7; 0 below -88.
///
/// Own code rather than the system's, so that all machines agree and the compiler can use vector
/// instructions. With x = n ln 2 + r and |r| at most half of ln 2, `e^x = 2^n e^r`, and the
/// Taylor series of `e^r` up to r^7 / 7! errs by less than 6e-9.
#[inline(always)]
fn exp(x: f32) -> f32 {
    // ln 2 in two parts, the first with so few digits that its product with n is exact.
    const LN_2_HIGH: f32 = 355.0 / 512.0;
    const LN_2_LOW: f32 = (std::f64::consts::LN_2 - 355.0 / 512.0) as f32;
    // Added to a number of moderate size, it leaves no room for a fraction: 1.5 * 2^23.
    const ROUND: f32 = 12_582_912.0;
    let x = x.max(-88.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;
    let mut e_r = 1.0 / 5040.0;
    for term in [
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ] {
        e_r = e_r * r + term;
    }
    // 2^n by its exponent bits, for the lowest bits of the rounded number are those of n; n is at least
    // -127, which gives 0.
    e_r * f32::from_bits((rounded.to_bits() + 127) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_within_its_bound_and_exact_at_0() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-88.1), 0.0);
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        for step in 0..870_000 {
            let x = -(step as f32) * 1e-4;
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 2e-7, "exp({x}) errs by {error}");
        }
    }

    #[test]
    fn probabilities_are_those_of_the_definition() {
        let logits = [0.5, -1.0, 2.0, 0.0];
        let mut probabilities = logits;
        softmax(&mut probabilities);
        let total: f64 = logits
            .iter()
            .map(|&logit: &f32| f64::from(logit).exp())
            .sum();
        for (probability, logit) in probabilities.iter().zip(logits) {
            let expected = f64::from(logit).exp() / total;
            assert!((f64::from(*probability) - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn all_instructions_agree_bit_for_bit() {
        for n in 0..40 {
            let logits: Vec<f32> = (0..n).map(|i| (i * 37 % 23) as f32 * 1.7 - 19.0).collect();
            let by = |instructions| {
                let mut logits = logits.clone();
                by_lanes(instructions, &mut logits);
                logits.into_iter().map(f32::to_bits).collect::<Vec<_>>()
            };
            for instructions in InstructionSet::available() {
                assert_eq!(
                    by(instructions),
                    by(InstructionSet::Portable),
                    "{instructions}"
                );
            }
        }
    }

    #[test]
    fn probabilities_are_sound_for_extreme_logits() {
        let (inf, nan) = (f32::INFINITY, f32::NAN);
        for (mut logits, expected) in [
            (vec![1e30, -1e30, 0.0], vec![1.0, 0.0, 0.0]),
            (vec![-1e30, -1e30], vec![0.5, 0.5]),
            (vec![1e30, 1e30], vec![0.5, 0.5]),
            (vec![f32::MAX, f32::MIN], vec![1.0, 0.0]),
            (vec![inf, 0.0, inf, -inf], vec![0.5, 0.0, 0.5, 0.0]),
            (vec![nan, 0.0], vec![0.0, 1.0]),
            (vec![nan, nan, nan, nan], vec![0.25; 4]),
            (vec![-inf, nan], vec![0.5, 0.5]),
            (vec![-3.0], vec![1.0]),
            (vec![], vec![]),
        ] {
            let given = logits.clone();
            softmax(&mut logits);
            assert_eq!(logits, expected, "{given:?}");
        }
    }
}

//! The loss of policies and values, an operation of our own on the CPU.

use crate::flex::{BackwardPass, has_gradients, on_tape, primitive, tensor, values};
use crate::leaf::softmax;
use burn::backend::flex::FlexTensor;
use burn::tensor::activation::log_softmax;
use burn::tensor::{Tensor, TensorData};

/// Far below any logit, so that what only pads a row gets probability 0, yet finite.
const PADDING_LOGIT: f32 = -1e9;

/// The cross-entropy between target probabilities and those of logits, in nats: the mean over
/// the rows, B >= 1 of them.
///
/// # Shapes
/// `logits` and `targets` are `[B, L]`. Row b has `sizes[b]` logits, 1 to L; the rest of it is padding, without
/// probability. The result is `[1]`.
///
/// # Panics
/// If the shapes differ, or a row has no logit.
#[must_use]
pub fn cross_entropy(logits: Tensor<2>, targets: Vec<f32>, sizes: &[usize]) -> Tensor<1> {
    let [n_rows, length] = logits.dims();
    assert_eq!(sizes.len(), n_rows, "sizes of rows");
    assert_eq!(targets.len(), n_rows * length, "targets");
    let fits = |&size: &usize| (1..=length).contains(&size);
    assert!(sizes.iter().all(fits), "rows of 1 to {length} logits");
    if has_gradients(&logits.device()) {
        on_tape([primitive(logits)], |[logits]| {
            let (loss, slopes) = loss_and_slopes(values(&logits), targets, sizes, length);
            let slopes = Slopes(tensor(slopes, [n_rows, length]));
            (tensor(vec![loss], [1]), slopes)
        })
    } else {
        by_burn(logits, targets, sizes)
    }
}

fn by_burn(logits: Tensor<2>, targets: Vec<f32>, sizes: &[usize]) -> Tensor<1> {
    let [n_rows, length] = logits.dims();
    let device = logits.device();
    let mut padding = vec![PADDING_LOGIT; n_rows * length];
    for (row, &size) in padding.chunks_exact_mut(length).zip(sizes) {
        row[..size].fill(0.0);
    }
    let rows = |values| Tensor::<2>::from_data(TensorData::new(values, [n_rows, length]), &device);
    rows(targets)
        .mul(log_softmax(logits + rows(padding), 1))
        .sum()
        .div_scalar(n_rows as f32)
        .neg()
}

/// The loss, and its slopes by the logits: `(p * sum of t - t) / B`, with probabilities p and
/// targets t.
fn loss_and_slopes(
    logits: &[f32],
    targets: Vec<f32>,
    sizes: &[usize],
    length: usize,
) -> (f32, Vec<f32>) {
    let scale = 1.0 / sizes.len() as f32;
    let mut slopes = targets;
    let mut loss = 0.0;
    let mut probabilities = Vec::with_capacity(length);
    let rows = slopes
        .chunks_exact_mut(length)
        .zip(logits.chunks_exact(length));
    for ((targets, logits), &size) in rows.zip(sizes) {
        let (targets, padding) = targets.split_at_mut(size);
        padding.fill(0.0);
        let logits = &logits[..size];
        probabilities.clear();
        probabilities.extend_from_slice(logits);
        softmax(&mut probabilities);
        // The largest probability is 1 / sum of exp(logit - largest).
        let top = largest(logits);
        let log_sum = -largest(&probabilities).ln();
        let mut sum = 0.0;
        for (&target, &logit) in targets.iter().zip(logits) {
            sum += target;
            loss += f64::from(target * (top - logit + log_sum));
        }
        for (target, probability) in targets.iter_mut().zip(&probabilities) {
            *target = (probability * sum - *target) * scale;
        }
    }
    ((loss * f64::from(scale)) as f32, slopes)
}

fn largest(values: &[f32]) -> f32 {
    let mut largest = f32::MIN;
    for &value in values {
        largest = largest.max(value);
    }
    largest
}

/// The slopes of the loss by the logits.
#[derive(Clone, Debug)]
struct Slopes(FlexTensor);

impl BackwardPass<1> for Slopes {
    fn input_gradients(self, output_gradient: FlexTensor) -> [FlexTensor; 1] {
        let factor = values(&output_gradient)[0];
        let Slopes(mut slopes) = self;
        for slope in slopes.storage_mut::<f32>() {
            *slope *= factor;
        }
        [slopes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    const LENGTH: usize = 4;
    const SIZES: [usize; 3] = [4, 1, 2];

    fn targets() -> Vec<f32> {
        vec![
            0.5, 0.25, 0.25, 0.0, //
            1.0, 0.0, 0.0, 0.0, //
            0.125, 0.25, 0.0, 0.0, // not a distribution
        ]
    }

    /// The loss and the slopes of three times it.
    fn run(loss: impl Fn(Tensor<2>) -> Tensor<1>, logits: &[f32]) -> (f32, Vec<f32>) {
        let device = Device::flex().autodiff();
        let logits = TensorData::new(logits.to_vec(), [SIZES.len(), LENGTH]);
        let logits = Tensor::<2>::from_data(logits, &device).require_grad();
        let loss = loss(logits.clone());
        let gradients = loss.clone().mul_scalar(3.0).backward();
        let slopes = logits.grad(&gradients).unwrap().into_data();
        (loss.into_scalar(), slopes.try_into_vec().unwrap())
    }

    #[test]
    fn loss_and_slopes_are_those_of_burn() {
        let logits = [
            0.5, -3.0, 30.0, -90.0, 2.0, 7.0, 7.0, 7.0, -1.0, 1.5, 99.0, 0.0,
        ];
        let (loss, slopes) = run(|logits| cross_entropy(logits, targets(), &SIZES), &logits);
        let theirs = run(|logits| by_burn(logits, targets(), &SIZES), &logits);
        assert!((loss - theirs.0).abs() < 1e-5, "{loss} is not {}", theirs.0);
        for (slope, their) in slopes.iter().zip(&theirs.1) {
            assert!((slope - their).abs() < 1e-6, "{slope} is not {their}");
        }
    }

    #[test]
    fn padding_has_neither_probability_nor_slope() {
        let logits = [1.0; 12];
        let mut others = logits;
        for padding in [5, 6, 7, 10, 11] {
            others[padding] = 1e6;
        }
        let of = |logits: &[f32]| run(|logits| cross_entropy(logits, targets(), &SIZES), logits);
        assert_eq!(of(&logits), of(&others));
        assert_eq!(of(&others).1[5..8], [0.0; 3]);
    }

    #[test]
    fn a_logit_that_is_no_number_makes_a_loss_that_is_none() {
        for bad in [f32::NAN, f32::INFINITY] {
            let mut logits = [0.0; 12];
            logits[1] = bad;
            let (loss, _) = run(|logits| cross_entropy(logits, targets(), &SIZES), &logits);
            assert!(!loss.is_finite());
        }
    }
}

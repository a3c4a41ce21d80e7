//! The policy of a batch.

use crate::flex::{BackwardPass, has_gradients, on_tape, primitive, tensor, values, with_values};
use crate::leaf::softmax;
use burn::backend::flex::FlexTensor;
use burn::tensor::{Int, Tensor, TensorData};
use std::sync::Arc;

/// The logits of actions of B positions.
#[derive(Clone, Debug)]
pub enum PolicyLogits {
    /// `[B, L]`: one for each action that the batch lists.
    Listed(Tensor<2>),
    /// `[B, P * H * W]`: one for each policy slot.
    Slots(Tensor<2>),
}

impl PolicyLogits {
    /// The logits at some slots of each position.
    ///
    /// # Shapes
    /// `slots` is `[B, L]`, numbers below `P * H * W`; so is the result, `[B, L]`.
    ///
    /// # Panics
    /// If there are not equally many slots for each position, there is no such slot, or the logits are
    /// [listed](PolicyLogits::Listed) and have no slots.
    #[must_use]
    pub fn at(&self, slots: &[u32]) -> Tensor<2> {
        let PolicyLogits::Slots(logits) = self else {
            panic!("the logits of listed actions have no slots");
        };
        let [n_rows, n_slots] = logits.dims();
        let length = slots.len() / n_rows;
        assert_eq!(slots.len(), n_rows * length, "slots of each position");
        let exists = |&slot: &u32| (slot as usize) < n_slots;
        assert!(slots.iter().all(exists), "slots below {n_slots}");
        if has_gradients(&logits.device()) {
            picked(logits.clone(), slots, length)
        } else {
            by_burn(logits.clone(), slots, length)
        }
    }

    /// The mean share of probability that is not on a position's legal slots, were all slots legal; 0 for
    /// [listed](PolicyLogits::Listed) logits; not a number if a logit is not finite.
    ///
    /// # Shapes
    /// `slots` is `[B, L]`, as for [`at`](Self::at). The first `n_legal[b]` of row b are legal.
    ///
    /// # Panics
    /// If there is no such slot, or there are not `B` rows.
    #[must_use]
    pub fn illegal_share(&self, slots: &[u32], n_legal: &[usize]) -> f32 {
        let PolicyLogits::Slots(logits) = self else {
            return 0.0;
        };
        let [n_rows, n_slots] = logits.dims();
        assert_eq!(n_legal.len(), n_rows, "numbers of legal actions");
        with_values(logits, |logits| {
            let mut row = Vec::with_capacity(n_slots);
            let mut sum = 0.0;
            let rows = logits.chunks_exact(n_slots);
            for ((logits, slots), &n) in rows
                .zip(slots.chunks_exact(slots.len() / n_rows))
                .zip(n_legal)
            {
                if !logits.iter().all(|logit| logit.is_finite()) {
                    return f32::NAN;
                }
                row.clear();
                row.extend_from_slice(logits);
                softmax(&mut row);
                let legal: f32 = slots[..n].iter().map(|&slot| row[slot as usize]).sum();
                sum += 1.0 - legal;
            }
            sum / n_rows as f32
        })
    }
}

fn by_burn(logits: Tensor<2>, slots: &[u32], length: usize) -> Tensor<2> {
    let slots: Vec<i32> = slots.iter().map(|&slot| slot as i32).collect();
    let slots = TensorData::new(slots, [logits.dims()[0], length]);
    let slots = Tensor::<2, Int>::from_data(slots, &logits.device());
    logits.gather(1, slots)
}

/// The same, an operation of our own on the CPU.
fn picked(logits: Tensor<2>, slots: &[u32], length: usize) -> Tensor<2> {
    let [n_rows, n_slots] = logits.dims();
    on_tape([primitive(logits)], |[logits]| {
        let mut picked = Vec::with_capacity(slots.len());
        let rows = values(&logits).chunks_exact(n_slots);
        for (row, slots) in rows.zip(slots.chunks_exact(length)) {
            picked.extend(slots.iter().map(|&slot| row[slot as usize]));
        }
        let back = BackFromPicked {
            slots: slots.into(),
            n_slots,
        };
        (tensor(picked, [n_rows, length]), back)
    })
}

#[derive(Clone, Debug)]
struct BackFromPicked {
    slots: Arc<[u32]>,
    n_slots: usize,
}

impl BackwardPass<1> for BackFromPicked {
    fn input_gradients(self, gradient: FlexTensor) -> [FlexTensor; 1] {
        let BackFromPicked { slots, n_slots } = self;
        let [n_rows, length] = gradient.layout().shape().dims::<2>();
        let mut of_all = vec![0.0; n_rows * n_slots];
        let rows = of_all.chunks_exact_mut(n_slots);
        let picked = values(&gradient).chunks_exact(length);
        for ((row, gradient), slots) in rows.zip(picked).zip(slots.chunks_exact(length)) {
            // Padding repeats a slot.
            for (&slot, gradient) in slots.iter().zip(gradient) {
                row[slot as usize] += gradient;
            }
        }
        [tensor(of_all, [n_rows, n_slots])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    #[test]
    fn picking_is_that_of_burn_there_and_back() {
        let device = Device::flex().autodiff();
        let run = |at: fn(Tensor<2>, &[u32], usize) -> Tensor<2>| {
            let logits = Tensor::<2>::from_floats([[0.5, 1.5, 2.5], [3.5, 4.5, 5.5]], &device);
            let logits = logits.require_grad();
            let picked = at(logits.clone(), &[2, 0, 0, 0, 1, 1, 1, 2], 4);
            let slopes = [[1.0, 2.0, 4.0, 8.0], [16.0, 32.0, 64.0, 128.0]];
            let slopes = Tensor::<2>::from_floats(slopes, &device);
            let gradients = picked.clone().mul(slopes).sum().backward();
            [picked, logits.grad(&gradients).unwrap()]
                .map(|tensor| tensor.into_data().try_into_vec::<f32>().unwrap())
        };
        assert_eq!(run(picked), run(by_burn));
        let [there, back] = run(picked);
        assert_eq!(there, [2.5, 0.5, 0.5, 0.5, 4.5, 4.5, 4.5, 5.5]);
        assert_eq!(back, [14.0, 0.0, 1.0, 0.0, 112.0, 128.0]);
    }

    #[test]
    fn the_illegal_share_is_what_the_legal_slots_lack() {
        for device in [Device::flex(), Device::flex().autodiff()] {
            let share = |logits: [[f32; 3]; 2]| {
                let logits = PolicyLogits::Slots(Tensor::from_floats(logits, &device));
                // Slots 0 and 2 are legal in the first position, 1 in the second.
                logits.illegal_share(&[0, 2, 1, 0], &[2, 1])
            };
            let [a, b, c] = [0.2_f32, 0.3, 0.5].map(f32::ln);
            let expected = (0.3 + 0.8) / 2.0;
            assert!((share([[a, b, c], [b, a, c]]) - expected).abs() < 1e-6);
            for bad in [f32::NAN, f32::INFINITY] {
                assert!(share([[a, bad, c], [b, a, c]]).is_nan());
            }
        }
    }

    #[test]
    #[should_panic(expected = "slots below 3")]
    fn a_slot_that_is_not_there_is_refused() {
        let logits = Tensor::<2>::zeros([1, 3], &Device::flex());
        let _ = PolicyLogits::Slots(logits).at(&[3]);
    }
}

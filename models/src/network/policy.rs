//! The policy of a batch.

use crate::flex::{BackwardPass, has_gradients, on_tape, primitive, tensor, values};
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
    #[should_panic(expected = "slots below 3")]
    fn a_slot_that_is_not_there_is_refused() {
        let logits = Tensor::<2>::zeros([1, 3], &Device::flex());
        let _ = PolicyLogits::Slots(logits).at(&[3]);
    }
}

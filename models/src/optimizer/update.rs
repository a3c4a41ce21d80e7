//! What one step does to weights and moments.

use super::OptimizerConfig;
use crate::WeightTensor;
use crate::leaf::InstructionSet;
use crate::vectorized::vectorized;

/// The numbers of one step, the same for every weight.
pub(super) struct Update {
    beta_1: f32,
    beta_2: f32,
    epsilon: f32,
    /// What every gradient is multiplied by.
    clip: f32,
    /// The learning rate over the bias correction of the first moment.
    rate: f32,
    /// The root of the bias correction of the second moment.
    root_correction: f32,
    /// The share of itself that a decaying weight loses.
    decay: f32,
}

impl Update {
    pub fn new(config: &OptimizerConfig, step: u64, norm: f64, learning_rate: f64) -> Self {
        let correction = |beta: f64| 1.0 - beta.powf(step as f64);
        let clip = if norm > config.max_gradient_norm {
            config.max_gradient_norm / norm
        } else {
            1.0
        };
        Update {
            beta_1: config.beta_1 as f32,
            beta_2: config.beta_2 as f32,
            epsilon: config.epsilon as f32,
            clip: clip as f32,
            rate: (learning_rate / correction(config.beta_1)) as f32,
            root_correction: correction(config.beta_2).sqrt() as f32,
            decay: (learning_rate * config.weight_decay) as f32,
        }
    }

    /// Changes a tensor whose gradient is whole.
    pub fn apply(
        &self,
        gradient: &WeightTensor,
        first: &mut WeightTensor,
        second: &mut WeightTensor,
        weight: &mut WeightTensor,
    ) {
        let decay = if weight.shape.len() >= 2 {
            self.decay
        } else {
            0.0
        };
        let values = [
            &mut first.values[..],
            &mut second.values[..],
            &mut weight.values[..],
        ];
        adam(
            InstructionSet::best(),
            self,
            decay,
            &gradient.values,
            values,
        );
    }

    /// Changes a row of a table.
    pub fn apply_to_row(&self, gradient: &[f32], values: [&mut [f32]; 3]) {
        adam(InstructionSet::best(), self, self.decay, gradient, values);
    }
}

vectorized! {
    /// One step of first moments, second moments and weights.
    fn adam(update: &Update, decay: f32, gradients: &[f32], values: [&mut [f32]; 3]) {
        let [first, second, weights] = values;
        let kept = 1.0 - decay;
        let moments = first.iter_mut().zip(second);
        let values = weights.iter_mut().zip(gradients);
        for ((first, second), (weight, &gradient)) in moments.zip(values) {
            let gradient = gradient * update.clip;
            *first = update.beta_1 * *first + (1.0 - update.beta_1) * gradient;
            *second = update.beta_2 * *second + (1.0 - update.beta_2) * gradient * gradient;
            let deviation = second.sqrt() / update.root_correction + update.epsilon;
            *weight = *weight * kept - update.rate * *first / deviation;
        }
    }
}

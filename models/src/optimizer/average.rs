//! The moving average of weights.

use crate::leaf::InstructionSet;
use crate::vectorized::vectorized;
use crate::{Network, Weights};
use std::collections::BTreeMap;

/// `decay * average + (1 - decay) * weight` after each step.
///
/// A row of a table keeps its weights through the steps that do not see it, so its average catches
/// up by a power of the decay when it is seen again, or asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Average {
    decay: f32,
    weights: Weights,
    /// The step that the averages of those rows are up to that are not at `start`, by table.
    steps: BTreeMap<String, Vec<u64>>,
    start: u64,
}

impl Average {
    /// An average that starts from weights.
    pub fn new(decay: f32, weights: Weights) -> Average {
        Average {
            decay,
            weights,
            steps: BTreeMap::new(),
            start: 0,
        }
    }

    /// All of it is up to this step.
    pub fn start_at(&mut self, step: u64) {
        self.steps.clear();
        self.start = step;
    }

    /// Follows weights through a step.
    pub fn follow(&mut self, weights: &Weights) {
        let instructions = InstructionSet::best();
        for (name, tensor) in weights.iter() {
            let average = self.weights.get_mut(name).expect("weights of the network");
            mix(
                instructions,
                &mut average.values,
                &tensor.values,
                self.decay,
            );
        }
    }

    /// The average of a table, of which step number `step` changes some rows.
    pub fn table(&mut self, name: &str, step: u64) -> TableAverage<'_> {
        let tensor = self.weights.get_mut(name).expect("a table of the network");
        let start = self.start;
        let steps = self.steps.entry(name.to_owned());
        TableAverage {
            decay: self.decay,
            width: tensor.shape[1],
            steps: steps.or_insert_with(|| vec![start; tensor.shape[0]]),
            values: &mut tensor.values,
            step,
        }
    }

    /// The average after step number `step`, of all rows.
    pub fn of(&mut self, network: &Network, step: u64) -> Weights {
        for (name, table) in network.tables() {
            let [_, width] = table.dims();
            let mut average = self.table(name, step + 1);
            for (row, values) in table.values().chunks_exact(width).enumerate() {
                average.catch_up(row, values);
            }
        }
        self.start_at(step);
        self.weights.clone()
    }
}

/// The average of one table.
pub(super) struct TableAverage<'a> {
    decay: f32,
    width: usize,
    values: &'a mut [f32],
    steps: &'a mut [u64],
    step: u64,
}

impl TableAverage<'_> {
    /// Brings the average of a row up to the step before, through which it had these weights.
    pub fn catch_up(&mut self, row: usize, weights: &[f32]) {
        let n_missed = self.step - 1 - self.steps[row];
        if n_missed > 0 {
            let decay = f64::from(self.decay).powf(n_missed as f64) as f32;
            self.mix(row, weights, decay);
            self.steps[row] = self.step - 1;
        }
    }

    /// Follows a row through the step.
    pub fn follow(&mut self, row: usize, weights: &[f32]) {
        self.mix(row, weights, self.decay);
        self.steps[row] = self.step;
    }

    fn mix(&mut self, row: usize, weights: &[f32], decay: f32) {
        let average = &mut self.values[row * self.width..][..self.width];
        mix(InstructionSet::best(), average, weights, decay);
    }
}

vectorized! {
    fn mix(average: &mut [f32], weights: &[f32], decay: f32) {
        for (average, weight) in average.iter_mut().zip(weights) {
            *average = decay * *average + (1.0 - decay) * weight;
        }
    }
}

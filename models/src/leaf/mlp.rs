//! The perceptron: one product for each layer.

use super::InstructionSet;
use super::pack::dense;
use super::panels::{Product, Rows};
use crate::{NetworkShape, Weights};

/// Positions computed together: enough rows to use the registers, few enough for the cache.
const CHUNK: usize = 32;

#[derive(Debug)]
pub(super) struct Mlp {
    n_inputs: usize,
    n_slots: usize,
    hidden: Vec<Product>,
    /// Policy slots, then win, draw, loss, then the points lead.
    heads: Product,
    /// `0..CHUNK`.
    numbers: Vec<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Buffers {
    features: [Vec<f32>; 2],
    heads: Vec<f32>,
}

impl Mlp {
    /// From weights that are known to fit.
    pub fn new(n_hidden: usize, shape: &NetworkShape, weights: &Weights) -> Mlp {
        Mlp {
            n_inputs: shape.n_inputs(),
            n_slots: shape.n_slots(),
            hidden: (0..n_hidden)
                .map(|index| dense(weights, &[&format!("hidden.{index}")]))
                .collect(),
            heads: dense(weights, &["policy", "wdl", "points"]),
            numbers: (0..CHUNK).collect(),
        }
    }

    /// How many positions are computed together.
    pub fn chunk(&self) -> usize {
        CHUNK
    }

    /// Where the logit of each policy slot stands in a position's policy.
    pub fn slot_offsets(&self) -> Vec<usize> {
        (0..self.n_slots).collect()
    }

    /// Evaluates up to [`chunk`](Mlp::chunk) observations.
    pub fn forward(
        &self,
        instructions: InstructionSet,
        n_positions: usize,
        observations: &[f32],
        buffers: &mut Buffers,
    ) {
        let numbers = &self.numbers[..n_positions];
        let [from, to] = &mut buffers.features;
        let mut input = observations;
        let mut input_stride = self.n_inputs;
        let apply = |product: &Product, input: &[f32], stride, output: &mut Vec<f32>, relu| {
            let n_outputs = product.n_padded_outputs();
            output.resize(n_positions * n_outputs, 0.0);
            let mut rows = Rows {
                input,
                inputs: numbers,
                input_stride: stride,
                segment_stride: 0,
                output,
                outputs: numbers,
                accumulate: false,
                relu,
            };
            product.apply(instructions, &mut rows);
        };
        for product in &self.hidden {
            apply(product, input, input_stride, to, true);
            std::mem::swap(from, to);
            input = from;
            input_stride = product.n_padded_outputs();
        }
        apply(&self.heads, input, input_stride, &mut buffers.heads, false);
    }

    /// The policy and the value of one of the positions evaluated last.
    pub fn outputs<'a>(&self, position: usize, buffers: &'a Buffers) -> (&'a [f32], &'a [f32]) {
        let n_outputs = self.heads.n_padded_outputs();
        buffers.heads[position * n_outputs..][..n_outputs].split_at(self.n_slots)
    }
}

//! Global pooling: from the whole of each board to what is added to all of its cells.

use super::InstructionSet;
use super::boards::Boards;
use super::pack::tensor;
use super::panels::{PANEL, Product, Rows};
use crate::Weights;
use crate::vectorized::{panels, panels_mut, vectorized};

/// The dense layer of a block that pools.
#[derive(Debug)]
pub(super) struct Pooling {
    /// From means and greatest values, as many of each as channels are stored.
    dense: Product,
    n_stored: usize,
}

#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// `[positions]` times means and greatest values.
    pooled: Vec<f32>,
    /// `[positions]` times what is added to a cell.
    added: Vec<f32>,
}

impl Pooling {
    /// From weights that are known to fit, for so many stored channels a cell, whole panels of
    /// them. `None` if the layer of this name does not exist.
    pub fn new(weights: &Weights, name: &str, n_stored: usize) -> Option<Pooling> {
        let weight = weights.get(&format!("{name}.weight"))?;
        let bias = tensor(weights, &format!("{name}.bias"));
        let n_channels = bias.values.len();
        let dense = Product::pack(
            [1, 2 * n_stored, n_channels],
            |_, input, output| {
                let (part, channel) = (input / n_stored, input % n_stored);
                if channel < n_channels {
                    weight.values[(part * n_channels + channel) * n_channels + output]
                } else {
                    0.0
                }
            },
            |output| bias.values[output],
        );
        Some(Pooling { dense, n_stored })
    }

    /// Reads features `[positions][H + 2][W + 2][channels]` and writes to each cell of `added`,
    /// which has the same form, what is added to it.
    pub fn apply(
        &self,
        instructions: InstructionSet,
        (boards, n_positions): (&Boards, usize),
        features: &[f32],
        added: &mut [f32],
        buffers: &mut Buffers,
    ) {
        let (n_pooled, n_added) = (2 * self.n_stored, self.dense.n_padded_outputs());
        buffers.pooled.resize(n_positions * n_pooled, 0.0);
        buffers.added.resize(n_positions * n_added, 0.0);
        let centres = boards.centres.chunks_exact(boards.n_cells());
        let pooled = buffers.pooled.chunks_exact_mut(n_pooled);
        for (pooled, centres) in pooled.zip(centres.clone()) {
            pool(instructions, features, centres, pooled);
        }
        let numbers = &boards.numbers[..n_positions];
        let mut rows = Rows {
            input: &buffers.pooled,
            inputs: numbers,
            input_stride: n_pooled,
            segment_stride: 0,
            output: &mut buffers.added,
            outputs: numbers,
            accumulate: false,
            relu: false,
        };
        self.dense.apply(instructions, &mut rows);
        for (sums, centres) in buffers.added.chunks_exact(n_added).zip(centres) {
            for &cell in centres {
                added[cell * self.n_stored..][..n_added].copy_from_slice(sums);
            }
        }
    }
}

vectorized! {
    /// The mean of each channel over some cells, then the greatest value, in their order.
    fn pool(features: &[f32], cells: &[usize], pooled: &mut [f32]) {
        let n_panels = pooled.len() / (2 * PANEL);
        let features = panels(features);
        let (means, maxima) = panels_mut(pooled).split_at_mut(n_panels);
        for (panel, (mean, maximum)) in means.iter_mut().zip(maxima).enumerate() {
            let mut sum = [0.0; PANEL];
            let mut greatest = [f32::MIN; PANEL];
            for &cell in cells {
                let values = &features[cell * n_panels + panel];
                for lane in 0..PANEL {
                    sum[lane] += values[lane];
                    greatest[lane] = if values[lane] > greatest[lane] {
                        values[lane]
                    } else {
                        greatest[lane]
                    };
                }
            }
            *mean = sum.map(|sum| sum / cells.len() as f32);
            *maximum = greatest;
        }
    }
}

//! The trunk of the residual network: stem and blocks as products over the cells of a padded board.
//!
//! A board is stored cell by cell, all channels of a cell side by side, with a border of zeros
//! one cell wide. The nine cells that a 3x3 convolution reads are then three pieces of three
//! cells each, in place: nothing is copied. Batch norm is folded into weights and biases.

use super::InstructionSet;
use super::boards::Boards;
use super::pack::Folded;
use super::panels::{Product, Rows};
use crate::Weights;

#[derive(Debug)]
pub(super) struct Trunk {
    n_planes: usize,
    stem: Product,
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    first: Product,
    second: Product,
}

#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// `[positions][H + 2][W + 2][C]`.
    observations: Vec<f32>,
    /// The same in the middle of a block.
    middle: Vec<f32>,
}

impl Trunk {
    /// From weights that are known to fit.
    pub fn new(n_blocks: usize, n_planes: usize, weights: &Weights) -> Trunk {
        let stem = Folded::new(weights, "stem").pack_3x3(n_planes);
        let n_stored = stem.n_padded_outputs();
        let half = |block: usize, half: &str| {
            Folded::new(weights, &format!("blocks.{block}.{half}")).pack_3x3(n_stored)
        };
        Trunk {
            n_planes,
            blocks: (0..n_blocks)
                .map(|block| Block {
                    first: half(block, "first"),
                    second: half(block, "second"),
                })
                .collect(),
            stem,
        }
    }

    /// How many channels a cell of the features takes, with padding.
    pub fn n_stored(&self) -> usize {
        self.stem.n_padded_outputs()
    }

    /// Writes the features of observations `[positions, C, H, W]` onto padded boards,
    /// `[positions][H + 2][W + 2][channels]`.
    pub fn forward(
        &self,
        instructions: InstructionSet,
        boards: &Boards,
        observations: &[f32],
        features: &mut [f32],
        buffers: &mut Buffers,
    ) {
        let n_positions = observations.len() / (self.n_planes * boards.n_cells());
        let n_cells = n_positions * boards.n_cells();
        let n_padded = boards.n_padded_cells() * boards.n_positions();
        buffers.observations.resize(n_padded * self.n_planes, 0.0);
        buffers.middle.resize(n_padded * self.n_stored(), 0.0);
        for (board, centres) in boards.each(observations, self.n_planes) {
            for (plane, values) in board.chunks_exact(boards.n_cells()).enumerate() {
                for (value, centre) in values.iter().zip(centres) {
                    buffers.observations[centre * self.n_planes + plane] = *value;
                }
            }
        }

        let convolve = |product: &Product, n_stored, input: &[f32], output: &mut [f32], add| {
            let mut rows = Rows {
                input,
                inputs: &boards.corners[..n_cells],
                input_stride: n_stored,
                segment_stride: boards.padded_width() * n_stored,
                output,
                outputs: &boards.centres[..n_cells],
                accumulate: add,
                relu: true,
            };
            product.apply(instructions, &mut rows);
        };
        let channels = self.n_stored();
        let Buffers {
            observations,
            middle,
        } = buffers;
        convolve(&self.stem, self.n_planes, observations, features, false);
        for block in &self.blocks {
            convolve(&block.first, channels, features, middle, false);
            convolve(&block.second, channels, middle, features, true);
        }
    }
}

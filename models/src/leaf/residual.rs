//! The residual network: convolutions as products over the cells of a padded board.
//!
//! A board is stored cell by cell, all channels of a cell side by side, with a border of zeros
//! one cell wide. The nine cells that a 3x3 convolution reads are then three pieces of three
//! cells each, in place: nothing is copied. Batch norm is folded into weights and biases.

use super::InstructionSet;
use super::pack::{Folded, convolution_1x1, dense, dense_over_cells, pack_both_1x1};
use super::product::{Product, Rows};
use crate::parameters::POLICY_CHANNELS;
use crate::{NetworkShape, Weights};

/// About how many cells are computed together: enough that loading the weights does not count.
const CHUNK_CELLS: usize = 256;

#[derive(Debug)]
pub(super) struct Residual {
    shape: NetworkShape,
    stem: Product,
    blocks: Vec<[Product; 2]>,
    /// The hidden channels of the policy head, then those of the value head.
    head_cells: Product,
    policy: Product,
    value_hidden: Product,
    /// Win, draw, loss, then the points lead.
    value: Product,
    places: Places,
}

/// Where the cells of a chunk's boards stand, position by position.
#[derive(Debug)]
struct Places {
    /// On padded boards, the first of the nine cells around each cell.
    corners: Vec<usize>,
    /// On padded boards, the cell itself.
    centres: Vec<usize>,
    /// On boards without border.
    numbers: Vec<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// `[positions][H + 2][W + 2][C]`.
    observations: Vec<f32>,
    /// `[positions][H + 2][W + 2][channels]`: what the blocks change.
    trunk: Vec<f32>,
    /// The same in the middle of a block.
    middle: Vec<f32>,
    /// `[positions][H][W]` times the hidden channels of both heads.
    head_cells: Vec<f32>,
    /// `[positions][H][W][P]`.
    policy: Vec<f32>,
    value_hidden: Vec<f32>,
    /// `[positions]` times the outputs.
    value: Vec<f32>,
}

impl Residual {
    /// From weights that are known to fit.
    pub fn new(n_blocks: usize, shape: &NetworkShape, weights: &Weights) -> Residual {
        let stem = Folded::new(weights, "stem").pack_3x3(shape.observation[0]);
        let n_stored = stem.n_padded_outputs();
        let half = |block: usize, half: &str| {
            Folded::new(weights, &format!("blocks.{block}.{half}")).pack_3x3(n_stored)
        };
        Residual {
            shape: *shape,
            blocks: (0..n_blocks)
                .map(|block| [half(block, "first"), half(block, "second")])
                .collect(),
            stem,
            head_cells: pack_both_1x1(
                &Folded::new(weights, "policy_hidden"),
                &Folded::new(weights, "value_cells"),
            ),
            policy: convolution_1x1(weights, "policy"),
            value_hidden: dense_over_cells(weights, "value_hidden", shape.n_cells()),
            value: dense(weights, &["wdl", "points"]),
            places: Places::new(shape),
        }
    }

    /// How many positions are computed together.
    pub fn chunk(&self) -> usize {
        chunk(&self.shape)
    }

    /// Where the logit of each policy slot stands in a position's policy.
    pub fn slot_offsets(&self) -> Vec<usize> {
        let (n_cells, stride) = (self.shape.n_cells(), self.policy.n_padded_outputs());
        (0..self.shape.n_slots())
            .map(|slot| slot % n_cells * stride + slot / n_cells)
            .collect()
    }

    /// Evaluates up to [`chunk`](Residual::chunk) observations.
    pub fn forward(
        &self,
        instructions: InstructionSet,
        n_positions: usize,
        observations: &[f32],
        buffers: &mut Buffers,
    ) {
        let [planes, height, width] = self.shape.observation;
        let n_cells = n_positions * self.shape.n_cells();
        let corners = &self.places.corners[..n_cells];
        let centres = &self.places.centres[..n_cells];
        let numbers = &self.places.numbers[..n_cells];
        let channels = self.stem.n_padded_outputs();
        buffers.resize(self);
        self.place(observations, &mut buffers.observations);

        let convolve = |product: &Product, n_stored, input: &[f32], output: &mut [f32], add| {
            let mut rows = Rows {
                input,
                inputs: corners,
                input_stride: n_stored,
                segment_stride: (width + 2) * n_stored,
                output,
                outputs: centres,
                accumulate: add,
                relu: true,
            };
            product.apply(instructions, &mut rows);
        };
        convolve(
            &self.stem,
            planes,
            &buffers.observations,
            &mut buffers.trunk,
            false,
        );
        for [first, second] in &self.blocks {
            convolve(first, channels, &buffers.trunk, &mut buffers.middle, false);
            convolve(second, channels, &buffers.middle, &mut buffers.trunk, true);
        }

        let n_head_channels = self.head_cells.n_padded_outputs();
        let mut rows = Rows {
            input: &buffers.trunk,
            inputs: centres,
            input_stride: channels,
            segment_stride: 0,
            output: &mut buffers.head_cells,
            outputs: numbers,
            accumulate: false,
            relu: true,
        };
        self.head_cells.apply(instructions, &mut rows);
        let mut rows = Rows {
            input: &buffers.head_cells,
            inputs: numbers,
            input_stride: n_head_channels,
            segment_stride: 0,
            output: &mut buffers.policy,
            outputs: numbers,
            accumulate: false,
            relu: false,
        };
        self.policy.apply(instructions, &mut rows);
        let mut rows = Rows {
            input: &buffers.head_cells[POLICY_CHANNELS..],
            inputs: &numbers[..n_positions],
            input_stride: height * width * n_head_channels,
            segment_stride: n_head_channels,
            output: &mut buffers.value_hidden,
            outputs: &numbers[..n_positions],
            accumulate: false,
            relu: true,
        };
        self.value_hidden.apply(instructions, &mut rows);
        let mut rows = Rows {
            input: &buffers.value_hidden,
            inputs: &numbers[..n_positions],
            input_stride: self.value_hidden.n_padded_outputs(),
            segment_stride: 0,
            output: &mut buffers.value,
            outputs: &numbers[..n_positions],
            accumulate: false,
            relu: false,
        };
        self.value.apply(instructions, &mut rows);
    }

    /// Copies observations `[C, H, W]` onto padded boards `[H + 2, W + 2, C]`, whose borders are
    /// and stay 0.
    fn place(&self, observations: &[f32], boards: &mut [f32]) {
        let [planes, ..] = self.shape.observation;
        let n_cells = self.shape.n_cells();
        let boards_cells = self.places.centres.chunks_exact(n_cells);
        for (observation, centres) in observations
            .chunks_exact(planes * n_cells)
            .zip(boards_cells)
        {
            for (plane, values) in observation.chunks_exact(n_cells).enumerate() {
                for (value, centre) in values.iter().zip(centres) {
                    boards[centre * planes + plane] = *value;
                }
            }
        }
    }

    /// The policy and the value of one of the positions evaluated last.
    pub fn outputs<'a>(&self, position: usize, buffers: &'a Buffers) -> (&'a [f32], &'a [f32]) {
        let n_policy = self.shape.n_cells() * self.policy.n_padded_outputs();
        let n_value = self.value.n_padded_outputs();
        (
            &buffers.policy[position * n_policy..][..n_policy],
            &buffers.value[position * n_value..][..n_value],
        )
    }
}

impl Places {
    fn new(shape: &NetworkShape) -> Places {
        let [_, height, width] = shape.observation;
        let padded = |border: usize| {
            let boards = 0..chunk(shape);
            let cells = boards.flat_map(|board| {
                let first = board * (height + 2) * (width + 2);
                let rows = border..height + border;
                rows.flat_map(move |row| {
                    (border..width + border).map(move |col| first + row * (width + 2) + col)
                })
            });
            cells.collect()
        };
        Places {
            corners: padded(0),
            centres: padded(1),
            numbers: (0..chunk(shape) * shape.n_cells()).collect(),
        }
    }
}

impl Buffers {
    /// Makes room for a chunk; does nothing after the first time.
    fn resize(&mut self, network: &Residual) {
        let [planes, height, width] = network.shape.observation;
        let positions = network.chunk();
        let cells = positions * height * width;
        let padded_cells = positions * (height + 2) * (width + 2);
        let channels = network.stem.n_padded_outputs();
        for (buffer, length) in [
            (&mut self.observations, padded_cells * planes),
            (&mut self.trunk, padded_cells * channels),
            (&mut self.middle, padded_cells * channels),
            (
                &mut self.head_cells,
                cells * network.head_cells.n_padded_outputs(),
            ),
            (&mut self.policy, cells * network.policy.n_padded_outputs()),
            (
                &mut self.value_hidden,
                positions * network.value_hidden.n_padded_outputs(),
            ),
            (
                &mut self.value,
                positions * network.value.n_padded_outputs(),
            ),
        ] {
            buffer.resize(length, 0.0);
        }
    }
}

fn chunk(shape: &NetworkShape) -> usize {
    (CHUNK_CELLS / shape.n_cells()).max(1)
}

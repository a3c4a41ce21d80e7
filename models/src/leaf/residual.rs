//! The residual network: a trunk and the heads.

use super::InstructionSet;
use super::boards::Boards;
use super::pack::{Folded, convolution_1x1, dense, dense_over_cells, pack_both_1x1};
use super::panels::{Product, Rows};
use super::trunk::{self, Trunk};
use crate::parameters::POLICY_CHANNELS;
use crate::{NetworkShape, Weights};

#[derive(Debug)]
pub(super) struct Residual {
    shape: NetworkShape,
    trunk: Trunk,
    /// The hidden channels of the policy head, then those of the value head.
    head_cells: Product,
    policy: Product,
    value_hidden: Product,
    /// Win, draw, loss, then the points lead, where the game has points.
    value: Product,
    boards: Boards,
}

#[derive(Debug, Default)]
pub(super) struct Buffers {
    trunk: trunk::Buffers,
    /// `[positions][H + 2][W + 2][channels]`: what the trunk says.
    features: Vec<f32>,
    /// `[positions][H][W]` times the hidden channels of both heads.
    head_cells: Vec<f32>,
    /// `[positions][H][W]` times the logits of a cell.
    policy: Vec<f32>,
    value_hidden: Vec<f32>,
    /// `[positions]` times the outputs.
    value: Vec<f32>,
}

impl Residual {
    /// From weights that are known to fit.
    pub fn new(n_blocks: usize, shape: &NetworkShape, weights: &Weights) -> Residual {
        Residual {
            shape: *shape,
            trunk: Trunk::new(n_blocks, shape.observation[0], weights),
            head_cells: pack_both_1x1(
                &Folded::new(weights, "policy_hidden"),
                &Folded::new(weights, "value_cells"),
            ),
            policy: convolution_1x1(weights, "policy"),
            value_hidden: dense_over_cells(weights, "value_hidden", shape.n_cells()),
            value: dense(weights, &["wdl", "points"]),
            boards: Boards::new(shape),
        }
    }

    /// How many positions are computed together.
    pub fn chunk(&self) -> usize {
        self.boards.n_positions()
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
        let boards = &self.boards;
        buffers.resize(self);
        self.trunk.forward(
            instructions,
            boards,
            observations,
            &mut buffers.features,
            &mut buffers.trunk,
        );

        let numbers = &boards.numbers[..n_positions * boards.n_cells()];
        let n_head_channels = self.head_cells.n_padded_outputs();
        let mut rows = Rows {
            input: &buffers.features,
            inputs: &boards.centres[..n_positions * boards.n_cells()],
            input_stride: self.trunk.n_stored(),
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
            input_stride: boards.n_cells() * n_head_channels,
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

    /// The policy and the value of one of the positions evaluated last.
    pub fn outputs<'a>(&self, position: usize, buffers: &'a Buffers) -> (&'a [f32], &'a [f32]) {
        let n_policy = self.shape.n_cells() * self.policy.n_padded_outputs();
        let n_value = self.value.n_padded_outputs();
        (
            &buffers.policy[position * n_policy..][..n_policy],
            &buffers.value[position * n_value..][..n_value],
        )
    }

    /// Floats of the trunk's features of a chunk.
    fn n_features(&self) -> usize {
        self.boards.n_positions() * self.boards.n_padded_cells() * self.trunk.n_stored()
    }
}

impl Buffers {
    /// Makes room for a chunk; does nothing after the first time.
    fn resize(&mut self, network: &Residual) {
        let positions = network.chunk();
        let cells = positions * network.shape.n_cells();
        for (buffer, length) in [
            (&mut self.features, network.n_features()),
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

//! A convolution over boards, and the gradient of its weights, as products over tiles.

use super::boards::Boards;
use super::outer::add_outer_products;
use super::outer_part::Block;
use super::pool::{Buffer, Pool};
use super::tiles::{
    Tiling, transform_gradients, transform_inputs, transform_kernel, transform_kernel_back,
    transform_outputs,
};
use crate::leaf::{InstructionSet, Lane, PANEL, Product, Rows};

/// A convolution's weights, `[outputs][inputs][side][side]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel<'a> {
    pub weights: &'a [f32],
    pub n_outputs: usize,
    pub n_inputs: usize,
    /// 3, or 1.
    pub side: usize,
}

impl Kernel<'_> {
    /// How many outputs a cell stores: whole panels.
    pub fn n_stored_outputs(&self) -> usize {
        self.n_outputs.next_multiple_of(PANEL)
    }

    /// The border that the convolution reads.
    pub fn border(&self) -> usize {
        self.side / 2
    }

    fn n_weights(&self) -> usize {
        self.side * self.side
    }

    /// Places of a tile.
    fn n_places(&self) -> usize {
        if self.side == 1 { 1 } else { 16 }
    }
}

/// A convolution whose weights are transformed and packed: a product for each place of a tile.
pub(super) struct Convolution {
    instructions: InstructionSet,
    side: usize,
    places: Vec<Product>,
}

impl Convolution {
    /// The convolution of inputs that are stored as so many a cell.
    pub fn new(
        instructions: InstructionSet,
        kernel: &Kernel<'_>,
        n_stored_inputs: usize,
    ) -> Convolution {
        let mut convolution =
            Convolution::zeros(instructions, kernel, n_stored_inputs, kernel.n_outputs);
        let weights = kernel.weights.chunks_exact(kernel.n_weights());
        for (index, weights) in weights.enumerate() {
            let (output, input) = (index / kernel.n_inputs, index % kernel.n_inputs);
            convolution.set(input, output, weights);
        }
        convolution
    }

    /// The convolution that makes the gradient of the inputs from that of the outputs: the
    /// weights turned by half a circle, inputs and outputs exchanged.
    pub fn turned(instructions: InstructionSet, kernel: &Kernel<'_>) -> Convolution {
        let n_stored_outputs = kernel.n_stored_outputs();
        let mut convolution =
            Convolution::zeros(instructions, kernel, n_stored_outputs, kernel.n_inputs);
        let mut turned = vec![0.0; kernel.n_weights()];
        let weights = kernel.weights.chunks_exact(kernel.n_weights());
        for (index, weights) in weights.enumerate() {
            let (output, input) = (index / kernel.n_inputs, index % kernel.n_inputs);
            turned.copy_from_slice(weights);
            turned.reverse();
            convolution.set(output, input, &turned);
        }
        convolution
    }

    fn zeros(
        instructions: InstructionSet,
        kernel: &Kernel<'_>,
        n_inputs: usize,
        n_outputs: usize,
    ) -> Convolution {
        let n_panels = n_outputs.div_ceil(PANEL);
        let zero = Lane([0.0; PANEL]);
        let product = Product {
            n_segments: 1,
            segment_len: n_inputs,
            n_panels,
            weights: vec![zero; n_panels * n_inputs],
            bias: vec![zero; n_panels],
        };
        Convolution {
            instructions,
            side: kernel.side,
            places: vec![product; kernel.n_places()],
        }
    }

    fn set(&mut self, input: usize, output: usize, weights: &[f32]) {
        let mut transformed = [0.0; 16];
        let transformed = &mut transformed[..self.places.len()];
        transform_kernel(weights, transformed);
        for (product, &weight) in self.places.iter_mut().zip(&*transformed) {
            let lane = output / PANEL * product.segment_len + input;
            product.weights[lane].0[output % PANEL] = weight;
        }
    }

    /// Convolves boards with the border that it reads. What follows them in `input`, if anything,
    /// begins with a border. The output has whole panels of channels; its border stays as it is.
    pub fn apply(
        &self,
        (input, from): (&[f32], &Boards),
        (output, to): (&mut [f32], &Boards),
        scratch: &mut Scratch,
    ) {
        let tiling = Tiling::new(from, self.side);
        let n_tiles = tiling.n_tiles(from.n);
        let inputs = scratch.inputs.aligned(tiling.len(from.n, from.channels));
        let outputs = scratch.outputs.aligned(tiling.len(to.n, to.channels));
        transform_inputs(self.instructions, tiling, (input, from), inputs);
        let numbers = &scratch.numbers[..n_tiles];
        let inputs = inputs.chunks_exact(tiling.stride(from.n, from.channels));
        let places = outputs.chunks_exact_mut(tiling.stride(to.n, to.channels));
        for ((product, input), output) in self.places.iter().zip(inputs).zip(places) {
            let mut rows = Rows {
                input,
                inputs: numbers,
                input_stride: from.channels,
                segment_stride: 0,
                output,
                outputs: numbers,
                accumulate: false,
                relu: false,
            };
            product.apply(self.instructions, &mut rows);
        }
        transform_outputs(self.instructions, tiling, outputs, (output, to));
    }
}

/// Memory for tiles.
#[derive(Debug)]
pub(super) struct Scratch {
    inputs: Buffer,
    outputs: Buffer,
    /// 0, 1, 2 ...
    numbers: Vec<usize>,
}

impl Scratch {
    /// For at most so many boards and channels in and out.
    pub fn new(pool: &Pool, side: usize, boards: &Boards, channels: [usize; 2]) -> Scratch {
        let tiling = Tiling::new(boards, side);
        let [inputs, outputs] = channels.map(|n| pool.take_to_align(tiling.len(boards.n, n)));
        Scratch {
            inputs,
            outputs,
            numbers: (0..tiling.n_tiles(boards.n)).collect(),
        }
    }
}

/// The gradient of a convolution's weights.
pub(super) struct WeightGradient {
    instructions: InstructionSet,
    /// `[place][stored inputs][stored outputs]`.
    sums: Buffer,
}

impl WeightGradient {
    /// That of no boards.
    pub fn new(
        instructions: InstructionSet,
        pool: &Pool,
        kernel: &Kernel<'_>,
        n_stored_inputs: usize,
    ) -> WeightGradient {
        let n_sums = kernel.n_places() * n_stored_inputs * kernel.n_stored_outputs();
        let mut sums = pool.take(n_sums);
        sums.values.fill(0.0);
        WeightGradient { instructions, sums }
    }

    /// Adds that of some boards, from their inputs and the gradient of their outputs; both have
    /// the border that the convolution reads, and a border must follow the latter.
    pub fn add(
        &mut self,
        kernel: &Kernel<'_>,
        (input, from): (&[f32], &Boards),
        (gradient, to): (&[f32], &Boards),
        scratch: &mut Scratch,
    ) {
        let tiling = Tiling::new(from, kernel.side);
        let inputs = scratch.inputs.aligned(tiling.len(from.n, from.channels));
        let outputs = scratch.outputs.aligned(tiling.len(to.n, to.channels));
        transform_inputs(self.instructions, tiling, (input, from), inputs);
        transform_gradients(self.instructions, tiling, (gradient, to), outputs);
        let sums = self
            .sums
            .values
            .chunks_exact_mut(from.channels * to.channels);
        let inputs = inputs.chunks_exact(tiling.stride(from.n, from.channels));
        let gradients = outputs.chunks_exact(tiling.stride(to.n, to.channels));
        for ((sums, input), gradient) in sums.zip(inputs).zip(gradients) {
            let block = Block {
                n_rows: tiling.n_tiles(from.n),
                input,
                n_inputs: from.channels,
                gradient,
                n_outputs: to.channels,
            };
            add_outer_products(self.instructions, &block, sums);
        }
    }

    /// In the form of the weights.
    pub fn weights(&self, kernel: &Kernel<'_>, n_stored_inputs: usize) -> Vec<f32> {
        let n_stored_outputs = kernel.n_stored_outputs();
        let mut weights = vec![0.0; kernel.weights.len()];
        let mut gradient = [0.0; 16];
        let gradient = &mut gradient[..kernel.n_places()];
        for (index, weights) in weights.chunks_exact_mut(kernel.n_weights()).enumerate() {
            let (output, input) = (index / kernel.n_inputs, index % kernel.n_inputs);
            for (place, gradient) in gradient.iter_mut().enumerate() {
                let from = place * n_stored_inputs + input;
                *gradient = self.sums.values[from * n_stored_outputs + output];
            }
            transform_kernel_back(gradient, weights);
        }
        weights
    }
}

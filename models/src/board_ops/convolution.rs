//! A convolution over boards, and its gradients, as products over cells in place.

use super::boards::Boards;
use super::outer::{Block, add_outer_products};
use crate::leaf::{InstructionSet, PANEL, Product, Rows};

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
    fn weight(&self, output: usize, input: usize, place: usize) -> f32 {
        let n_places = self.side * self.side;
        self.weights[(output * self.n_inputs + input) * n_places + place]
    }

    /// How many outputs a cell stores: whole panels.
    pub fn n_stored_outputs(&self) -> usize {
        self.n_outputs.next_multiple_of(PANEL)
    }

    /// The border that the convolution reads.
    pub fn border(&self) -> usize {
        self.side / 2
    }
}

/// Where the cells of some boards stand, for products.
pub(super) struct Places {
    /// Of each cell: the first of the cells that the convolution reads.
    corners: Vec<usize>,
    /// The cell itself.
    cells: Vec<usize>,
}

impl Places {
    /// The places on boards for a convolution of a side.
    pub fn new(boards: &Boards, side: usize) -> Places {
        let reach = (side / 2) * (boards.stored_width() + 1);
        Places {
            corners: boards.cells().map(|cell| cell - reach).collect(),
            cells: boards.cells().collect(),
        }
    }
}

/// Packs the weights for outputs from inputs that are stored as `n_stored_inputs` a cell.
pub(super) fn pack(kernel: &Kernel<'_>, n_stored_inputs: usize) -> Product {
    let side = kernel.side;
    Product::pack(
        [side, side * n_stored_inputs, kernel.n_outputs],
        |row, index, output| {
            let (col, input) = (index / n_stored_inputs, index % n_stored_inputs);
            if input < kernel.n_inputs {
                kernel.weight(output, input, side * row + col)
            } else {
                0.0
            }
        },
        |_| 0.0,
    )
}

/// Packs the weights for the gradient of the inputs: a convolution of the outputs' gradient with
/// the weights turned by half a circle, inputs and outputs exchanged.
pub(super) fn pack_turned(kernel: &Kernel<'_>) -> Product {
    let side = kernel.side;
    let n_stored_outputs = kernel.n_stored_outputs();
    Product::pack(
        [side, side * n_stored_outputs, kernel.n_inputs],
        |row, index, input| {
            let (col, output) = (index / n_stored_outputs, index % n_stored_outputs);
            if output < kernel.n_outputs {
                kernel.weight(output, input, side * side - 1 - (side * row + col))
            } else {
                0.0
            }
        },
        |_| 0.0,
    )
}

/// Convolves boards: the outputs of every cell, at its place in the output. The places may be
/// those of more boards.
pub(super) fn convolve(
    instructions: InstructionSet,
    product: &Product,
    (input, from): (&[f32], &Boards),
    from_places: &Places,
    output: &mut [f32],
    to_places: &Places,
) {
    let n_cells = from.n_cells();
    let mut rows = Rows {
        input,
        inputs: &from_places.corners[..n_cells],
        input_stride: from.channels,
        segment_stride: from.stored_width() * from.channels,
        output,
        outputs: &to_places.cells[..n_cells],
        accumulate: false,
        relu: false,
    };
    product.apply(instructions, &mut rows);
}

/// Adds the gradient of the weights to `sums`, `[side][side * stored inputs][stored outputs]`.
pub(super) fn add_weight_gradient(
    instructions: InstructionSet,
    side: usize,
    (input, from): (&[f32], &Boards),
    (gradient, to): (&[f32], &Boards),
    sums: &mut [f32],
) {
    let row_len = side * from.channels;
    let reach = side / 2;
    for (kernel_row, sums) in sums.chunks_exact_mut(row_len * to.channels).enumerate() {
        let rows: Vec<(usize, usize)> = from
            .rows()
            .zip(to.rows())
            .map(|(input, gradient)| {
                let input = input + kernel_row * from.stored_width();
                let input = input - reach * (from.stored_width() + 1);
                (input * from.channels, gradient * to.channels)
            })
            .collect();
        let block = Block {
            input,
            gradient,
            rows: &rows,
            width: from.width,
            input_stride: from.channels,
            gradient_stride: to.channels,
        };
        add_outer_products(instructions, &block, row_len, sums);
    }
}

/// The gradient of the weights in the order of the weights.
pub(super) fn unpack_weight_gradient(
    kernel: &Kernel<'_>,
    n_stored_inputs: usize,
    sums: &[f32],
) -> Vec<f32> {
    let side = kernel.side;
    let n_stored_outputs = kernel.n_stored_outputs();
    let mut gradient = Vec::with_capacity(kernel.weights.len());
    for output in 0..kernel.n_outputs {
        for input in 0..kernel.n_inputs {
            for place in 0..side * side {
                let from = place * n_stored_inputs + input;
                gradient.push(sums[from * n_stored_outputs + output]);
            }
        }
    }
    gradient
}

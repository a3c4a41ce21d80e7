//! Convolutions as products over tiles (Winograd, 1980; Lavin and Gray, 2016).
//!
//! A 3x3 convolution of a 4x4 tile of inputs has 2x2 outputs, and takes 36 multiplications for
//! each pair of channels. With `V = Bᵗ d B` of the inputs d, and `U = G g Gᵗ` of the weights g,
//! the outputs are `Aᵗ (U ⊙ V) A`: 16 multiplications, and additions that do not grow with the
//! number of channels. So for each of the 16 places of a tile, all tiles and channels together
//! are a product of matrices. The gradient of U is likewise V times `A y Aᵗ` of the outputs'
//! gradient y.
//!
//! A 1x1 convolution is the case of one place and nothing to add.

use super::boards::Boards;
use crate::leaf::{InstructionSet, PANEL};

/// How boards are divided into tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiling {
    /// Outputs of a tile in either direction: 2, or 1 for 1x1 convolutions.
    pub step: usize,
    /// Inputs of a tile in either direction: 4, or 1.
    pub size: usize,
    /// Tiles of a board.
    pub rows: usize,
    pub cols: usize,
}

impl Tiling {
    /// The tiles of a board for a convolution of a side.
    pub fn new(boards: &Boards, side: usize) -> Tiling {
        let (step, size) = if side == 1 { (1, 1) } else { (2, 4) };
        Tiling {
            step,
            size,
            rows: boards.height.div_ceil(step),
            cols: boards.width.div_ceil(step),
        }
    }

    /// Places of a tile: how many products there are.
    pub fn n_places(&self) -> usize {
        self.size * self.size
    }

    /// Tiles of so many boards.
    pub fn n_tiles(&self, n_boards: usize) -> usize {
        n_boards * self.rows * self.cols
    }

    /// From one place's values to the next one's, for so many boards. More than they take, so
    /// that the places of a tile do not contend for the same lines of the cache.
    pub fn stride(&self, n_boards: usize, channels: usize) -> usize {
        (self.n_tiles(n_boards) * channels).next_multiple_of(PANEL) + PANEL
    }

    /// Values of all places, for so many boards.
    pub fn len(&self, n_boards: usize, channels: usize) -> usize {
        self.n_places() * self.stride(n_boards, channels)
    }
}

/// Weights of a tile, `[place]`, from those of a kernel, `[side * side]`: `G g Gᵗ`.
pub(super) fn transform_kernel(kernel: &[f32], transformed: &mut [f32]) {
    let &[a, b, c, d, e, f, g, h, i] = kernel else {
        transformed.copy_from_slice(kernel);
        return;
    };
    let along = |[x, y, z]: [f32; 3]| [x, 0.5 * (x + y + z), 0.5 * (x - y + z), z];
    let rows = [along([a, b, c]), along([d, e, f]), along([g, h, i])];
    for col in 0..4 {
        let values = along([rows[0][col], rows[1][col], rows[2][col]]);
        for (row, value) in values.into_iter().enumerate() {
            transformed[4 * row + col] = value;
        }
    }
}

/// The way back: the gradient of a kernel from that of a tile's weights.
pub(super) fn transform_kernel_back(gradient: &[f32], kernel: &mut [f32]) {
    if gradient.len() == 1 {
        kernel.copy_from_slice(gradient);
        return;
    }
    let along = |[w, x, y, z]: [f32; 4]| {
        let sum = 0.5 * (x + y);
        [w + sum, 0.5 * (x - y), sum + z]
    };
    let column = |col: usize| along([0, 1, 2, 3].map(|row| gradient[4 * row + col]));
    let columns = [column(0), column(1), column(2), column(3)];
    for row in 0..3 {
        let values = along(columns.map(|column| column[row]));
        kernel[3 * row..][..3].copy_from_slice(&values);
    }
}

/// Cells of a tile: where its first one starts, and from one to the next.
#[derive(Clone, Copy)]
pub(super) struct Cells<P> {
    pub first: P,
    pub to_next_row: usize,
    pub to_next_col: usize,
}

/// Places of a tile: where the first one's values start, and from one place to the next.
#[derive(Clone, Copy)]
pub(super) struct Places<P> {
    pub first: P,
    pub to_next: usize,
}

/// The transforms of one tile with all its panels of channels.
///
/// Calling them is safe where the machine has the instructions and all cells and places lie in
/// memory that may be read or written.
pub(super) struct Kernels {
    /// `Bᵗ d B` of 4x4 cells to 16 places.
    pub inputs: unsafe fn(Cells<*const f32>, Places<*mut f32>, n_panels: usize),
    /// `A y Aᵗ` of 2x2 cells to 16 places.
    pub gradients: unsafe fn(Cells<*const f32>, Places<*mut f32>, n_panels: usize),
    /// `Aᵗ m A` of 16 places to so many rows and columns of 2x2 cells.
    pub outputs: unsafe fn(Places<*const f32>, Cells<*mut f32>, [usize; 2], n_panels: usize),
}

impl Kernels {
    fn of(instructions: InstructionSet) -> &'static Kernels {
        assert!(instructions.is_available());
        match instructions {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => &super::tile_avx512::KERNELS,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => &super::tile_avx2::KERNELS,
            _ => &super::tile_portable::KERNELS,
        }
    }
}

/// `Bᵗ d B` of every tile of boards with the border that the convolution reads: `[place][tile]`
/// and channels. What follows the boards in `input`, if anything, begins with a border.
///
/// Where a tile hangs over a board's edge, its third row or column is the border of what comes
/// next, and its fourth may be anything: outputs on the board do not depend on it.
pub(super) fn transform_inputs(
    instructions: InstructionSet,
    tiling: Tiling,
    (input, from): (&[f32], &Boards),
    transformed: &mut [f32],
) {
    let channels = from.channels;
    assert!(input.len() >= from.len() && transformed.len() == tiling.len(from.n, channels));
    if tiling.size == 1 {
        for (row, target) in from.rows().zip(transformed.chunks_mut(from.row_len())) {
            target.copy_from_slice(&input[row..][..from.row_len()]);
        }
        return;
    }
    assert!(from.border == 1);
    let kernels = Kernels::of(instructions);
    let to_next = tiling.stride(from.n, channels);
    let row_len = from.stored_row_len();
    // A last panel that is not whole takes what follows it along, which is overwritten when its
    // turn comes, or is nobody's.
    let n_panels = channels.div_ceil(PANEL);
    let reach = 3 * (row_len + channels) + n_panels * PANEL;
    let mut copy = Vec::new();
    for (tile, start) in tile_starts(tiling, from, 0).enumerate() {
        let cells = if start + reach <= input.len() {
            &input[start..]
        } else {
            copy.clear();
            copy.extend_from_slice(&input[start..]);
            copy.resize(reach, 0.0);
            &copy
        };
        let cells = Cells {
            first: cells.as_ptr(),
            to_next_row: row_len,
            to_next_col: channels,
        };
        let places = Places {
            first: transformed[tile * channels..].as_mut_ptr(),
            to_next,
        };
        // SAFETY: `reach` values from the first cell on can be read; a stride has room for all
        // tiles and one panel more; the machine has the instructions.
        unsafe { (kernels.inputs)(cells, places, n_panels) };
    }
}

/// `A y Aᵗ` of every tile of gradients, on boards with as wide a border as the convolution reads:
/// `[place][tile]` and channels, in whole panels. A border must follow the boards in `gradient`.
pub(super) fn transform_gradients(
    instructions: InstructionSet,
    tiling: Tiling,
    (gradient, to): (&[f32], &Boards),
    transformed: &mut [f32],
) {
    let channels = to.channels;
    assert!(gradient.len() >= to.len() && transformed.len() == tiling.len(to.n, channels));
    assert_eq!(channels % PANEL, 0);
    if tiling.size == 1 {
        for (row, target) in to.rows().zip(transformed.chunks_mut(to.row_len())) {
            target.copy_from_slice(&gradient[row..][..to.row_len()]);
        }
        return;
    }
    let row_len = to.stored_row_len();
    assert!(to.border == 1 && gradient.len() >= to.len() + row_len + channels);
    let kernels = Kernels::of(instructions);
    let to_next = tiling.stride(to.n, channels);
    for (tile, start) in tile_starts(tiling, to, 1).enumerate() {
        let cells = Cells {
            first: gradient[start..].as_ptr(),
            to_next_row: row_len,
            to_next_col: channels,
        };
        let places = Places {
            first: transformed[tile * channels..].as_mut_ptr(),
            to_next,
        };
        // SAFETY: the second row and column of a tile are on the board or a border, of which
        // there is one at the end; a stride has room for all tiles; the machine has the
        // instructions.
        unsafe { (kernels.gradients)(cells, places, channels / PANEL) };
    }
}

/// `Aᵗ m A` of every tile of products: the outputs, in whole panels, on boards whose border stays
/// as it is.
pub(super) fn transform_outputs(
    instructions: InstructionSet,
    tiling: Tiling,
    transformed: &[f32],
    (output, to): (&mut [f32], &Boards),
) {
    let channels = to.channels;
    assert!(output.len() == to.len() && transformed.len() == tiling.len(to.n, channels));
    assert_eq!(channels % PANEL, 0);
    if tiling.size == 1 {
        for (row, values) in to.rows().zip(transformed.chunks(to.row_len())) {
            output[row..][..to.row_len()].copy_from_slice(values);
        }
        return;
    }
    let kernels = Kernels::of(instructions);
    let to_next = tiling.stride(to.n, channels);
    for (tile, start) in tile_starts(tiling, to, to.border).enumerate() {
        let (row, col) = (tile / tiling.cols % tiling.rows, tile % tiling.cols);
        let on_board = [
            (to.height - tiling.step * row).min(2),
            (to.width - tiling.step * col).min(2),
        ];
        let places = Places {
            first: transformed[tile * channels..].as_ptr(),
            to_next,
        };
        let cells = Cells {
            first: output[start..].as_mut_ptr(),
            to_next_row: to.stored_row_len(),
            to_next_col: channels,
        };
        // SAFETY: only rows and columns on the board are written; a stride holds all tiles; the
        // machine has the instructions.
        unsafe { (kernels.outputs)(places, cells, on_board, channels / PANEL) };
    }
}

/// Where each tile's first cell starts; those of the first row and column are so many cells from
/// the stored board's corner.
fn tile_starts(tiling: Tiling, boards: &Boards, margin: usize) -> impl Iterator<Item = usize> {
    let Boards { n, channels, .. } = *boards;
    let (board_len, row_len) = (boards.board_len(), boards.stored_row_len());
    (0..n).flat_map(move |board| {
        (0..tiling.rows).flat_map(move |row| {
            (0..tiling.cols).map(move |col| {
                let (row, col) = (margin + tiling.step * row, margin + tiling.step * col);
                board * board_len + row * row_len + col * channels
            })
        })
    })
}

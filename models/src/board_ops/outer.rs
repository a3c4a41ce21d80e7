//! The weight gradient: inputs times output gradients, summed over cells.

use super::outer_portable;
use crate::leaf::{InstructionSet, PANEL, even_parts};

/// Cells whose output gradients are multiplied with all inputs before the next come, so that
/// those of up to four panels stay in a first-level cache.
const BLOCK_CELLS: usize = 96;

/// Some rows of cells: their inputs and the gradients of their outputs.
pub(super) struct Block<'a> {
    pub input: &'a [f32],
    pub gradient: &'a [f32],
    /// Where each row's first cell starts, in `input` and in `gradient`.
    pub rows: &'a [(usize, usize)],
    /// Cells of a row.
    pub width: usize,
    /// From one cell's inputs to the next cell's.
    pub input_stride: usize,
    /// From one cell's gradients to the next cell's: all outputs, in whole panels.
    pub gradient_stride: usize,
}

/// The inputs and outputs that a kernel takes at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub first_input: usize,
    pub n_inputs: usize,
    pub first_output: usize,
    pub n_panels: usize,
}

/// Adds the products of each of a cell's `n_inputs` first inputs with each of its output
/// gradients, summed over all cells, to `sums`, `[n_inputs][outputs]`.
///
/// # Panics
/// If something reaches out of its slice, or this machine lacks the instructions.
pub(super) fn add_outer_products(
    instructions: InstructionSet,
    all: &Block<'_>,
    n_inputs: usize,
    sums: &mut [f32],
) {
    let n_outputs = all.gradient_stride;
    assert!(instructions.is_available());
    assert_eq!(n_outputs % PANEL, 0);
    assert!(n_inputs * n_outputs <= sums.len());
    let last_cell = all.width.saturating_sub(1);
    for &(input, gradient) in all.rows {
        assert!(input + last_cell * all.input_stride + n_inputs <= all.input.len());
        assert!(gradient + last_cell * n_outputs + n_outputs <= all.gradient.len());
    }
    let max_panels = match instructions {
        InstructionSet::Avx512 | InstructionSet::AmxBf16 => 4,
        InstructionSet::Avx2 | InstructionSet::Portable => 1,
    };
    let block_rows = (BLOCK_CELLS / all.width.max(1)).max(1);
    for (first_row, n_rows) in even_parts(all.rows.len(), block_rows) {
        let block = Block {
            rows: &all.rows[first_row..first_row + n_rows],
            ..*all
        };
        for (first_panel, n_panels) in even_parts(n_outputs / PANEL, max_panels) {
            let max_inputs = match instructions {
                InstructionSet::Portable => 2,
                InstructionSet::Avx2 => 6,
                InstructionSet::Avx512 | InstructionSet::AmxBf16 => {
                    if n_panels <= 3 {
                        8
                    } else {
                        6
                    }
                }
            };
            for (first_input, n_inputs) in even_parts(n_inputs, max_inputs) {
                let part = Part {
                    first_input,
                    n_inputs,
                    first_output: first_panel * PANEL,
                    n_panels,
                };
                match instructions {
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: all lies in bounds and the machine has AVX-512F.
                    InstructionSet::Avx512 | InstructionSet::AmxBf16 => unsafe {
                        super::outer_avx512::add(&block, part, sums);
                    },
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: all lies in bounds and the machine has AVX2 and FMA.
                    InstructionSet::Avx2 => unsafe {
                        super::outer_avx2::add(&block, part, sums);
                    },
                    _ => outer_portable::add(&block, part, sums),
                }
            }
        }
    }
}

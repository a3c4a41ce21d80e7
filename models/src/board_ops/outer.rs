//! The product of a transposed matrix with another, added up: the weight gradient.

use super::outer_part::{Block, Part};
use super::outer_portable;
use crate::leaf::{InstructionSet, PANEL, even_parts};

/// Rows that are multiplied with all inputs before the next come, so that the gradients of up to
/// four panels stay in a first-level cache.
const BLOCK_ROWS: usize = 96;

/// Adds the products of each row's inputs with each of its gradients, summed over the rows, to
/// `sums`, `[n_inputs][n_outputs]`.
///
/// # Panics
/// If something reaches out of its slice, or this machine lacks the instructions.
pub(super) fn add_outer_products(instructions: InstructionSet, all: &Block<'_>, sums: &mut [f32]) {
    assert!(instructions.is_available());
    assert_eq!(all.n_outputs % PANEL, 0);
    assert!(all.n_inputs * all.n_outputs <= sums.len());
    let max_panels = match instructions {
        InstructionSet::Avx512 => 4,
        _ => 1,
    };
    for (first_row, n_rows) in even_parts(all.n_rows, BLOCK_ROWS) {
        // Slicing checks that all rows are there.
        let block = Block {
            n_rows,
            input: &all.input[first_row * all.n_inputs..][..n_rows * all.n_inputs],
            gradient: &all.gradient[first_row * all.n_outputs..][..n_rows * all.n_outputs],
            ..*all
        };
        for (first_panel, n_panels) in even_parts(all.n_outputs / PANEL, max_panels) {
            let max_inputs = match instructions {
                InstructionSet::Avx512 if n_panels <= 3 => 8,
                InstructionSet::Avx512 | InstructionSet::Avx2 => 6,
                _ => 2,
            };
            for (first_input, n_inputs) in even_parts(all.n_inputs, max_inputs) {
                let part = Part {
                    first_input,
                    n_inputs,
                    first_output: first_panel * PANEL,
                    n_panels,
                };
                match instructions {
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: all lies in bounds and the machine has AVX-512F.
                    InstructionSet::Avx512 => unsafe {
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

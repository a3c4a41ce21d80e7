//! The weight gradient's kernel in plain code.

use super::outer_part::{Block, Part};
use crate::leaf::PANEL;

/// Adds one part of at most 2 inputs and 1 panel.
pub(super) fn add(block: &Block<'_>, part: Part, sums: &mut [f32]) {
    match part.n_inputs {
        1 => tile::<1>(block, part, sums),
        _ => tile::<2>(block, part, sums),
    }
}

fn tile<const INPUTS: usize>(block: &Block<'_>, part: Part, sums: &mut [f32]) {
    let mut totals = [[0.0; PANEL]; INPUTS];
    let rows = block.input.chunks_exact(block.n_inputs);
    for (input, gradient) in rows.zip(block.gradient.chunks_exact(block.n_outputs)) {
        let inputs = &input[part.first_input..][..INPUTS];
        let gradients = &gradient[part.first_output..][..PANEL];
        for (totals, input) in totals.iter_mut().zip(inputs) {
            for (total, gradient) in totals.iter_mut().zip(gradients) {
                *total += input * gradient;
            }
        }
    }
    for (input, totals) in totals.iter().enumerate() {
        let start = (part.first_input + input) * block.n_outputs + part.first_output;
        for (sum, total) in sums[start..][..PANEL].iter_mut().zip(totals) {
            *sum += total;
        }
    }
}

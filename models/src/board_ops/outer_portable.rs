//! The weight gradient's kernel in plain code.

use super::outer::{Block, Part};
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
    for &(input, gradient) in block.rows {
        for cell in 0..block.width {
            let input = input + cell * block.input_stride + part.first_input;
            let gradient = gradient + cell * block.gradient_stride + part.first_output;
            let inputs = &block.input[input..][..INPUTS];
            let gradients = &block.gradient[gradient..][..PANEL];
            for (totals, input) in totals.iter_mut().zip(inputs) {
                for (total, gradient) in totals.iter_mut().zip(gradients) {
                    *total += input * gradient;
                }
            }
        }
    }
    for (input, totals) in totals.iter().enumerate() {
        let start = (part.first_input + input) * block.gradient_stride + part.first_output;
        for (sum, total) in sums[start..][..PANEL].iter_mut().zip(totals) {
            *sum += total;
        }
    }
}

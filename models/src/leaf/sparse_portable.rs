//! The kernels of a sparse network in plain code.

use super::product::{Lane, PANEL};
use super::sparse::{self, Dense, EMBEDDING_ONE, LINE, Line, Table};
use std::array;
use tablero_env::ActionFeatures;

/// Writes the activations of the sums of the bias and the rows of the features.
///
/// # Panics
/// If a feature has no row.
pub(super) fn embed(table: &Table, bias: &[Line], features: &[u32], out: &mut [Line]) {
    for (index, (out, bias)) in out.iter_mut().zip(bias).enumerate() {
        let mut sums = bias.0;
        for &feature in features {
            let row = &table.lines[feature as usize * table.lines_a_row + index].0;
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = sum.saturating_add(*weight);
            }
        }
        for (out, sum) in out.0.iter_mut().zip(sums) {
            let clamped = i32::from(sum.clamp(0, EMBEDDING_ONE));
            *out = ((clamped * clamped) >> 6) as i16;
        }
    }
}

/// Writes the outputs of a dense layer.
pub(super) fn dense(layer: &Dense, input: &[Line], out: &mut [Lane]) {
    for (panel, out) in out.iter_mut().enumerate() {
        let mut totals = [0_i32; PANEL];
        let pairs = input.iter().flat_map(|line| line.0.as_chunks::<2>().0);
        let weights = layer.weights[panel..].iter().step_by(layer.n_panels);
        for (&[left, right], weights) in pairs.zip(weights) {
            if left == 0 && right == 0 {
                continue;
            }
            let weights = weights.0.as_chunks::<2>().0;
            for (total, [of_left, of_right]) in totals.iter_mut().zip(weights) {
                *total +=
                    i32::from(left) * i32::from(*of_left) + i32::from(right) * i32::from(*of_right);
            }
        }
        let (units, bias) = (&layer.units[panel].0, &layer.bias[panel].0);
        // First the product, which is exact, then the sum.
        out.0 = array::from_fn(|lane| totals[lane] as f32 * units[lane] + bias[lane]);
    }
}

/// Writes the activations of a layer's outputs.
pub(super) fn activate(outputs: &[Lane], out: &mut [Line]) {
    sparse::activate(outputs, out);
}

/// Writes, for each action, the sum of the products of its rows with the features.
///
/// # Panics
/// If an action feature has no row.
pub(super) fn score(
    table: &Table,
    features: &[Line],
    actions: &ActionFeatures,
    totals: &mut [i32],
) {
    for (rows, total) in actions.iter().zip(totals) {
        let mut sums = [0_i32; LINE / 2];
        for &row in rows {
            let lines = &table.lines[row as usize * table.lines_a_row..];
            for (line, inputs) in lines.iter().zip(features) {
                let (weights, _) = line.0.as_chunks::<2>();
                let (inputs, _) = inputs.0.as_chunks::<2>();
                for ((sum, weights), inputs) in sums.iter_mut().zip(weights).zip(inputs) {
                    let products = [0, 1].map(|i| i32::from(inputs[i]) * i32::from(weights[i]));
                    *sum = sum.wrapping_add(products[0] + products[1]);
                }
            }
        }
        *total = sums.iter().fold(0, |total, &sum| total.wrapping_add(sum));
    }
}

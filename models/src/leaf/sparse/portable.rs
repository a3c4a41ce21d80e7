//! The kernels of a sparse network in plain code.

use super::lines::{self, Dense, EMBEDDING_ONE, LINE, Line, Table};
use crate::leaf::panels::Lane;
use std::array;
use tablero_env::ActionFeatures;

/// Writes the activations of the sums of the bias and the rows of the features.
///
/// # Panics
/// If a feature has no row.
pub(super) fn embed(table: &Table, bias: &[Line], features: &[u32], out: &mut [Line]) {
    out.copy_from_slice(bias);
    for &feature in features {
        let row = &table.lines[feature as usize * table.lines_a_row..];
        for (sums, weights) in out.iter_mut().zip(row) {
            for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
                *sum = sum.saturating_add(weight);
            }
        }
    }
    for out in out {
        for out in &mut out.0 {
            let clamped = i32::from((*out).clamp(0, EMBEDDING_ONE));
            *out = ((clamped * clamped) >> 6) as i16;
        }
    }
}

/// Writes the outputs of a dense layer.
pub(super) fn dense(layer: &Dense, input: &[Line], out: &mut [Lane]) {
    for (panel, out) in out.iter_mut().enumerate() {
        let mut sums = [0_i32; LINE];
        let pairs = input.iter().flat_map(|line| line.0.as_chunks::<2>().0);
        let weights = layer.weights[panel..].iter().step_by(layer.n_panels);
        for (pair, weights) in pairs.zip(weights) {
            if *pair != [0, 0] {
                let inputs: [i16; LINE] = array::from_fn(|lane| pair[lane % 2]);
                add_products(&mut sums, &inputs, &weights.0);
            }
        }
        let (sums, _) = sums.as_chunks::<2>();
        let (units, bias) = (&layer.units[panel].0, &layer.bias[panel].0);
        // First the product, which is exact, then the sum.
        out.0 = array::from_fn(|lane| {
            (sums[lane][0] + sums[lane][1]) as f32 * units[lane] + bias[lane]
        });
    }
}

/// Adds products to sums, which may wrap around.
fn add_products(sums: &mut [i32; LINE], left: &[i16; LINE], right: &[i16; LINE]) {
    for ((sum, &left), &right) in sums.iter_mut().zip(left).zip(right) {
        *sum = sum.wrapping_add(i32::from(left) * i32::from(right));
    }
}

/// Writes the activations of a layer's outputs.
pub(super) fn activate(outputs: &[Lane], out: &mut [Line]) {
    lines::activate(outputs, out);
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
        let mut sums = [0_i32; LINE];
        for &row in rows {
            let row = &table.lines[row as usize * table.lines_a_row..];
            for (weights, inputs) in row.iter().zip(features) {
                add_products(&mut sums, &inputs.0, &weights.0);
            }
        }
        *total = sums.iter().fold(0, |total, &sum| total.wrapping_add(sum));
    }
}

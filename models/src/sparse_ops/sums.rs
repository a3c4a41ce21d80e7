//! Sums of rows with the activation, there and back.

use super::batch::Lists;
use super::readers::Readers;
use super::table::RowGradients;
use super::threads::{in_parallel, pieces, ranges};
use crate::leaf::InstructionSet;
use crate::vectorized::vectorized;

/// Columns that are summed at once: half of the registers of AVX2.
const BLOCK: usize = 64;

/// `act(bias + rows)` of each list, `[lists, width]`, where the act of x is the square of x limited
/// to 0..=1.
pub(super) fn forward(
    (values, bias): (&[f32], &[f32]),
    lists: Lists<'_>,
    instructions: InstructionSet,
    n_threads: usize,
) -> Vec<f32> {
    let width = bias.len();
    let mut out = vec![0.0; lists.len() * width];
    let ranges = ranges(lists.len(), n_threads);
    let parts = ranges.iter().cloned().zip(pieces(&mut out, &ranges, width));
    in_parallel(parts.collect(), |(range, out)| {
        let rows = out.chunks_exact_mut(width).zip(range);
        for (out, list) in rows {
            out.copy_from_slice(bias);
            add_rows(instructions, out, values, lists.get(list));
            activate(instructions, out);
        }
    });
    out
}

/// The gradients of rows and bias from that of the output, which becomes that of the sums.
pub(super) fn backward(
    gradient: &mut [f32],
    output: &[f32],
    readers: Readers,
    instructions: InstructionSet,
    return_slope: f32,
    (width, n_threads): (usize, usize),
) -> (RowGradients, Vec<f32>) {
    let ranges = ranges(output.len() / width, n_threads);
    let parts = pieces(gradient, &ranges, width).into_iter();
    let outputs = ranges
        .iter()
        .map(|range| &output[range.start * width..range.end * width]);
    in_parallel(parts.zip(outputs).collect(), |(gradient, output)| {
        through_activation(instructions, gradient, output, return_slope);
    });
    let mut bias = vec![0.0; width];
    add_all(instructions, &mut bias, gradient);
    let mut values = vec![0.0; readers.rows.len() * width];
    let ranges = readers.parts(n_threads);
    let parts = ranges
        .iter()
        .cloned()
        .zip(pieces(&mut values, &ranges, width));
    let gradient = &*gradient;
    in_parallel(parts.collect(), |(range, values)| {
        for (row, index) in values.chunks_exact_mut(width).zip(range) {
            add_rows(instructions, row, gradient, readers.of_row(index));
        }
    });
    let rows = readers.rows;
    (RowGradients { rows, values }, bias)
}

vectorized! {
    /// Adds some rows of `values` to `sum`, which stays in registers, a block at a time.
    fn add_rows(sum: &mut [f32], values: &[f32], rows: &[u32]) {
        let width = sum.len();
        let (blocks, rest) = sum.as_chunks_mut::<BLOCK>();
        let rest_start = width - rest.len();
        for (index, block) in blocks.iter_mut().enumerate() {
            let mut sums = *block;
            for &row in rows {
                let row = &values[row as usize * width + index * BLOCK..][..BLOCK];
                for lane in 0..BLOCK {
                    sums[lane] += row[lane];
                }
            }
            *block = sums;
        }
        if rest.is_empty() {
            return;
        }
        for &row in rows {
            let row = &values[row as usize * width + rest_start..][..rest.len()];
            for (sum, value) in rest.iter_mut().zip(row) {
                *sum += value;
            }
        }
    }
}

vectorized! {
    /// Adds all rows of `values` to `sum`.
    fn add_all(sum: &mut [f32], values: &[f32]) {
        for row in values.chunks_exact(sum.len()) {
            for (sum, value) in sum.iter_mut().zip(row) {
                *sum += value;
            }
        }
    }
}

vectorized! {
    /// The square of values limited to 0..=1.
    pub(super) fn activate(values: &mut [f32]) {
        for value in values {
            let limited = value.clamp(0.0, 1.0);
            *value = limited * limited;
        }
    }
}

/// The gradient of an input x of [`activate`], from that of its output. The slope is 2 x inside of 0..1,
/// and `return_slope` outside. `value` is x or its output: both tell the side. Inlined, it uses the
/// instructions of its caller.
#[inline(always)]
fn back(gradient: f32, value: f32, x: f32, return_slope: f32) -> f32 {
    if value <= 0.0 {
        return_slope * gradient.min(0.0)
    } else if value >= 1.0 {
        return_slope * gradient.max(0.0)
    } else {
        2.0 * (gradient * x)
    }
}

vectorized! {
    /// The gradient of the inputs of [`activate`], from its outputs.
    fn through_activation(gradient: &mut [f32], output: &[f32], return_slope: f32) {
        for (gradient, &output) in gradient.iter_mut().zip(output) {
            *gradient = back(*gradient, output, output.sqrt(), return_slope);
        }
    }
}

vectorized! {
    /// The same from the inputs.
    pub(super) fn activate_back(gradient: &mut [f32], inputs: &[f32], return_slope: f32) {
        for (gradient, &input) in gradient.iter_mut().zip(inputs) {
            *gradient = back(*gradient, input, input, return_slope);
        }
    }
}

//! The kernel in plain code.

use super::product::{Block, Lane, PANEL, Product, Rows};

/// Computes one block of at most 2 rows and 1 panel.
pub(super) fn compute(product: &Product, block: Block, rows: &mut Rows<'_>) {
    match block.n_rows {
        1 => tile::<1>(product, block, rows),
        _ => tile::<2>(product, block, rows),
    }
}

fn tile<const ROWS: usize>(product: &Product, block: Block, rows: &mut Rows<'_>) {
    let Product {
        n_segments,
        segment_len,
        ..
    } = *product;
    let lanes_a_panel = n_segments * segment_len;
    let panel = &product.weights[block.first_panel * lanes_a_panel..][..lanes_a_panel];
    let mut sums = [product.bias[block.first_panel].0; ROWS];
    for segment in 0..n_segments {
        let inputs: [&[f32]; ROWS] = std::array::from_fn(|row| {
            let start = rows.inputs[block.first_row + row] * rows.input_stride
                + segment * rows.segment_stride;
            &rows.input[start..][..segment_len]
        });
        let lanes = &panel[segment * segment_len..][..segment_len];
        for (index, Lane(lane)) in lanes.iter().enumerate() {
            for (sums, input) in sums.iter_mut().zip(&inputs) {
                for (sum, weight) in sums.iter_mut().zip(lane) {
                    *sum += input[index] * weight;
                }
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        let start =
            (rows.outputs[block.first_row + row] * product.n_panels + block.first_panel) * PANEL;
        for (output, &sum) in rows.output[start..][..PANEL].iter_mut().zip(sums) {
            let sum = if rows.accumulate { sum + *output } else { sum };
            *output = if rows.relu { sum.max(0.0) } else { sum };
        }
    }
}

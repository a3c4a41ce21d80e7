//! The kernel in plain code.

use super::panels::{Block, Lane, PANEL, Product, Rows};

/// Computes one block of at most 2 rows and 1 panel.
pub(super) fn compute(product: &Product, block: Block, rows: &mut Rows<'_>) {
    match block.n_rows {
        1 => tile::<1>(product, block, rows),
        _ => tile::<2>(product, block, rows),
    }
}

fn tile<const ROWS: usize>(product: &Product, block: Block, rows: &mut Rows<'_>) {
    let segment_len = product.segment_len;
    let panel = block.first_panel * product.n_segments * segment_len;
    let outputs: [usize; ROWS] = std::array::from_fn(|row| {
        (rows.outputs[block.first_row + row] * product.n_panels + block.first_panel) * PANEL
    });
    let mut sums = outputs.map(|start| {
        let mut sums = [0.0; PANEL];
        if rows.accumulate || !block.starts() {
            sums.copy_from_slice(&rows.output[start..][..PANEL]);
        }
        if block.starts() {
            let bias = &product.bias[block.first_panel].0;
            sums.iter_mut()
                .zip(bias)
                .for_each(|(sum, bias)| *sum += bias);
        }
        sums
    });
    for segment in block.first_segment..block.first_segment + block.n_segments {
        let inputs: [&[f32]; ROWS] = std::array::from_fn(|row| {
            let start = rows.inputs[block.first_row + row] * rows.input_stride
                + segment * rows.segment_stride;
            &rows.input[start..][..segment_len]
        });
        let lanes = &product.weights[panel + segment * segment_len..][..segment_len];
        for (index, Lane(lane)) in lanes.iter().enumerate() {
            for (sums, input) in sums.iter_mut().zip(&inputs) {
                for (sum, weight) in sums.iter_mut().zip(lane) {
                    *sum += input[index] * weight;
                }
            }
        }
    }
    let relu = rows.relu && block.completes(product);
    for (start, sums) in outputs.into_iter().zip(sums) {
        for (output, sum) in rows.output[start..][..PANEL].iter_mut().zip(sums) {
            *output = if relu { sum.max(0.0) } else { sum };
        }
    }
}

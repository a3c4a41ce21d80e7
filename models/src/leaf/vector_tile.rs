//! The kernel for vector instructions, written once and expanded for each set.

/// Defines `tile::<ROWS, VECTORS>`, which computes `ROWS` rows of `VECTORS` vectors of outputs,
/// with one accumulator in a register for each.
macro_rules! vector_tile {
    (
        feature: $feature:literal,
        vector: $vector:ty,
        width: $width:literal,
        splat: $splat:ident,
        load: $load:ident,
        store: $store:ident,
        multiply_add: $multiply_add:ident,
        add: $add:ident,
        max: $max:ident $(,)?
    ) => {
        /// # Safety
        /// The machine has the instructions; the block's rows and panels exist, and the rows lie
        /// within the input and the output.
        #[target_feature(enable = $feature)]
        unsafe fn tile<const ROWS: usize, const VECTORS: usize>(
            product: &Product,
            block: Block,
            rows: &mut Rows<'_>,
        ) {
            let lanes_a_panel = product.n_segments * product.segment_len;
            let zero: $vector = $splat(0.0);
            let has_sums = rows.accumulate || !block.starts();
            let relu = rows.relu && block.completes(product);
            // SAFETY: every pointer below stays within the slice it comes from, as the caller
            // promises for rows, panels and segments.
            unsafe {
                let mut outputs = [rows.output.as_mut_ptr(); ROWS];
                let mut inputs = [rows.input.as_ptr(); ROWS];
                for row in 0..ROWS {
                    let start = rows.outputs[block.first_row + row] * product.n_panels;
                    outputs[row] = outputs[row].add((start + block.first_panel) * PANEL);
                    let start = rows.inputs[block.first_row + row] * rows.input_stride;
                    inputs[row] = inputs[row].add(start);
                }
                let bias = product.bias.as_ptr().add(block.first_panel).cast::<f32>();
                let mut weights = [product.weights.as_ptr().cast::<f32>(); VECTORS];
                let mut sums = [[zero; VECTORS]; ROWS];
                for vector in 0..VECTORS {
                    let panel = block.first_panel + vector * $width / PANEL;
                    let offset = vector * $width % PANEL;
                    weights[vector] = weights[vector].add(panel * lanes_a_panel * PANEL + offset);
                    for row in 0..ROWS {
                        if has_sums {
                            sums[row][vector] = $load(outputs[row].add(vector * $width));
                        }
                        if block.starts() {
                            let bias = $load(bias.add(vector * $width));
                            sums[row][vector] = $add(sums[row][vector], bias);
                        }
                    }
                }
                let mut lane = block.first_segment * product.segment_len * PANEL;
                for segment in block.first_segment..block.first_segment + block.n_segments {
                    let start = segment * rows.segment_stride;
                    for index in start..start + product.segment_len {
                        let mut lanes = [zero; VECTORS];
                        for vector in 0..VECTORS {
                            lanes[vector] = $load(weights[vector].add(lane));
                        }
                        for row in 0..ROWS {
                            let input = $splat(*inputs[row].add(index));
                            for vector in 0..VECTORS {
                                sums[row][vector] =
                                    $multiply_add(input, lanes[vector], sums[row][vector]);
                            }
                        }
                        lane += PANEL;
                    }
                }
                for row in 0..ROWS {
                    for vector in 0..VECTORS {
                        let mut sum = sums[row][vector];
                        if relu {
                            sum = $max(sum, zero);
                        }
                        $store(outputs[row].add(vector * $width), sum);
                    }
                }
            }
        }
    };
}

pub(super) use vector_tile;

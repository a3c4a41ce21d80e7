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
            // SAFETY: every pointer below stays within the slice it comes from, as the caller
            // promises for rows and panels; the loops end with the segments.
            unsafe {
                let mut weights = [product.weights.as_ptr().cast::<f32>(); VECTORS];
                let bias = product.bias.as_ptr().add(block.first_panel).cast::<f32>();
                let mut sums = [[zero; VECTORS]; ROWS];
                for vector in 0..VECTORS {
                    let panel = block.first_panel + vector * $width / PANEL;
                    let offset = vector * $width % PANEL;
                    weights[vector] = weights[vector].add(panel * lanes_a_panel * PANEL + offset);
                    for row in 0..ROWS {
                        sums[row][vector] = $load(bias.add(vector * $width));
                    }
                }
                let mut inputs = [rows.input.as_ptr(); ROWS];
                for row in 0..ROWS {
                    let start = rows.inputs[block.first_row + row] * rows.input_stride;
                    inputs[row] = inputs[row].add(start);
                }
                let mut lane = 0;
                for segment in 0..product.n_segments {
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
                    let start = rows.outputs[block.first_row + row] * product.n_panels;
                    let panel = start + block.first_panel;
                    let output = rows.output.as_mut_ptr().add(panel * PANEL);
                    for vector in 0..VECTORS {
                        let place = output.add(vector * $width);
                        let mut sum = sums[row][vector];
                        if rows.accumulate {
                            sum = $add(sum, $load(place));
                        }
                        if rows.relu {
                            sum = $max(sum, zero);
                        }
                        $store(place, sum);
                    }
                }
            }
        }
    };
}

pub(super) use vector_tile;

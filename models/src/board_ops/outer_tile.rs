//! The kernel of the weight gradient for vector instructions, written once and expanded for each
//! set.

/// Defines `tile::<ROWS, VECTORS>`, which adds up the products of `ROWS` inputs with `VECTORS`
/// vectors of output gradients over all rows of a block, with one accumulator in a register for
/// each.
macro_rules! outer_tile {
    (
        feature: $feature:literal,
        width: $width:literal,
        splat: $splat:ident,
        load: $load:ident,
        store: $store:ident,
        multiply_add: $multiply_add:ident,
        add: $add:ident $(,)?
    ) => {
        /// # Safety
        /// The machine has the instructions, and the part's inputs and outputs lie within the
        /// block and the sums.
        #[target_feature(enable = $feature)]
        unsafe fn tile<const ROWS: usize, const VECTORS: usize>(
            block: &Block<'_>,
            part: Part,
            sums: &mut [f32],
        ) {
            // SAFETY: as the caller promises.
            unsafe {
                let mut totals = [[$splat(0.0); VECTORS]; ROWS];
                let mut input = block.input.as_ptr().add(part.first_input);
                let mut gradient = block.gradient.as_ptr().add(part.first_output);
                for _ in 0..block.n_rows {
                    let mut lanes = [$splat(0.0); VECTORS];
                    for vector in 0..VECTORS {
                        lanes[vector] = $load(gradient.add(vector * $width));
                    }
                    for row in 0..ROWS {
                        let input = $splat(*input.add(row));
                        for vector in 0..VECTORS {
                            totals[row][vector] =
                                $multiply_add(input, lanes[vector], totals[row][vector]);
                        }
                    }
                    input = input.wrapping_add(block.n_inputs);
                    gradient = gradient.wrapping_add(block.n_outputs);
                }
                let start = part.first_input * block.n_outputs + part.first_output;
                let sums = sums.as_mut_ptr().add(start);
                for row in 0..ROWS {
                    // Not a pointer that steps on: after the last row it would leave the sums.
                    let sums = sums.add(row * block.n_outputs);
                    for vector in 0..VECTORS {
                        let sum = sums.add(vector * $width);
                        $store(sum, $add($load(sum), totals[row][vector]));
                    }
                }
            }
        }
    };
}

pub(super) use outer_tile;

//! The kernels of a sparse network for vector instructions, written once and expanded for each set.

/// Defines `embed`, `dense`, `activate` and `score`, which do what those of
/// [`portable`](super::portable) do.
macro_rules! sparse_kernels {
    (
        feature: $feature:literal,
        vector: $vector:ty,
        width: $width:literal,
        chains: $chains:literal,
        zero: $zero:ident,
        load: $load:ident,
        store: $store:ident,
        splat_one: $splat_one:ident,
        splat_pair: $splat_pair:ident,
        add_saturating: $add_saturating:ident,
        max: $max:ident,
        min: $min:ident,
        shift_left: $shift_left:ident,
        multiply_high: $multiply_high:ident,
        add_products: $add_products:ident,
        add: $add:ident,
        total: $total:ident,
        pairs_in_use: $pairs_in_use:ident,
        finish: $finish:ident $(,)?
    ) => {
        /// How many features ahead rows are fetched into the cache.
        const AHEAD: usize = 12;
        /// Vectors of a line.
        const VECTORS: usize = LINE / $width;

        /// Writes the activations of the sums of the bias and the rows of the features.
        ///
        /// # Safety
        /// The machine has the instructions; each feature has a row, and the bias and the output
        /// are as long as a row.
        #[target_feature(enable = $feature)]
        pub(super) unsafe fn embed(
            table: &Table,
            bias: &[Line],
            features: &[u32],
            out: &mut [Line],
        ) {
            let n_vectors = table.lines_a_row * VECTORS;
            let mut first = 0;
            macro_rules! blocks {
                ($n_block:literal) => {
                    while n_vectors - first >= $n_block {
                        // SAFETY: as for this function; the block is within a row.
                        unsafe { embed_block::<$n_block>(table, bias, features, first, out) };
                        first += $n_block;
                    }
                };
            }
            blocks!(16);
            blocks!(8);
            blocks!(4);
            blocks!(2);
            blocks!(1);
        }

        /// # Safety
        /// As [`embed`], and there are `N` vectors of a row from number `first`.
        #[target_feature(enable = $feature)]
        unsafe fn embed_block<const N: usize>(
            table: &Table,
            bias: &[Line],
            features: &[u32],
            first: usize,
            out: &mut [Line],
        ) {
            let n_vectors = table.lines_a_row * VECTORS;
            // SAFETY: every pointer stays within the slice it comes from, as the caller promises.
            unsafe {
                let rows = table.lines.as_ptr().cast::<$vector>().add(first);
                let bias = bias.as_ptr().cast::<$vector>().add(first);
                let mut sums = [$zero(); N];
                for vector in 0..N {
                    sums[vector] = $load(bias.add(vector));
                }
                for (index, &feature) in features.iter().enumerate() {
                    if let Some(&next) = features.get(index + AHEAD) {
                        let row = rows.add(next as usize * n_vectors).cast::<Line>();
                        for line in 0..N / VECTORS {
                            _mm_prefetch::<_MM_HINT_T0>(row.add(line).cast());
                        }
                    }
                    let row = rows.add(feature as usize * n_vectors);
                    for vector in 0..N {
                        sums[vector] = $add_saturating(sums[vector], $load(row.add(vector)));
                    }
                }
                let one = $splat_one(EMBEDDING_ONE);
                let out = out.as_mut_ptr().cast::<$vector>().add(first);
                for vector in 0..N {
                    let clamped = $min($max(sums[vector], $zero()), one);
                    let shifted = $shift_left::<5>(clamped);
                    $store(out.add(vector), $multiply_high(shifted, shifted));
                }
            }
        }

        /// Writes the outputs of a dense layer.
        ///
        /// # Safety
        /// The machine has the instructions; the input has the lines that the layer takes, and the
        /// output as many lanes as the layer has panels.
        #[target_feature(enable = $feature)]
        pub(super) unsafe fn dense(layer: &Dense, input: &[Line], out: &mut [Lane]) {
            let mut first = 0;
            macro_rules! blocks {
                ($n_panels:literal) => {
                    while layer.n_panels - first >= $n_panels {
                        // SAFETY: as for this function; the layer has the panels.
                        unsafe {
                            dense_block::<$n_panels, { $n_panels * VECTORS }>(
                                layer, input, first, out,
                            );
                        }
                        first += $n_panels;
                    }
                };
            }
            blocks!(4);
            blocks!(2);
            blocks!(1);
        }

        /// # Safety
        /// As [`dense`], and the layer has `PANELS` panels, of `N` vectors, from panel `first`.
        #[target_feature(enable = $feature)]
        unsafe fn dense_block<const PANELS: usize, const N: usize>(
            layer: &Dense,
            input: &[Line],
            first: usize,
            out: &mut [Lane],
        ) {
            // SAFETY: every pointer stays within the slice it comes from, as the caller promises.
            unsafe {
                let weights = layer.weights.as_ptr().add(first).cast::<$vector>();
                let pairs = input.as_ptr().cast::<i32>();
                // Additions to one sum wait for each other.
                let mut chains = [[$zero(); N]; $chains];
                for (group, lines) in input.chunks(LINES_A_GROUP).enumerate() {
                    let mut in_use = 0;
                    for (index, line) in lines.iter().enumerate() {
                        in_use |= $pairs_in_use(line) << (index * PAIRS);
                    }
                    let first_pair = group * LINES_A_GROUP * PAIRS;
                    'pairs: loop {
                        for sums in &mut chains {
                            if in_use == 0 {
                                break 'pairs;
                            }
                            let pair = first_pair + in_use.trailing_zeros() as usize;
                            in_use &= in_use - 1;
                            let input = $splat_pair(*pairs.add(pair));
                            let weights = weights.add(pair * layer.n_panels * VECTORS);
                            for vector in 0..N {
                                sums[vector] =
                                    $add_products(sums[vector], input, $load(weights.add(vector)));
                            }
                        }
                    }
                }
                let mut sums = chains[0];
                for chain in &chains[1..] {
                    for vector in 0..N {
                        sums[vector] = $add(sums[vector], chain[vector]);
                    }
                }
                let units = layer.units.as_ptr().add(first).cast::<f32>();
                let bias = layer.bias.as_ptr().add(first).cast::<f32>();
                let out = out.as_mut_ptr().add(first).cast::<f32>();
                for vector in 0..N {
                    let lane = vector * $width / 2;
                    $finish(sums[vector], units.add(lane), bias.add(lane), out.add(lane));
                }
            }
        }

        /// Writes the activations of a layer's outputs.
        ///
        /// # Safety
        /// The machine has the instructions.
        #[target_feature(enable = $feature)]
        pub(super) unsafe fn activate(outputs: &[Lane], out: &mut [Line]) {
            lines::activate(outputs, out);
        }

        /// Writes, for each action, the sum of the products of its rows with the features.
        ///
        /// # Safety
        /// The machine has the instructions; each action feature has a row, as long as the
        /// features.
        #[target_feature(enable = $feature)]
        pub(super) unsafe fn score(
            table: &Table,
            features: &[Line],
            actions: &ActionFeatures,
            totals: &mut [i32],
        ) {
            let n_vectors = table.lines_a_row * VECTORS;
            let mut first = 0;
            macro_rules! blocks {
                ($n_block:literal) => {
                    while n_vectors - first >= $n_block {
                        // SAFETY: as for this function; the block is within a row.
                        unsafe { score_block::<$n_block>(table, features, actions, first, totals) };
                        first += $n_block;
                    }
                };
            }
            totals.fill(0);
            blocks!(4);
            blocks!(2);
            blocks!(1);
        }

        /// Adds what `N` vectors of each row contribute.
        ///
        /// # Safety
        /// As [`score`], and there are `N` vectors of a row from number `first`.
        #[target_feature(enable = $feature)]
        unsafe fn score_block<const N: usize>(
            table: &Table,
            features: &[Line],
            actions: &ActionFeatures,
            first: usize,
            totals: &mut [i32],
        ) {
            let n_vectors = table.lines_a_row * VECTORS;
            // SAFETY: every pointer stays within the slice it comes from, as the caller promises.
            unsafe {
                let rows = table.lines.as_ptr().cast::<$vector>().add(first);
                let features = features.as_ptr().cast::<$vector>().add(first);
                let mut inputs = [$zero(); N];
                for vector in 0..N {
                    inputs[vector] = $load(features.add(vector));
                }
                let mut start = 0;
                for (&end, total) in actions.ends().iter().zip(totals) {
                    let mut sums = [$zero(); 2];
                    for &feature in &actions.values()[start..end as usize] {
                        let row = rows.add(feature as usize * n_vectors);
                        for vector in 0..N {
                            let sum = &mut sums[vector % 2];
                            *sum = $add_products(*sum, inputs[vector], $load(row.add(vector)));
                        }
                    }
                    *total = total.wrapping_add($total($add(sums[0], sums[1])));
                    start = end as usize;
                }
            }
        }
    };
}

pub(super) use sparse_kernels;

//! Numbers in bf16, the upper half of a 32-bit float, and how they lie in memory for the
//! instructions that multiply pairs of them.

/// Numbers of a row of a tile.
pub(super) const TILE_DEPTH: usize = 32;
/// Rows of a tile of inputs, and outputs of a tile of weights.
pub(super) const TILE_SIDE: usize = 16;
/// Rows, and outputs, of a block of sums, which are computed at a time.
pub(super) const BLOCK: usize = 2 * TILE_SIDE;

/// 32 bf16 numbers on a cache line of their own: a tile's row. Rows that lie across two lines make
/// loading tiles three times as slow.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct TileRow(pub [u16; TILE_DEPTH]);

impl TileRow {
    pub const ZERO: TileRow = TileRow([0; TILE_DEPTH]);
}

/// A block of sums, `[rows][outputs]`.
#[repr(C, align(64))]
pub(super) struct Sums(pub [[f32; BLOCK]; BLOCK]);

/// What the inputs of some rows are multiplied with to get a block of sums.
#[derive(Clone, Copy)]
pub(super) struct Weights<'a> {
    /// Where the inputs of a row are: tile rows at these distances from its start, in bytes.
    pub offsets: &'a [isize],
    /// Two tiles for each of the offsets: `BLOCK` rows, of which row `r` of the first half holds
    /// inputs `2r` and `2r + 1` of outputs 0, 1, …, 15, and the second half those of outputs 16 to
    /// 31.
    pub tiles: &'a [TileRow],
    /// How many of the pairs of inputs in a tile row are in use; the weights of the others are 0.
    pub n_pairs: usize,
}

/// The nearest bf16 number, ties to even; for finite numbers.
pub(super) fn to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    // Carries over into an infinity where the number is too large.
    (bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16) as u16
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn bf16_is_the_nearest_number_with_ties_to_even() {
        let back = |bits: u16| f32::from_bits(u32::from(bits) << 16);
        for (value, expected) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (-2.5, -2.5),
            // Numbers near 1 are a 128th apart.
            (1.0 + 1.0 / 256.0, 1.0),
            (1.0 + 3.0 / 256.0, 1.0 + 4.0 / 256.0),
            (1.0 + 1.1 / 256.0, 1.0 + 2.0 / 256.0),
            (f32::MAX, f32::INFINITY),
        ] {
            assert_eq!(back(to_bf16(value)), expected, "{value}");
        }
    }

    /// Checks `multiply(input, bytes from a row to the next, weights, sums)` of `n_rows` rows.
    pub(in super::super) fn check_block(
        n_rows: usize,
        multiply: impl Fn(*const TileRow, usize, Weights<'_>, &mut Sums),
    ) {
        // Small whole numbers are exact, whatever the order of summation.
        let number = |i: usize| ((i * i + 3 * i) % 7) as f32 - 3.0;
        let n_steps = 3;
        for n_pairs in [1, 5, TILE_SIDE] {
            let weight = |input: usize, output: usize| {
                let is_used = input % TILE_DEPTH < 2 * n_pairs;
                f32::from(u8::from(is_used)) * number(input * 5 + output)
            };
            let mut input = vec![TileRow::ZERO; n_rows * n_steps];
            let mut tiles = vec![TileRow::ZERO; BLOCK * n_steps];
            for (row, inputs) in input.iter_mut().enumerate() {
                inputs.0 = std::array::from_fn(|i| to_bf16(number(row * TILE_DEPTH + i)));
            }
            for (index, row) in tiles.iter_mut().enumerate() {
                let (step, tile_row) = (index / BLOCK, index % BLOCK);
                let first_output = tile_row / TILE_SIDE * TILE_SIDE;
                let first_input = step * TILE_DEPTH + 2 * (tile_row % TILE_SIDE);
                row.0 = std::array::from_fn(|i| {
                    to_bf16(weight(first_input + i % 2, first_output + i / 2))
                });
            }
            let row_bytes = n_steps * size_of::<TileRow>();
            let offsets: Vec<isize> = (0..n_steps)
                .map(|step| (step * size_of::<TileRow>()) as isize)
                .collect();
            let weights = Weights {
                offsets: &offsets,
                tiles: &tiles,
                n_pairs,
            };
            let mut sums = Sums([[f32::NAN; BLOCK]; BLOCK]);
            multiply(input.as_ptr(), row_bytes, weights, &mut sums);
            for (row, sums) in sums.0.iter().take(n_rows).enumerate() {
                for (output, &sum) in sums.iter().enumerate() {
                    let n_inputs = n_steps * TILE_DEPTH;
                    let products =
                        (0..n_inputs).map(|i| number(row * n_inputs + i) * weight(i, output));
                    assert_eq!(sum, products.sum::<f32>(), "row {row}, output {output}");
                }
            }
        }
    }
}

//! Vector instructions that multiply pairs of bf16 numbers (AVX512-BF16): half as many as for
//! 32-bit floats.

use super::bf16::{BLOCK, Sums, TILE_SIDE, TileRow, Weights};
use super::product::even_parts;
use std::arch::x86_64::{
    __m512, __m512bh, __m512i, _mm512_dpbf16_ps, _mm512_loadu_si512, _mm512_set1_epi32,
    _mm512_setzero_ps, _mm512_storeu_ps,
};

/// Rows whose sums are in registers at a time.
const MAX_ROWS: usize = 8;

/// Whether the processor has the instructions.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512bf16")
}

/// Computes the sums of rows that start in `cells` of `input`, so many tile rows each.
///
/// # Safety
/// The machine has the instructions, and tile rows at all offsets from all starts can be read.
///
/// # Panics
/// If there are more rows than a block has, or not as many weights as offsets.
pub(super) unsafe fn multiply(
    input: *const TileRow,
    cells: &[usize],
    rows_a_cell: usize,
    weights: Weights<'_>,
    sums: &mut Sums,
) {
    assert!(cells.len() <= BLOCK && weights.n_pairs <= TILE_SIDE);
    assert_eq!(weights.tiles.len(), BLOCK * weights.offsets.len());
    macro_rules! dispatch {
        ($first:expr, $n_rows:expr, $($rows:literal)*) => {
            match $n_rows {
                $($rows => {
                    let starts: [_; $rows] = std::array::from_fn(|row| {
                        input.wrapping_add(cells[$first + row] * rows_a_cell).cast()
                    });
                    // SAFETY: as for this function; there are enough weights.
                    unsafe { rows(starts, weights, &mut sums.0[$first..][..$rows]) }
                })*
                n_rows => unreachable!("{n_rows} rows at a time"),
            }
        };
    }
    for (first, n_rows) in even_parts(cells.len(), MAX_ROWS) {
        dispatch!(first, n_rows, 1 2 3 4 5 6 7 8);
    }
}

/// # Safety
/// As [`multiply`], from these starts.
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn rows<const ROWS: usize>(
    starts: [*const u8; ROWS],
    weights: Weights<'_>,
    sums: &mut [[f32; BLOCK]],
) {
    let mut registers: [[__m512; 2]; ROWS] = [[_mm512_setzero_ps(); 2]; ROWS];
    let mut tiles = weights.tiles.as_ptr();
    // SAFETY: the caller promises that the inputs can be read; there are two tiles for each offset.
    unsafe {
        for &offset in weights.offsets {
            let inputs = starts.map(|start| start.offset(offset).cast::<i32>());
            for pair in 0..weights.n_pairs {
                let load = |half: usize| bf16(_mm512_loadu_si512(tiles.add(half + pair).cast()));
                let halves = [load(0), load(TILE_SIDE)];
                for row in 0..ROWS {
                    let input = bf16(_mm512_set1_epi32(*inputs[row].add(pair)));
                    for half in 0..2 {
                        let sum = registers[row][half];
                        registers[row][half] = _mm512_dpbf16_ps(sum, input, halves[half]);
                    }
                }
            }
            tiles = tiles.add(BLOCK);
        }
        for (registers, sums) in registers.iter().zip(sums) {
            for (half, &sum) in registers.iter().enumerate() {
                _mm512_storeu_ps(sums.as_mut_ptr().add(half * TILE_SIDE), sum);
            }
        }
    }
}

/// The same bits, as bf16 numbers.
#[target_feature(enable = "avx512f")]
fn bf16(bits: __m512i) -> __m512bh {
    // SAFETY: both are 512 bits, which may be any.
    unsafe { std::mem::transmute(bits) }
}

#[cfg(test)]
mod tests {
    use super::super::bf16::tests::check_block;
    use super::*;

    #[test]
    fn a_block_of_sums_is_that_of_plain_arithmetic() {
        if !is_available() {
            return;
        }
        for n_rows in [1, 2, 7, 8, 9, 20, BLOCK] {
            let cells: Vec<usize> = (0..n_rows).collect();
            check_block(n_rows, |input, row_bytes, weights, sums| {
                let rows_a_cell = row_bytes / size_of::<TileRow>();
                // SAFETY: the machine has the instructions, and there are so many rows.
                unsafe { multiply(input, &cells, rows_a_cell, weights, sums) };
            });
        }
    }
}

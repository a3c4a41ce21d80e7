//! The weight gradient's kernel with AVX2 and FMA.

use super::outer_part::{Block, Part};
use super::outer_tile::outer_tile;
use std::arch::x86_64::{
    _mm256_add_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_storeu_ps,
};

outer_tile! {
    feature: "avx2,fma",
    width: 8,
    splat: _mm256_set1_ps,
    load: _mm256_loadu_ps,
    store: _mm256_storeu_ps,
    multiply_add: _mm256_fmadd_ps,
    add: _mm256_add_ps,
}

/// Adds one part of at most 6 inputs and 1 panel, which is two vectors.
///
/// # Safety
/// The machine has AVX2 and FMA; the part lies within the block and the sums.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn add(block: &Block<'_>, part: Part, sums: &mut [f32]) {
    // SAFETY: as for this function.
    unsafe {
        match part.n_inputs {
            1 => tile::<1, 2>(block, part, sums),
            2 => tile::<2, 2>(block, part, sums),
            3 => tile::<3, 2>(block, part, sums),
            4 => tile::<4, 2>(block, part, sums),
            5 => tile::<5, 2>(block, part, sums),
            6 => tile::<6, 2>(block, part, sums),
            _ => unreachable!("{part:?}"),
        }
    }
}

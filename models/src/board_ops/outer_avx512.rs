//! The weight gradient's kernel with AVX-512F.

use super::outer_part::{Block, Part};
use super::outer_tile::outer_tile;
use std::arch::x86_64::{
    _mm512_add_ps, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_storeu_ps,
};

outer_tile! {
    feature: "avx512f",
    width: 16,
    splat: _mm512_set1_ps,
    load: _mm512_loadu_ps,
    store: _mm512_storeu_ps,
    multiply_add: _mm512_fmadd_ps,
    add: _mm512_add_ps,
}

/// Adds one part of at most 8 inputs and 3 panels, or 6 inputs and 4 panels.
///
/// # Safety
/// The machine has AVX-512F; the part lies within the block and the sums.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn add(block: &Block<'_>, part: Part, sums: &mut [f32]) {
    macro_rules! dispatch {
        ($(($n_inputs:literal, $n_panels:literal))*) => {
            match (part.n_inputs, part.n_panels) {
                // SAFETY: as for this function.
                $(($n_inputs, $n_panels) => unsafe {
                    tile::<$n_inputs, $n_panels>(block, part, sums);
                })*
                _ => unreachable!("{part:?}"),
            }
        };
    }
    dispatch! {
        (1, 1) (2, 1) (3, 1) (4, 1) (5, 1) (6, 1) (7, 1) (8, 1)
        (1, 2) (2, 2) (3, 2) (4, 2) (5, 2) (6, 2) (7, 2) (8, 2)
        (1, 3) (2, 3) (3, 3) (4, 3) (5, 3) (6, 3) (7, 3) (8, 3)
        (1, 4) (2, 4) (3, 4) (4, 4) (5, 4) (6, 4)
    }
}

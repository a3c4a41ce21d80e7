//! The kernel with AVX2 and FMA: 16 registers of 8 floats.

use super::panels::{Block, PANEL, Product, Rows};
use super::vector_tile::vector_tile;
use std::arch::x86_64::{
    __m256, _mm256_add_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_set1_ps,
    _mm256_storeu_ps,
};

vector_tile! {
    feature: "avx2,fma",
    vector: __m256,
    width: 8,
    splat: _mm256_set1_ps,
    load: _mm256_loadu_ps,
    store: _mm256_storeu_ps,
    multiply_add: _mm256_fmadd_ps,
    add: _mm256_add_ps,
    max: _mm256_max_ps,
}

/// Computes one block of at most 6 rows and 1 panel, 2 rows and 2 panels, or 1 row and 4 panels.
///
/// # Safety
/// The machine has AVX2 and FMA; the block's rows and panels exist, and the rows lie within the
/// input and the output.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn compute(product: &Product, block: Block, rows: &mut Rows<'_>) {
    macro_rules! dispatch {
        ($(($n_rows:literal, $n_panels:literal))*) => {
            match (block.n_rows, block.n_panels) {
                // SAFETY: as for this function. A panel is two vectors.
                $(($n_rows, $n_panels) => unsafe {
                    tile::<$n_rows, { 2 * $n_panels }>(product, block, rows);
                })*
                other => unreachable!("a block of {other:?} rows and panels"),
            }
        };
    }
    dispatch! {
        (1, 1) (2, 1) (3, 1) (4, 1) (5, 1) (6, 1)
        (1, 2) (2, 2)
        (1, 3) (1, 4)
    }
}

//! The kernel with AVX-512F: 32 registers of 16 floats.

use super::panels::{Block, PANEL, Product, Rows};
use super::vector_tile::vector_tile;
use std::arch::x86_64::{
    __m512, _mm512_add_ps, _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_max_ps, _mm512_set1_ps,
    _mm512_storeu_ps,
};

vector_tile! {
    feature: "avx512f",
    vector: __m512,
    width: 16,
    splat: _mm512_set1_ps,
    load: _mm512_loadu_ps,
    store: _mm512_storeu_ps,
    multiply_add: _mm512_fmadd_ps,
    add: _mm512_add_ps,
    max: _mm512_max_ps,
}

/// Computes one block of at most 6 rows and 4 panels, or 8 rows and 3 panels.
///
/// # Safety
/// The machine has AVX-512F; the block's rows and panels exist, and the rows lie within the input
/// and the output.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn compute(product: &Product, block: Block, rows: &mut Rows<'_>) {
    macro_rules! dispatch {
        ($(($n_rows:literal, $n_panels:literal))*) => {
            match (block.n_rows, block.n_panels) {
                // SAFETY: as for this function.
                $(($n_rows, $n_panels) => unsafe {
                    tile::<$n_rows, $n_panels>(product, block, rows);
                })*
                other => unreachable!("a block of {other:?} rows and panels"),
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

//! The kernels of a sparse network with AVX-512F and BW: 32 registers of 32 numbers.

use super::lines::{self, Dense, EMBEDDING_ONE, LINE, LINES_A_GROUP, Line, PAIRS, Table};
use super::vector::sparse_kernels;
use crate::leaf::panels::Lane;
use std::arch::x86_64::{
    __m512i, _MM_HINT_T0, _mm_prefetch, _mm512_add_epi32, _mm512_add_ps, _mm512_adds_epi16,
    _mm512_cvtepi32_ps, _mm512_load_ps, _mm512_load_si512, _mm512_madd_epi16, _mm512_max_epi16,
    _mm512_min_epi16, _mm512_mul_ps, _mm512_mulhi_epu16, _mm512_reduce_add_epi32,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_slli_epi16, _mm512_store_ps,
    _mm512_store_si512, _mm512_test_epi32_mask,
};
use tablero_env::ActionFeatures;

sparse_kernels! {
    feature: "avx512f,avx512bw",
    vector: __m512i,
    width: 32,
    chains: 1,
    zero: _mm512_setzero_si512,
    load: _mm512_load_si512,
    store: _mm512_store_si512,
    splat_one: _mm512_set1_epi16,
    splat_pair: _mm512_set1_epi32,
    add_saturating: _mm512_adds_epi16,
    max: _mm512_max_epi16,
    min: _mm512_min_epi16,
    shift_left: _mm512_slli_epi16,
    multiply_high: _mm512_mulhi_epu16,
    add_products: add_products,
    add: _mm512_add_epi32,
    total: _mm512_reduce_add_epi32,
    pairs_in_use: pairs_in_use,
    finish: finish,
}

/// Whether the processor has the instructions.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
}

/// Adds the products of two neighbours to each sum.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add_products(sums: __m512i, left: __m512i, right: __m512i) -> __m512i {
    _mm512_add_epi32(sums, _mm512_madd_epi16(left, right))
}

/// A bit for each pair of numbers that are not both 0.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn pairs_in_use(line: &Line) -> u64 {
    // SAFETY: a line is an aligned vector.
    let pairs = unsafe { _mm512_load_si512(line.0.as_ptr().cast()) };
    _mm512_test_epi32_mask(pairs, pairs).into()
}

/// Writes outputs: sums times units, plus bias.
///
/// # Safety
/// The machine has AVX-512F; there are 16 numbers each, aligned to a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn finish(sums: __m512i, units: *const f32, bias: *const f32, out: *mut f32) {
    // SAFETY: as for this function.
    unsafe {
        let products = _mm512_mul_ps(_mm512_cvtepi32_ps(sums), _mm512_load_ps(units));
        _mm512_store_ps(out, _mm512_add_ps(products, _mm512_load_ps(bias)));
    }
}

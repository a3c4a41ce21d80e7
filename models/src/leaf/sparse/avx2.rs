//! The kernels of a sparse network with AVX2: 16 registers of 16 numbers.

use super::lines::{self, Dense, EMBEDDING_ONE, LINE, LINES_A_GROUP, Line, PAIRS, Table};
use super::vector::sparse_kernels;
use crate::leaf::panels::Lane;
use std::arch::x86_64::{
    __m256i, _MM_HINT_T0, _mm_add_epi32, _mm_cvtsi128_si32, _mm_prefetch, _mm_shuffle_epi32,
    _mm256_add_epi32, _mm256_add_ps, _mm256_adds_epi16, _mm256_castsi256_ps,
    _mm256_castsi256_si128, _mm256_cmpeq_epi32, _mm256_cvtepi32_ps, _mm256_extracti128_si256,
    _mm256_load_ps, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_movemask_ps, _mm256_mul_ps, _mm256_mulhi_epu16, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_slli_epi16, _mm256_store_ps, _mm256_store_si256,
};
use tablero_env::ActionFeatures;

sparse_kernels! {
    feature: "avx2",
    vector: __m256i,
    width: 16,
    chains: 1,
    zero: _mm256_setzero_si256,
    load: _mm256_load_si256,
    store: _mm256_store_si256,
    splat_one: _mm256_set1_epi16,
    splat_pair: _mm256_set1_epi32,
    add_saturating: _mm256_adds_epi16,
    max: _mm256_max_epi16,
    min: _mm256_min_epi16,
    shift_left: _mm256_slli_epi16,
    multiply_high: _mm256_mulhi_epu16,
    add_products: add_products,
    add: _mm256_add_epi32,
    total: total,
    pairs_in_use: pairs_in_use,
    finish: finish,
}

/// Adds the products of two neighbours to each sum.
#[inline]
#[target_feature(enable = "avx2")]
fn add_products(sums: __m256i, left: __m256i, right: __m256i) -> __m256i {
    _mm256_add_epi32(sums, _mm256_madd_epi16(left, right))
}

/// The sum of the 8 numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn total(sums: __m256i) -> i32 {
    let high = _mm256_extracti128_si256::<1>(sums);
    let sums = _mm_add_epi32(_mm256_castsi256_si128(sums), high);
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b01_00_11_10>(sums));
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b10_11_00_01>(sums));
    _mm_cvtsi128_si32(sums)
}

/// A bit for each pair of numbers that are not both 0.
#[inline]
#[target_feature(enable = "avx2")]
fn pairs_in_use(line: &Line) -> u64 {
    let zeros = |half: usize| {
        // SAFETY: a line is two aligned vectors.
        let pairs = unsafe { _mm256_load_si256(line.0.as_ptr().cast::<__m256i>().add(half)) };
        let zeros = _mm256_cmpeq_epi32(pairs, _mm256_setzero_si256());
        _mm256_movemask_ps(_mm256_castsi256_ps(zeros)) as u64
    };
    !(zeros(0) | zeros(1) << 8) & 0xffff
}

/// Writes outputs: sums times units, plus bias.
///
/// # Safety
/// The machine has AVX2; there are 8 numbers each, aligned to a vector.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn finish(sums: __m256i, units: *const f32, bias: *const f32, out: *mut f32) {
    // SAFETY: as for this function.
    unsafe {
        let products = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_load_ps(units));
        _mm256_store_ps(out, _mm256_add_ps(products, _mm256_load_ps(bias)));
    }
}

//! The kernels of a sparse network with AVX-512 VNNI: products and their sum in one instruction.

use super::avx512::{self, finish, pairs_in_use};
use super::lines::{self, Dense, EMBEDDING_ONE, LINE, LINES_A_GROUP, Line, PAIRS, Table};
use super::vector::sparse_kernels;
use crate::leaf::panels::Lane;
use std::arch::x86_64::{
    __m512i, _MM_HINT_T0, _mm_prefetch, _mm512_add_epi32, _mm512_adds_epi16, _mm512_dpwssd_epi32,
    _mm512_load_si512, _mm512_max_epi16, _mm512_min_epi16, _mm512_mulhi_epu16,
    _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_store_si512,
};
use tablero_env::ActionFeatures;

sparse_kernels! {
    feature: "avx512f,avx512bw,avx512vnni",
    vector: __m512i,
    width: 32,
    chains: 2,
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
    add_products: _mm512_dpwssd_epi32,
    add: _mm512_add_epi32,
    total: _mm512_reduce_add_epi32,
    pairs_in_use: pairs_in_use,
    finish: finish,
}

/// Whether the processor has the instructions.
pub(super) fn is_available() -> bool {
    avx512::is_available() && is_x86_feature_detected!("avx512vnni")
}

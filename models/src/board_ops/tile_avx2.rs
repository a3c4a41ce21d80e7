//! The transforms of a tile with AVX2.

use super::tile_kernels::tile_kernels;
use std::arch::x86_64::{__m256, _mm256_add_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_sub_ps};

tile_kernels! {
    feature: "avx2",
    vector: __m256,
    width: 8,
    load: _mm256_loadu_ps,
    store: _mm256_storeu_ps,
    add: _mm256_add_ps,
    subtract: _mm256_sub_ps,
}

//! The transforms of a tile with AVX-512F.

use super::tile_kernels::tile_kernels;
use std::arch::x86_64::{__m512, _mm512_add_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_sub_ps};

tile_kernels! {
    feature: "avx512f",
    vector: __m512,
    width: 16,
    load: _mm512_loadu_ps,
    store: _mm512_storeu_ps,
    add: _mm512_add_ps,
    subtract: _mm512_sub_ps,
}

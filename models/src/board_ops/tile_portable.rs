//! The transforms of a tile in plain code.

use super::tile_kernels::tile_kernels;
use std::ops::{Add, Sub};

tile_kernels! {
    vector: f32,
    width: 1,
    load: std::ptr::read,
    store: std::ptr::write,
    add: f32::add,
    subtract: f32::sub,
}

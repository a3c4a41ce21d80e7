//! A residual network's layers on the CPU, for training: burn operations of our own.
//!
//! burn's CPU backend copies each position into columns, packs the weights for each, and passes
//! over everything once more for each of batch norm, addition and relu. Here a layer is one
//! operation with a way back written by hand. Boards stay in one form from layer to layer, cell
//! by cell with a border of zeros (see [`boards`]). Convolutions are products over tiles, which
//! save half of the multiplications (see [`tiles`]), by the product that leaf evaluation uses.
//! Boards go through in chunks that stay in the cache, and buffers are used again from step to
//! step.
//!
//! Sums are taken in one fixed order, so equal steps give equal bits.

mod boards;
mod convolution;
mod layer;
mod norm;
mod operation;
mod outer;
#[cfg(target_arch = "x86_64")]
mod outer_avx2;
#[cfg(target_arch = "x86_64")]
mod outer_avx512;
mod outer_part;
mod outer_portable;
#[cfg(target_arch = "x86_64")]
mod outer_tile;
mod pool;
#[cfg(target_arch = "x86_64")]
mod tile_avx2;
#[cfg(target_arch = "x86_64")]
mod tile_avx512;
mod tile_kernels;
mod tile_portable;
mod tiles;

pub(crate) use operation::{NormedConvolution, NormedConvolutionOutput, normed_convolution};
pub(crate) use pool::Pool;

#[cfg(test)]
mod tests;

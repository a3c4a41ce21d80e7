//! Evaluation of leaves on the CPU: a forward pass of our own.
//!
//! burn's matrix products do not promise a fixed order of summation, so a position's result
//! could depend on the batch that it is in, and with it whole games. Here each output is summed
//! in one fixed order (see [`product`]): on one machine, the same position gives the same bits,
//! alone or among others.
//!
//! [`LeafNetwork`] holds the packed weights and is shared by all workers; each worker has a
//! [`LeafEvaluator`] with its own buffers.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod boards;
mod evaluator;
mod instructions;
mod mlp;
mod network;
mod pack;
mod panels;
mod portable;
mod product;
mod residual;
mod softmax;
mod sparse;
mod trunk;
#[cfg(target_arch = "x86_64")]
mod vector_tile;

pub use evaluator::{LeafEvaluator, PositionLogits};
pub use instructions::InstructionSet;
pub use network::{LeafNetwork, Logits};
pub(crate) use panels::{Lane, PANEL, Product, Rows};
pub(crate) use product::even_parts;
pub use softmax::softmax;

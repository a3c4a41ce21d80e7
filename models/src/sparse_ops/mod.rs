//! A sparse network's embeddings on the CPU, for training: burn operations of our own.
//!
//! A batch sees few of a table's rows, so a gradient of the whole table would be mostly zeros.
//! Tables therefore lie beside burn's tensors: the operations read them, put the gradients of the
//! rows that they read [beside the table](table::Table), and the optimizer changes these rows in
//! place.
//!
//! Sums are taken in one fixed order, whatever the threads, so equal steps give equal bits.

mod batch;
mod operations;
mod products;
mod readers;
mod sums;
mod table;
#[cfg(test)]
mod tests;
mod threads;

/// The slope of the activation outside of 0..1 in the backward pass, for a gradient that leads back into
/// the range, at the beginning of training. With the true slope, 0, a unit that no position brings into
/// the range would never learn again. A slope for gradients that lead further out would drive weights
/// without end: where the output does not change, nothing ends the drive. Later, when few units are
/// lost, the true slope serves better, so [a learner lowers it](crate::Network::set_return_slope).
pub const RETURN_SLOPE: f32 = 0.5;

pub use batch::SparseBatch;
pub(crate) use operations::{action_logits, activated, embedded};
pub(crate) use table::{RowGradients, Table};

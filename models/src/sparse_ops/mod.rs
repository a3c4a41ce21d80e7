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

/// What the backward pass adds to the slope of every activation. A unit that no position of the data
/// brings into 0..1 has the slope 0 everywhere: it would never learn again, and steps of a
/// useful size lose most units so.
const LEAK: f32 = 0.1;

pub use batch::SparseBatch;
pub(crate) use operations::{action_logits, activated, embedded};
pub(crate) use table::{RowGradients, Table};

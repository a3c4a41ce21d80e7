//! Neural networks of Tablero.
//!
//! - [`NetworkConfig`] and [`NetworkShape`] say which network, for which game's tensors.
//! - [`Network`] trains, in burn; [`Optimizer`] moves its weights.
//! - [`Weights`] are the same network as plain numbers, for files, averages and comparisons.

mod config;
mod network;
mod optimizer;
mod parameters;
mod weights;

pub use config::{ConfigError, MAX_CELLS, NetworkConfig, NetworkShape};
pub use network::{Network, NetworkOutput};
pub use optimizer::{Optimizer, OptimizerConfig, OptimizerError};
pub use weights::{WeightTensor, Weights, WeightsError};

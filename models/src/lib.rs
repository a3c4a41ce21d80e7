//! Neural networks of Tablero.
//!
//! - [`NetworkConfig`] and [`NetworkShape`] say which network, for which game's tensors.
//! - [`Network`] trains, in burn; [`Optimizer`] moves its weights.
//! - [`LeafNetwork`] and [`LeafEvaluator`] judge positions for a search.
//! - [`Policy`] is a network with its game, as a directory that describes and checks itself.
//! - [`Weights`] are the same network as plain numbers, for files, averages and comparisons.

mod config;
mod leaf;
mod network;
mod optimizer;
mod parameters;
mod policy;
mod weights;

pub use config::{ConfigError, MAX_CELLS, NetworkConfig, NetworkShape};
pub use leaf::{InstructionSet, LeafEvaluator, LeafNetwork, Logits};
pub use network::{Network, NetworkOutput};
pub use optimizer::{Optimizer, OptimizerConfig, OptimizerError};
pub use policy::{
    GOLDEN_TOLERANCE, Golden, GoldenPosition, Outputs, Policy, PolicyError, PolicyManifest,
};
pub use weights::{WeightTensor, Weights, WeightsError};

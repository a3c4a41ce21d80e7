//! Neural networks of Tablero: training in burn, leaf evaluation of our own, policy directories.
//!
//! - [`NetworkConfig`] and [`NetworkShape`] say which network, for which game's tensors.
//! - [`Network`] trains, in burn; [`Optimizer`] moves its weights.
//! - [`LeafNetwork`] and [`LeafEvaluator`] evaluate positions for a search; on a graphics card
//!   [`DeviceEvaluator`] does ([`Hardware`]).
//! - [`Policy`] is a network with its game, as a directory that describes and checks itself.
//! - [`Weights`] are the same network as plain numbers, for files, averages and comparisons.
//!
//! # Training
//! ```
//! use burn::tensor::{Device, Tensor};
//! use tablero_env::dots_and_boxes::DotsAndBoxes;
//! use tablero_models::{
//!     Network, NetworkConfig, NetworkShape, Optimizer, OptimizerConfig, Weights,
//! };
//!
//! let shape = NetworkShape::of(&DotsAndBoxes::new(2, 2)?);
//! let config = NetworkConfig::Mlp { hidden: vec![16] };
//! let device = Device::flex().autodiff();
//! let mut network = config.init(&shape, 7, &device)?;
//! let mut optimizer = Optimizer::new(OptimizerConfig::default(), &network)?;
//!
//! let [planes, height, width] = shape.observation;
//! let output = network.forward(Tensor::ones([4, planes, height, width], &device));
//! let loss = (output.wdl_logits - 1.0).powi_scalar(2).mean();
//! let gradient_norm = optimizer.step(&mut network, loss.backward(), 1e-3)?;
//! assert!(gradient_norm > 0.0);
//!
//! // A checkpoint is three files; training goes on from it bit for bit.
//! let weights = network.to_weights().to_safetensors();
//! let average = optimizer.average(&network).to_safetensors();
//! let state = optimizer.to_bytes();
//! let [weights, average] = [weights, average].map(|bytes| Weights::from_safetensors(&bytes));
//! let network = Network::from_weights(&config, &shape, &weights?, &device)?;
//! let config = OptimizerConfig::default();
//! let optimizer = Optimizer::from_bytes(config, &network, &state, average?)?;
//! assert_eq!(optimizer.n_steps(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board_ops;
mod config;
mod cross_entropy;
mod dense;
mod device;
mod flex;
mod leaf;
mod network;
mod onnx;
mod optimizer;
mod overlay;
mod parameters;
mod policy;
mod relu;
mod search_config;
mod sparse_ops;
pub mod storage;
mod vectorized;
mod weights;

pub use config::{ConfigError, MAX_CELLS, NetworkConfig, NetworkShape};
pub use cross_entropy::cross_entropy;
pub use device::{DeviceEvaluator, Hardware, NoGpu, graphics_card_name};
pub use leaf::{InstructionSet, LeafEvaluator, LeafNetwork, Logits, PositionLogits, softmax};
pub use network::{Network, NetworkOutput, PolicyLogits};
pub use optimizer::{Optimizer, OptimizerConfig, OptimizerError};
pub use overlay::{Overlay, OverlayError};
pub use policy::{
    GOLDEN_TOLERANCE, Golden, GoldenPosition, Outputs, Policy, PolicyError, PolicyManifest,
    WeightsFormat, ZOO, ZooEntry,
};
pub use search_config::SearchConfig;
pub use sparse_ops::{RETURN_SLOPE, SparseBatch};
pub use weights::{WeightTensor, Weights, WeightsError};

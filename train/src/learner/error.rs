//! Why learning stopped.

use tablero_models::{NoGpu, OptimizerError, PolicyError, WeightsError};

/// Why learning stopped.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// A checkpoint cannot be read.
    #[error(transparent)]
    Checkpoint(#[from] PolicyError),
    /// The weights in a checkpoint are not those of the network.
    #[error("{path}: {error}")]
    Weights {
        /// The file.
        path: String,
        /// What is wrong.
        error: WeightsError,
    },
    /// The optimizer's state is damaged, or a step is not finite.
    #[error(transparent)]
    Optimizer(#[from] OptimizerError),
    /// The network cannot be made from its weights.
    #[error(transparent)]
    Network(#[from] WeightsError),
    /// The configured device cannot be used.
    #[error(transparent)]
    Device(#[from] NoGpu),
    /// A loss is not a number.
    #[error(
        "training diverged at step {step}: the {what} is {value}; the last checkpoint is intact: \
         start a new run with a lower learner.learning_rate"
    )]
    Diverged {
        /// The step of this round.
        step: u64,
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f32,
    },
}

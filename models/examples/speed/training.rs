//! A training step: steps a second.
//!
//! A step is forward, cross-entropy of policy and result, backward and optimizer, with a batch
//! of [`BATCH`] positions.

use crate::networks::{find, networks, observations, thread_time, weights, write_values};
use burn::tensor::{Device, Tensor, TensorData};
use rand::RngExt;
use std::error::Error;
use std::path::Path;
use std::time::Instant;
use tablero_env::random::stream;
use tablero_models::{
    Network, NetworkShape, Optimizer, OptimizerConfig, OptimizerError, PolicyLogits, cross_entropy,
};

const BATCH: usize = 256;
const LEARNING_RATE: f64 = 1e-3;

/// A network in training, and what it trains on.
struct Training {
    shape: NetworkShape,
    network: Network,
    optimizer: Optimizer,
    observations: Vec<f32>,
    /// `[B, slots]`.
    policy: Vec<f32>,
    wdl: Vec<f32>,
}

impl Training {
    /// The network of a name at its start.
    fn start(name: &str) -> Result<Training, Box<dyn Error>> {
        let (config, shape) = find(name)?;
        let weights = weights(&config, &shape)?;
        let device = Device::flex().autodiff();
        let network = Network::from_weights(&config, &shape, &weights, &device)?;
        Ok(Training {
            shape,
            optimizer: Optimizer::new(OptimizerConfig::default(), &network)?,
            network,
            observations: observations(&shape, BATCH),
            policy: distributions("policy", shape.n_slots()),
            wdl: distributions("wdl", 3),
        })
    }

    /// One step; the loss before it.
    fn step(&mut self) -> Result<f32, OptimizerError> {
        let device = self.network.device();
        let [planes, height, width] = self.shape.observation;
        let observations =
            TensorData::new(self.observations.clone(), [BATCH, planes, height, width]);
        let output = self
            .network
            .forward(Tensor::<4>::from_data(observations, &device));
        let cross_entropy = |targets: &[f32], logits: Tensor<2>| {
            let [_, length] = logits.dims();
            cross_entropy(logits, targets.to_vec(), &[length; BATCH])
        };
        let PolicyLogits::Slots(policy_logits) = output.policy else {
            unreachable!("the networks read planes");
        };
        let loss = cross_entropy(&self.policy, policy_logits)
            + cross_entropy(&self.wdl, output.wdl_logits);
        let value: f32 = loss.clone().into_scalar();
        self.optimizer
            .step(&mut self.network, loss.backward(), LEARNING_RATE)?;
        Ok(value)
    }
}

/// A batch of probability distributions over so many values.
fn distributions(purpose: &str, n: usize) -> Vec<f32> {
    let mut rng = stream(1, purpose, 0);
    let mut values: Vec<f32> = (0..BATCH * n).map(|_| rng.random()).collect();
    for values in values.chunks_exact_mut(n) {
        let sum: f32 = values.iter().sum();
        values.iter_mut().for_each(|value| *value /= sum);
    }
    values
}

/// Writes the weights of all networks, and the batch that they train on.
pub fn write(directory: &Path) -> Result<String, Box<dyn Error>> {
    for (name, ..) in networks() {
        let training = Training::start(name)?;
        let weights = training.network.to_weights().to_safetensors();
        std::fs::write(directory.join(format!("{name}.safetensors")), weights)?;
        write_values(directory, name, "observations", &training.observations)?;
        write_values(directory, name, "policy", &training.policy)?;
        write_values(directory, name, "wdl", &training.wdl)?;
    }
    let names: Vec<_> = networks().iter().map(|(name, ..)| *name).collect();
    Ok(names.join(" "))
}

/// Steps a second of processor time, after two to warm up.
pub fn time(name: &str, seconds: f64) -> Result<f64, Box<dyn Error>> {
    let mut training = Training::start(name)?;
    training.step()?;
    training.step()?;
    let start = Instant::now();
    let before = thread_time(start);
    let mut n_steps = 0;
    while n_steps == 0 || start.elapsed().as_secs_f64() < seconds {
        training.step()?;
        n_steps += 1;
    }
    Ok(f64::from(n_steps) / (thread_time(start) - before).as_secs_f64())
}

/// The losses of `n` steps, each before its step.
pub fn losses(name: &str, n: usize) -> Result<String, Box<dyn Error>> {
    let mut training = Training::start(name)?;
    losses_of(n, || training.step())
}

/// The losses that `n` calls of `step` return, as text.
pub fn losses_of(
    n: usize,
    mut step: impl FnMut() -> Result<f32, OptimizerError>,
) -> Result<String, Box<dyn Error>> {
    let losses = (0..n).map(|_| Ok(format!("{:.6}", step()?)));
    Ok(losses
        .collect::<Result<Vec<_>, OptimizerError>>()?
        .join(" "))
}

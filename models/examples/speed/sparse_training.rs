//! Training steps of small sparse networks: positions a second.
//!
//! A step is forward, cross-entropy of policy and result, backward and optimizer, with a batch of
//! [`BATCH`] positions of random games.

use crate::networks::{thread_time, weights};
use crate::sparse::{find, positions};
use crate::training::losses_of;
use burn::tensor::Device;
use rand::RngExt;
use rand::seq::SliceRandom;
use serde_json::json;
use std::error::Error;
use std::path::Path;
use std::time::Instant;
use tablero_env::random::stream;
use tablero_env::{ActionFeatures, AnyGame, BoardGame, with_game};
use tablero_models::{
    Network, NetworkConfig, NetworkShape, Optimizer, OptimizerConfig, OptimizerError, PolicyLogits,
    SparseBatch, cross_entropy,
};

const BATCH: usize = 512;
const LEARNING_RATE: f64 = 1e-3;

/// A network in training, and what it trains on.
struct Training {
    network: Network,
    optimizer: Optimizer,
    batch: SparseBatch,
    n_legal: Vec<usize>,
    /// `[B, L]`.
    policy: Vec<f32>,
    /// `[B, 3]`.
    wdl: Vec<f32>,
}

fn config() -> NetworkConfig {
    NetworkConfig::Sparse {
        width: 256,
        hidden: vec![128],
    }
}

impl Training {
    /// The network of a name at its start.
    fn start(name: &str, threads: usize) -> Result<Training, Box<dyn Error>> {
        with_game!(&AnyGame::parse(find(name)?)?, game => Self::of(game, threads))
    }

    fn of<G: BoardGame>(game: &G, threads: usize) -> Result<Training, Box<dyn Error>> {
        // The points of games that have them would be a head more.
        let shape = NetworkShape {
            points: false,
            ..NetworkShape::of_network(game, &config())
        };
        let weights = weights(&config(), &shape)?;
        let device = Device::flex().autodiff();
        let network = Network::from_weights(&config(), &shape, &weights, &device)?;
        let network = network.with_threads(threads);
        let mut rng = stream(1, "batch", 0);
        let mut drawn = positions(game);
        drawn.shuffle(&mut rng);
        drawn.truncate(BATCH);
        let n_legal: Vec<usize> = drawn.iter().map(|(_, legal)| legal.len()).collect();
        let most_legal = n_legal.iter().copied().max().unwrap_or(0);
        let mut batch = SparseBatch {
            n_actions: most_legal,
            ..SparseBatch::default()
        };
        let (mut features, mut actions) = (Vec::new(), ActionFeatures::new());
        let mut policy = Vec::new();
        for (state, legal) in &drawn {
            game.write_features(state, legal, &mut features, &mut actions);
            batch.features.extend(&features);
            batch.ends.push(batch.features.len() as u32);
            for place in 0..most_legal {
                if place < legal.len() {
                    batch.action_features.extend(actions.get(place));
                }
                let end = batch.action_features.len() as u32;
                batch.action_ends.push(end);
            }
            policy.extend(distribution(&mut rng, legal.len()));
            policy.resize(policy.len() + most_legal - legal.len(), 0.0);
        }
        let wdl = drawn.iter().flat_map(|_| distribution(&mut rng, 3));
        Ok(Training {
            wdl: wdl.collect(),
            optimizer: Optimizer::new(OptimizerConfig::default(), &network)?,
            network,
            batch,
            n_legal,
            policy,
        })
    }

    /// One step; the loss before it.
    fn step(&mut self) -> Result<f32, OptimizerError> {
        let output = self.network.forward_sparse(self.batch.clone());
        let PolicyLogits::Listed(policy) = output.policy else {
            unreachable!("the network is sparse");
        };
        let n = self.n_legal.len();
        let loss = cross_entropy(policy, self.policy.clone(), &self.n_legal)
            + cross_entropy(output.wdl_logits, self.wdl.clone(), &vec![3; n]);
        let value: f32 = loss.clone().into_scalar();
        self.optimizer
            .step(&mut self.network, loss.backward(), LEARNING_RATE)?;
        Ok(value)
    }
}

fn distribution(rng: &mut impl RngExt, n: usize) -> Vec<f32> {
    let values: Vec<f32> = (0..n).map(|_| rng.random()).collect();
    let sum: f32 = values.iter().sum();
    values.iter().map(|value| value / sum).collect()
}

/// Writes the weights of a network, and the batch that it trains on.
pub fn write(directory: &Path, name: &str) -> Result<String, Box<dyn Error>> {
    let training = Training::start(name, 1)?;
    let weights = training.network.to_weights().to_safetensors();
    std::fs::write(directory.join(format!("{name}.safetensors")), weights)?;
    let batch = &training.batch;
    let batch = json!({
        "n_actions": batch.n_actions,
        "features": batch.features,
        "ends": batch.ends,
        "action_features": batch.action_features,
        "action_ends": batch.action_ends,
        "n_legal": training.n_legal,
        "policy": training.policy,
        "wdl": training.wdl,
    });
    std::fs::write(
        directory.join(format!("{name}.json")),
        serde_json::to_vec(&batch)?,
    )?;
    Ok(name.to_owned())
}

/// Positions a second, after two steps to warm up: of processor time with one thread, else of the clock.
pub fn time(name: &str, seconds: f64, threads: usize) -> Result<f64, Box<dyn Error>> {
    let mut training = Training::start(name, threads)?;
    training.step()?;
    training.step()?;
    let start = Instant::now();
    let before = thread_time(start);
    let mut n_positions = 0.0;
    while n_positions == 0.0 || start.elapsed().as_secs_f64() < seconds {
        training.step()?;
        n_positions += training.n_legal.len() as f64;
    }
    let spent = match threads {
        1 => thread_time(start) - before,
        _ => start.elapsed(),
    };
    Ok(n_positions / spent.as_secs_f64())
}

/// The losses of `n` steps, each before its step.
pub fn losses(name: &str, n: usize) -> Result<String, Box<dyn Error>> {
    let mut training = Training::start(name, 1)?;
    losses_of(n, || training.step())
}

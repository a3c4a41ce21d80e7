//! How fast a training step is, for a script that sets it beside another program's.
//!
//! Reads commands from the standard input, a line each, and answers each with a line:
//!
//! - `write DIR` puts the weights of all networks there, as `NAME.safetensors`, and a batch to
//!   train on: `NAME.observations`, `NAME.policy` and `NAME.wdl` (32-bit floats);
//! - `losses NAME N` answers with the losses of N steps on that batch, each before its step;
//! - `time NAME SECONDS` with steps a second of processor time.
//!
//! A step is forward, cross-entropy of policy and result, backward and optimizer, with a batch
//! of 256 positions.

use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, Tensor, TensorData};
use rand::RngExt;
use std::error::Error;
use std::io::BufRead;
use std::path::Path;
use std::time::{Duration, Instant};
use tablero_env::random::stream;
use tablero_models::{
    Network, NetworkConfig, NetworkShape, Optimizer, OptimizerConfig, OptimizerError, Weights,
};

const BATCH: usize = 256;
const LEARNING_RATE: f64 = 1e-3;

/// The networks: name, architecture, tensors.
fn networks() -> Vec<(&'static str, NetworkConfig, NetworkShape)> {
    let residual = |blocks| NetworkConfig::Residual {
        blocks,
        channels: 64,
        value_hidden: 64,
        hexagonal: false,
    };
    let shape = |observation, policy_planes| NetworkShape {
        observation,
        policy_planes,
        points: false,
    };
    let mlp = NetworkConfig::Mlp {
        hidden: vec![128, 128],
    };
    vec![
        ("mlp-200-128-128-60", mlp, shape([200, 1, 1], 60)),
        ("residual-4x64-9x9", residual(4), shape([8, 9, 9], 2)),
        ("residual-6x64-16x16", residual(6), shape([20, 16, 16], 4)),
    ]
}

/// A network in training, and what it trains on.
struct Training {
    shape: NetworkShape,
    network: Network,
    optimizer: Optimizer,
    observations: Vec<f32>,
    policy: Vec<f32>,
    wdl: Vec<f32>,
}

impl Training {
    /// The network of a name at its start.
    fn start(name: &str) -> Result<Training, Box<dyn Error>> {
        let found = networks().into_iter().find(|(each, ..)| *each == name);
        let (_, config, shape) = found.ok_or_else(|| format!("no network is called {name:?}"))?;
        let weights = weights(&config, &shape)?;
        let device = Device::flex().autodiff();
        let network = Network::from_weights(&config, &shape, &weights, &device)?;
        let mut rng = stream(1, "batch", 0);
        let observations = (0..BATCH * shape.n_inputs()).map(|_| f32::from(rng.random::<bool>()));
        Ok(Training {
            shape,
            optimizer: Optimizer::new(OptimizerConfig::default(), &network)?,
            network,
            observations: observations.collect(),
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
        let cross_entropy = |target: &[f32], logits: Tensor<2>| {
            let target = TensorData::new(target.to_vec(), logits.dims());
            Tensor::<2>::from_data(target, &device)
                .mul(log_softmax(logits, 1))
                .sum()
                .div_scalar(BATCH as f32)
                .neg()
        };
        let loss = cross_entropy(&self.policy, output.policy_logits)
            + cross_entropy(&self.wdl, output.wdl_logits);
        let value: f32 = loss.clone().into_scalar();
        self.optimizer
            .step(&mut self.network, loss.backward(), LEARNING_RATE)?;
        Ok(value)
    }
}

/// Weights as after training: nothing is 0.
fn weights(config: &NetworkConfig, shape: &NetworkShape) -> Result<Weights, Box<dyn Error>> {
    let mut weights = Weights::init(config, shape, 1)?;
    for (index, (name, tensor)) in weights.iter_mut().enumerate() {
        let mut rng = stream(1, "weights", index as u64);
        for value in &mut tensor.values {
            let x = rng.random_range(-1.0..1.0);
            match name.rsplit('.').next() {
                Some("running_var") => *value = 1.2 + x,
                Some("gamma") => *value = 1.0 + 0.5 * x,
                _ => *value += 0.05 * x,
            }
        }
    }
    Ok(weights)
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

fn write(directory: &Path) -> Result<String, Box<dyn Error>> {
    for (name, ..) in networks() {
        let training = Training::start(name)?;
        let weights = training.network.to_weights().to_safetensors();
        std::fs::write(directory.join(format!("{name}.safetensors")), weights)?;
        for (ending, values) in [
            ("observations", &training.observations),
            ("policy", &training.policy),
            ("wdl", &training.wdl),
        ] {
            let bytes: Vec<u8> = values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect();
            std::fs::write(directory.join(format!("{name}.{ending}")), bytes)?;
        }
    }
    let names: Vec<_> = networks().iter().map(|(name, ..)| *name).collect();
    Ok(names.join(" "))
}

/// The time that this thread has run, from Linux; the time on the clock elsewhere.
fn thread_time(start: Instant) -> Duration {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok())
        .map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Steps a second of processor time, after two to warm up.
fn time(name: &str, seconds: f64) -> Result<f64, Box<dyn Error>> {
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

fn answer(line: &str) -> Result<String, Box<dyn Error>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["write", directory] => write(Path::new(directory)),
        ["losses", name, n] => {
            let mut training = Training::start(name)?;
            let mut losses = Vec::new();
            for _ in 0..n.parse::<usize>()? {
                losses.push(format!("{:.6}", training.step()?));
            }
            Ok(losses.join(" "))
        }
        ["time", name, seconds] => Ok(format!("{:.4}", time(name, seconds.parse()?)?)),
        _ => Err(format!("expected write, losses or time, got {line:?}").into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lock().lines() {
        println!("{}", answer(&line?)?);
    }
    Ok(())
}

//! The networks that are timed, and what they read.

use rand::RngExt;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tablero_env::random::stream;
use tablero_models::{NetworkConfig, NetworkShape, Weights};

/// Positions whose logits are compared.
pub const N_CHECKED: usize = 16;

/// The networks: name, architecture, tensors.
pub fn networks() -> Vec<(&'static str, NetworkConfig, NetworkShape)> {
    let residual = |blocks| NetworkConfig::Residual {
        blocks,
        channels: 64,
    };
    let shape = |observation, policy_planes| NetworkShape {
        observation,
        policy_planes,
        points: false,
        features: None,
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

/// Weights as after training: nothing is 0.
pub fn weights(config: &NetworkConfig, shape: &NetworkShape) -> Result<Weights, Box<dyn Error>> {
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

pub fn observations(shape: &NetworkShape, n: usize) -> Vec<f32> {
    let mut rng = stream(1, "observations", 0);
    let values = (0..n * shape.n_inputs()).map(|_| f32::from(rng.random::<bool>()));
    values.collect()
}

pub fn find(name: &str) -> Result<(NetworkConfig, NetworkShape), Box<dyn Error>> {
    let found = networks().into_iter().find(|(each, ..)| *each == name);
    let (_, config, shape) = found.ok_or_else(|| format!("no network is called {name:?}"))?;
    Ok((config, shape))
}

/// Writes numbers as 32-bit floats.
pub fn write_values(
    directory: &Path,
    name: &str,
    ending: &str,
    values: &[f32],
) -> std::io::Result<()> {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    fs::write(directory.join(format!("{name}.{ending}")), bytes)
}

/// The time that this thread has run, from Linux; the time on the clock elsewhere.
pub fn thread_time(start: Instant) -> Duration {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok())
        .map_or_else(|| start.elapsed(), Duration::from_nanos)
}

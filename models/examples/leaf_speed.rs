//! How fast leaf evaluation is, for a script that sets it beside another program's.
//!
//! Reads commands from the standard input, a line each, and answers each with a line:
//!
//! - `write DIR` puts the weights of all networks there, as `NAME.safetensors`, and the logits of
//!   [`N_CHECKED`] observations as `NAME.observations` and `NAME.logits` (32-bit floats; policy,
//!   then win, draw, loss);
//! - `time NAME PRECISION BATCH SECONDS` answers with positions a second of processor time;
//! - `workers NAME PRECISION BATCH SECONDS N` with positions a second of the clock by N threads
//!   together;
//! - `error NAME` with the largest difference of a logit in bf16 to that in f32, and the same of
//!   the probabilities of the policy and the result;
//! - `peak SECONDS` with the floating-point operations (32 bits, a multiply-add is two) that one
//!   thread does a second of processor time in registers alone.

use rand::RngExt;
use std::error::Error;
use std::hint::black_box;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tablero_env::random::stream;
use tablero_models::{
    InstructionSet, LeafEvaluator, LeafNetwork, NetworkConfig, NetworkShape, Precision, Weights,
};

const N_CHECKED: usize = 16;

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

fn observations(shape: &NetworkShape, n: usize) -> Vec<f32> {
    let mut rng = stream(1, "observations", 0);
    let values = (0..n * shape.n_inputs()).map(|_| f32::from(rng.random::<bool>()));
    values.collect()
}

fn find(name: &str) -> Result<(NetworkConfig, NetworkShape), Box<dyn Error>> {
    let found = networks().into_iter().find(|(each, ..)| *each == name);
    let (_, config, shape) = found.ok_or_else(|| format!("no network is called {name:?}"))?;
    Ok((config, shape))
}

fn write(directory: &Path) -> Result<String, Box<dyn Error>> {
    let bytes = |values: &[f32]| -> Vec<u8> {
        values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect()
    };
    for (name, config, shape) in networks() {
        let weights = weights(&config, &shape)?;
        let observations = observations(&shape, N_CHECKED);
        let mut all = Vec::new();
        let mut evaluator =
            LeafEvaluator::new(Arc::new(LeafNetwork::new(&config, &shape, &weights)?));
        evaluator.logits(&observations, |_, logits| {
            all.extend((0..shape.n_slots()).map(|slot| logits.policy(slot)));
            all.extend(logits.wdl());
        });
        let write = |ending: &str, bytes: &[u8]| {
            std::fs::write(directory.join(format!("{name}.{ending}")), bytes)
        };
        write("safetensors", &weights.to_safetensors())?;
        write("observations", &bytes(&observations))?;
        write("logits", &bytes(&all))?;
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

/// Calls `work` for about so many seconds; the calls, and the processor time of them.
fn repeat(seconds: f64, mut work: impl FnMut()) -> (u64, Duration) {
    work();
    let start = Instant::now();
    let before = thread_time(start);
    let mut n_calls = 0;
    while start.elapsed().as_secs_f64() < seconds {
        work();
        n_calls += 1;
    }
    (n_calls, thread_time(start) - before)
}

/// The network of a name, packed.
fn pack(name: &str, precision: Precision) -> Result<Arc<LeafNetwork>, Box<dyn Error>> {
    let (config, shape) = find(name)?;
    let weights = weights(&config, &shape)?;
    let network = LeafNetwork::with_precision(&config, &shape, &weights, precision)?;
    Ok(Arc::new(network))
}

/// Evaluates batches for about so many seconds.
fn evaluate(network: &Arc<LeafNetwork>, batch: usize, seconds: f64) -> (u64, Duration) {
    let observations = observations(network.shape(), batch);
    let mut evaluator = LeafEvaluator::new(network.clone());
    let mut sum = 0.0;
    let result = repeat(seconds, || {
        evaluator.logits(&observations, |_, logits| sum += logits.wdl()[0]);
    });
    black_box(sum);
    result
}

/// Policy and result of some positions, as logits and as probabilities.
fn judge(network: Arc<LeafNetwork>) -> [Vec<f64>; 2] {
    let shape = *network.shape();
    let observations = observations(&shape, N_CHECKED);
    let mut judged = [Vec::new(), Vec::new()];
    LeafEvaluator::new(network).logits(&observations, |_, logits| {
        let policy = (0..shape.n_slots()).map(|slot| f64::from(logits.policy(slot)));
        for part in [policy.collect(), logits.wdl().map(f64::from).to_vec()] {
            let total: f64 = part.iter().map(|logit| logit.exp()).sum();
            judged[1].extend(part.iter().map(|logit| logit.exp() / total));
            judged[0].extend(part);
        }
    });
    judged
}

fn error(name: &str) -> Result<String, Box<dyn Error>> {
    let exact = judge(pack(name, Precision::F32)?);
    let rounded = judge(pack(name, Precision::Bf16)?);
    let differences = exact.iter().zip(&rounded).map(|(a, b)| {
        let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        format!("{:.1e}", differences.fold(0.0, f64::max))
    });
    Ok(differences.collect::<Vec<_>>().join(" "))
}

/// Sums that wait for nobody: enough for two units with a latency of four or five cycles, few
/// enough for 16 registers.
const N_SUMS: usize = 12;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn multiply_add_avx512(n: usize) -> f32 {
    use std::arch::x86_64::{_mm512_fmadd_ps, _mm512_reduce_add_ps, _mm512_set1_ps};
    let factor = _mm512_set1_ps(black_box(0.999));
    let mut sums = [_mm512_set1_ps(1.0); N_SUMS];
    for _ in 0..n {
        for sum in &mut sums {
            *sum = _mm512_fmadd_ps(*sum, factor, factor);
        }
    }
    sums.into_iter().map(|sum| _mm512_reduce_add_ps(sum)).sum()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn multiply_add_avx2(n: usize) -> f32 {
    use std::arch::x86_64::{_mm256_cvtss_f32, _mm256_fmadd_ps, _mm256_set1_ps};
    let factor = _mm256_set1_ps(black_box(0.999));
    let mut sums = [_mm256_set1_ps(1.0); N_SUMS];
    for _ in 0..n {
        for sum in &mut sums {
            *sum = _mm256_fmadd_ps(*sum, factor, factor);
        }
    }
    sums.into_iter().map(|sum| _mm256_cvtss_f32(sum)).sum()
}

/// Floating-point operations a second.
fn peak(seconds: f64) -> Result<f64, Box<dyn Error>> {
    const N: usize = 1 << 16;
    let (n_operations, (n_calls, time)) = match InstructionSet::best(Precision::F32) {
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => (
            2 * 16 * N_SUMS * N,
            // SAFETY: the machine has the instructions.
            repeat(seconds, || {
                black_box(unsafe { multiply_add_avx512(N) });
            }),
        ),
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => (
            2 * 8 * N_SUMS * N,
            // SAFETY: the machine has the instructions.
            repeat(seconds, || {
                black_box(unsafe { multiply_add_avx2(N) });
            }),
        ),
        other => return Err(format!("no peak is known for {other} code").into()),
    };
    Ok((n_operations as u64 * n_calls) as f64 / time.as_secs_f64())
}

fn answer(line: &str) -> Result<String, Box<dyn Error>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["write", directory] => write(Path::new(directory)),
        ["peak", seconds] => Ok(format!("{:.4e}", peak(seconds.parse()?)?)),
        ["error", name] => error(name),
        ["time", name, precision, batch, seconds] => {
            let network = pack(name, precision.parse()?)?;
            let batch = batch.parse()?;
            let (n_calls, time) = evaluate(&network, batch, seconds.parse()?);
            let rate = (n_calls * batch as u64) as f64 / time.as_secs_f64();
            Ok(format!("{rate:.1}"))
        }
        ["workers", name, precision, batch, seconds, n] => {
            let network = pack(name, precision.parse()?)?;
            let (batch, seconds) = (batch.parse()?, seconds.parse()?);
            let n: usize = n.parse()?;
            let n_calls: u64 = std::thread::scope(|scope| {
                let worker = |_| scope.spawn(|| evaluate(&network, batch, seconds).0);
                let workers: Vec<_> = (0..n).map(worker).collect();
                let joined = workers.into_iter().map(|worker| worker.join());
                joined.map(|calls| calls.expect("no panic")).sum()
            });
            Ok(format!("{:.1}", (n_calls * batch as u64) as f64 / seconds))
        }
        _ => Err(format!("expected write, time, workers, error or peak, got {line:?}").into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lock().lines() {
        println!("{}", answer(&line?)?);
    }
    Ok(())
}

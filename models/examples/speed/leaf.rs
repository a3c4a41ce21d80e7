//! Leaf evaluation: positions a second.

use crate::networks::{
    N_CHECKED, find, networks, observations, thread_time, weights, write_values,
};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tablero_models::{InstructionSet, LeafEvaluator, LeafNetwork};

/// Logits of the policy that are read of each position, about as many as actions are legal.
const N_READ: usize = 60;

/// Writes the weights of all networks, observations and logits.
pub fn write(directory: &Path) -> Result<String, Box<dyn Error>> {
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
        let file = directory.join(format!("{name}.safetensors"));
        std::fs::write(file, weights.to_safetensors())?;
        write_values(directory, name, "observations", &observations)?;
        write_values(directory, name, "logits", &all)?;
    }
    let names: Vec<_> = networks().iter().map(|(name, ..)| *name).collect();
    Ok(names.join(" "))
}

/// Calls `work` for about so many seconds; the calls, and the processor time of them.
pub fn repeat(seconds: f64, mut work: impl FnMut()) -> (u64, Duration) {
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
fn pack(name: &str) -> Result<Arc<LeafNetwork>, Box<dyn Error>> {
    let (config, shape) = find(name)?;
    let weights = weights(&config, &shape)?;
    Ok(Arc::new(LeafNetwork::new(&config, &shape, &weights)?))
}

/// Evaluates batches for about so many seconds.
fn evaluate(network: &Arc<LeafNetwork>, batch: usize, seconds: f64) -> (u64, Duration) {
    let observations = observations(network.shape(), batch);
    let mut evaluator = LeafEvaluator::new(network.clone());
    let n_slots = network.shape().n_slots();
    let slots: Vec<usize> = (0..N_READ).map(|n| n * n_slots / N_READ).collect();
    let mut sum = 0.0;
    let result = repeat(seconds, || {
        evaluator.logits(&observations, |_, logits| {
            let policy = slots.iter().map(|&slot| logits.policy(slot));
            sum += policy.sum::<f32>() + logits.wdl()[0];
        });
    });
    black_box(sum);
    result
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
pub fn peak(seconds: f64) -> Result<f64, Box<dyn Error>> {
    const N: usize = 1 << 16;
    let (n_operations, (n_calls, time)) = match InstructionSet::best() {
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

/// Positions a second of processor time.
pub fn time(name: &str, batch: usize, seconds: f64) -> Result<f64, Box<dyn Error>> {
    let network = pack(name)?;
    let (n_calls, time) = evaluate(&network, batch, seconds);
    Ok((n_calls * batch as u64) as f64 / time.as_secs_f64())
}

/// Positions a second of the clock, by so many threads together.
pub fn time_workers(
    name: &str,
    batch: usize,
    seconds: f64,
    n: usize,
) -> Result<f64, Box<dyn Error>> {
    let network = pack(name)?;
    let n_calls: u64 = std::thread::scope(|scope| {
        let worker = |_| scope.spawn(|| evaluate(&network, batch, seconds).0);
        let workers: Vec<_> = (0..n).map(worker).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.map(|calls| calls.expect("no panic")).sum()
    });
    Ok((n_calls * batch as u64) as f64 / seconds)
}

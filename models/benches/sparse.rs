//! The kernels of sparse networks, single thread: positions a second for each set of
//! instructions, with random features. The game's part, which lists features, is left out.
//!
//! The kernels are private to the library, so they are compiled in here.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::RngExt;
use rand::seq::index::sample;
use sparse::{Buffers, Sparse};
use tablero_env::ActionFeatures;
use tablero_env::random::{Stream, stream};
use tablero_models::{InstructionSet, WeightTensor, Weights};

// Cargo compiles a bench as a test, so its tests are here too, and never run.
#[allow(dead_code, unused_imports)]
#[path = "../src/leaf/sparse.rs"]
mod sparse;
#[cfg(target_arch = "x86_64")]
#[path = "../src/leaf/sparse_avx2.rs"]
mod sparse_avx2;
#[cfg(target_arch = "x86_64")]
#[path = "../src/leaf/sparse_avx512.rs"]
mod sparse_avx512;
#[cfg(target_arch = "x86_64")]
#[path = "../src/leaf/sparse_kernels.rs"]
mod sparse_kernels;
#[path = "../src/leaf/sparse_portable.rs"]
mod sparse_portable;
#[cfg(target_arch = "x86_64")]
#[path = "../src/leaf/sparse_vnni.rs"]
mod sparse_vnni;

/// What the kernels use of the library's modules of these names.
mod pack {
    pub fn tensor<'a>(weights: &'a super::Weights, name: &str) -> &'a super::WeightTensor {
        weights.get(name).expect("the weights have it")
    }
}
mod product {
    pub const PANEL: usize = 16;

    #[derive(Clone, Copy, Debug)]
    #[repr(C, align(64))]
    pub struct Lane(pub [f32; PANEL]);
}

const WIDTH: usize = 256;
const N_POSITIONS: usize = 4096;
/// Of a position.
const N_ACTIONS: usize = 30;
const FEATURES_OF_ACTION: usize = 4;

fn random_weights(n_features: usize, hidden: &[usize], rng: &mut Stream) -> Weights {
    let mut weights = Weights::default();
    let mut insert = |name: &str, shape: &[usize], size: f32| {
        let values = (0..shape.iter().product()).map(|_| rng.random_range(-size..size));
        let tensor = WeightTensor {
            shape: shape.to_vec(),
            values: values.collect(),
        };
        weights.insert(name.to_owned(), tensor);
    };
    insert("features.weight", &[n_features, WIDTH], 0.1);
    insert("features.bias", &[WIDTH], 0.2);
    let mut n_inputs = WIDTH;
    for (index, &width) in hidden.iter().enumerate() {
        let size = 3.0 / (n_inputs as f32).sqrt();
        insert(&format!("hidden.{index}.weight"), &[n_inputs, width], size);
        insert(&format!("hidden.{index}.bias"), &[width], 0.2);
        n_inputs = width;
    }
    for (name, n_outputs) in [("wdl", 3), ("points", 1)] {
        insert(&format!("{name}.weight"), &[n_inputs, n_outputs], 0.3);
        insert(&format!("{name}.bias"), &[n_outputs], 0.3);
    }
    insert("actions.weight", &[n_features, n_inputs], 0.3);
    weights
}

/// Different numbers below `n`, ascending.
fn some(n: usize, n_of_them: usize, rng: &mut Stream) -> Vec<u32> {
    let mut numbers: Vec<u32> = sample(rng, n, n_of_them)
        .iter()
        .map(|number| number as u32)
        .collect();
    numbers.sort_unstable();
    numbers
}

/// 60 to 80 features, and actions that take theirs from all.
fn position(n_features: usize, rng: &mut Stream) -> (Vec<u32>, ActionFeatures) {
    let n_active = rng.random_range(60..=80);
    let mut actions = ActionFeatures::new();
    for _ in 0..N_ACTIONS {
        actions.push(some(n_features, FEATURES_OF_ACTION, rng));
    }
    (some(n_features, n_active, rng), actions)
}

fn bench_network(criterion: &mut Criterion, n_features: usize, hidden: &[usize]) {
    let mut rng = stream(1, "sparse", 0);
    let weights = random_weights(n_features, hidden, &mut rng);
    let positions: Vec<_> = (0..N_POSITIONS)
        .map(|_| position(n_features, &mut rng))
        .collect();
    let name = format!("sparse, {n_features} features, {WIDTH}-{hidden:?}");
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(N_POSITIONS as u64));
    for instructions in InstructionSet::available() {
        let network = Sparse::new(hidden.len(), FEATURES_OF_ACTION, &weights, instructions);
        let mut buffers = Buffers::default();
        let id = BenchmarkId::from_parameter(instructions);
        group.bench_function(id, |bencher| {
            bencher.iter(|| {
                let mut sum = 0.0;
                for (features, actions) in &positions {
                    network.forward(features, actions, &mut buffers);
                    sum += buffers.value[0] + buffers.policy[0];
                }
                sum
            });
        });
    }
    group.finish();
}

fn sparse(criterion: &mut Criterion) {
    for n_features in [300, 10_000] {
        bench_network(criterion, n_features, &[64, 64]);
        bench_network(criterion, n_features, &[64, 32]);
    }
}

criterion_group!(benches, sparse);
criterion_main!(benches);

//! How fast the rules of the Queens duel are, on one thread: `cargo bench -p tablero-env --bench
//! queens`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tablero_env::perft::perft;
use tablero_env::queens::{FullBoard, Queens};
use tablero_env::random::stream;
use tablero_env::{Encode, Game, playout};

fn board(side: usize) -> Queens {
    Queens::new(side, FullBoard::White).expect("a valid side")
}

/// Whole games of uniformly random moves; the throughput is in games.
fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("playout");
    group.throughput(Throughput::Elements(1));
    for side in [8, 16] {
        let game = board(side);
        let mut rng = stream(1, "bench", side as u64);
        let mut buffer = Vec::with_capacity(game.max_legal_actions());
        group.bench_function(game.spec(), |bencher| {
            bencher.iter(|| playout(&game, &mut game.initial(), &mut buffer, &mut rng));
        });
    }
    group.finish();
}

/// The calls that a search makes in every node, on the empty board, and a count of action
/// sequences.
fn position(c: &mut Criterion) {
    let game = board(8);
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let state = game.initial();
    let mut group = c.benchmark_group("queens:8");
    group.bench_function("legal_actions", |bencher| {
        bencher.iter(|| game.legal_actions(black_box(&state), &mut buffer));
    });
    let mut observation = vec![0.0; game.observation_shape().iter().product()];
    group.bench_function("write_observation", |bencher| {
        bencher.iter(|| game.write_observation(black_box(&state), black_box(&mut observation)));
    });
    group.sample_size(10);
    group.bench_function("perft 5", |bencher| {
        bencher.iter(|| perft(&game, &state, 5));
    });
    group.finish();
}

criterion_group!(benches, playouts, position);
criterion_main!(benches);

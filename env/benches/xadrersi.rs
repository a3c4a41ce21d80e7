//! How fast the rules of Xadrersi are, on one thread: `cargo bench -p tablero-env --bench
//! xadrersi`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tablero_env::perft::perft;
use tablero_env::random::stream;
use tablero_env::xadrersi::Xadrersi;
use tablero_env::{Encode, Game, playout};

/// Whole games of uniformly random moves; the throughput is in games.
fn playouts(c: &mut Criterion) {
    let mut rng = stream(1, "bench", 0);
    let mut buffer = Vec::with_capacity(Xadrersi.max_legal_actions());
    let mut group = c.benchmark_group("playout");
    group.throughput(Throughput::Elements(1));
    group.bench_function("xadrersi", |bencher| {
        bencher.iter(|| playout(&Xadrersi, &mut Xadrersi.initial(), &mut buffer, &mut rng));
    });
    group.finish();
}

/// The calls that a search makes in every node, in the middle of a game, and a count of action
/// sequences.
fn position(c: &mut Criterion) {
    let mut rng = stream(1, "bench", 1);
    let mut buffer = Vec::with_capacity(Xadrersi.max_legal_actions());
    let mut state = Xadrersi.initial();
    for _ in 0..8 {
        let action = Xadrersi.sample_action(&state, &mut buffer, &mut rng);
        Xadrersi.play_unchecked(&mut state, action);
    }
    let mut group = c.benchmark_group("xadrersi");
    group.bench_function("legal_actions", |bencher| {
        bencher.iter(|| Xadrersi.legal_actions(black_box(&state), &mut buffer));
    });
    group.bench_function("points", |bencher| {
        bencher.iter(|| Xadrersi.points(black_box(&state)));
    });
    let mut observation = vec![0.0; Xadrersi.observation_shape().iter().product()];
    group.bench_function("write_observation", |bencher| {
        bencher.iter(|| Xadrersi.write_observation(black_box(&state), black_box(&mut observation)));
    });
    group.sample_size(10);
    group.bench_function("perft 4", |bencher| {
        bencher.iter(|| perft(&Xadrersi, &Xadrersi.initial(), 4));
    });
    group.finish();
}

criterion_group!(benches, playouts, position);
criterion_main!(benches);

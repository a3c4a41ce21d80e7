//! How fast the rules of Paper Soccer are, on one thread: `cargo bench -p tablero-env --bench
//! paper_soccer`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::random::stream;
use tablero_env::{Encode, Game, playout};

/// Whole games of uniformly random moves; the throughput is in games.
fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("playout");
    group.throughput(Throughput::Elements(1));
    for (width, height) in [(4, 4), (8, 10), (16, 16)] {
        let game = PaperSoccer::new(width, height).expect("a valid size");
        let mut rng = stream(1, "bench", 0);
        let mut buffer = Vec::with_capacity(game.max_legal_actions());
        group.bench_function(game.spec(), |bencher| {
            bencher.iter(|| playout(&game, &mut game.initial(), &mut buffer, &mut rng));
        });
    }
    group.finish();
}

/// The calls that a search makes in every node, on a position in the middle of a game on 8x10.
fn position(c: &mut Criterion) {
    let game = PaperSoccer::new(8, 10).expect("a valid size");
    let mut state = game.initial();
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let turns = "0,1 1,0 0,0 -1,0 -1,1 0,1 1,2 1,1 1,0 2,0 1,1 0,2 0,1 -1,2";
    for action in game.parse_turn(&state, turns).expect("targets") {
        game.play(&mut state, action).expect("a legal segment");
    }
    let mut group = c.benchmark_group("position");
    group.bench_function("clone", |bencher| {
        bencher.iter(|| black_box(&state).clone())
    });
    group.bench_function("legal_actions", |bencher| {
        bencher.iter(|| game.legal_actions(black_box(&state), &mut buffer));
    });
    let mut observation = vec![0.0; game.observation_shape().iter().product()];
    group.bench_function("write_observation", |bencher| {
        bencher.iter(|| game.write_observation(black_box(&state), black_box(&mut observation)));
    });
    group.finish();
}

criterion_group!(benches, playouts, position);
criterion_main!(benches);

//! How fast Hive is, on one thread: random games, move counts, the calls of a search, and batched
//! steps.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tablero_env::hive::Hive;
use tablero_env::perft::perft;
use tablero_env::random::stream;
use tablero_env::{ActionId, Autoreset, Encode, EnvOptions, Game, VecEnv, playout_up_to};

/// Random games have no bound on their length; they are left after so many plies.
const MAX_PLIES: usize = 300;

/// Whole games of uniformly random moves; the throughput is in games.
fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("playout of at most 300 plies");
    group.throughput(Throughput::Elements(1));
    for game in [Hive::BASE, Hive::default()] {
        let mut rng = stream(1, "bench", 0);
        let mut buffer = Vec::with_capacity(game.max_legal_actions());
        let initial = game.initial();
        let mut state = game.initial();
        group.bench_function(game.spec(), |bencher| {
            bencher.iter(|| {
                state.clone_from(&initial);
                playout_up_to(&game, &mut state, MAX_PLIES, &mut buffer, &mut rng)
            });
        });
    }
    group.finish();
}

/// Move sequences from the empty board; the throughput is in sequences of the full length.
fn counts(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20);
    for (game, depth) in [(Hive::BASE, 6), (Hive::default(), 5)] {
        let leaves = perft(&game, &game.initial(), depth)[depth - 1];
        group.throughput(Throughput::Elements(leaves));
        group.bench_function(format!("{} depth {depth}", game.spec()), |bencher| {
            bencher.iter(|| perft(&game, &game.initial(), depth));
        });
    }
    group.finish();
}

/// The calls that a search makes in every node, on a position after 60 random plies.
fn position(c: &mut Criterion) {
    let game = Hive::default();
    let mut rng = stream(1, "bench", 1);
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let mut state = game.initial();
    let _ = playout_up_to(&game, &mut state, 60, &mut buffer, &mut rng);
    assert!(!game.is_over(&state), "a position to search");
    let mut group = c.benchmark_group("position");
    group.bench_function("legal_actions", |bencher| {
        bencher.iter(|| game.legal_actions(black_box(&state), &mut buffer));
    });
    let mut next = state.clone();
    game.legal_actions(&state, &mut buffer);
    let action = buffer[0];
    group.bench_function("clone_from and play_unchecked", |bencher| {
        bencher.iter(|| {
            next.clone_from(black_box(&state));
            game.play_unchecked(&mut next, action);
        });
    });
    let mut mask = vec![0; game.n_actions()];
    group.bench_function("write_mask", |bencher| {
        bencher.iter(|| game.write_mask(black_box(&state), &mut buffer, black_box(&mut mask)));
    });
    let mut observation = vec![0.0; game.observation_shape().iter().product()];
    group.bench_function("write_observation", |bencher| {
        bencher.iter(|| game.write_observation(black_box(&state), black_box(&mut observation)));
    });
    group.finish();
}

/// Random actions in a batch of environments that reset themselves, the choice of the actions
/// included; the throughput is in steps of one environment.
fn vec_env(c: &mut Criterion) {
    const N_ENVS: usize = 64;
    let game = Hive::default();
    let options = EnvOptions {
        max_plies: Some(MAX_PLIES),
        ..EnvOptions::default()
    };
    let mut rng = stream(1, "bench", 2);
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let mut envs = VecEnv::new(game, N_ENVS, options, Autoreset::SameStep);
    envs.reset(1);
    let mut actions = vec![ActionId(0); N_ENVS];
    let mut group = c.benchmark_group("vec_env");
    group.throughput(Throughput::Elements(N_ENVS as u64));
    group.bench_function("hive:base+mlp, batch 64", |bencher| {
        bencher.iter(|| {
            for (index, action) in actions.iter_mut().enumerate() {
                *action = game.sample_action(envs.state(index), &mut buffer, &mut rng);
            }
            let step = envs.step(&actions).expect("sampled actions are legal");
            black_box(step.observations.as_ptr());
        });
    });
    group.finish();
}

criterion_group!(benches, playouts, counts, position, vec_env);
criterion_main!(benches);

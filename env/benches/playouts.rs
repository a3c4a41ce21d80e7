//! How fast the rules and the environments are, on one thread: random games, observations, and
//! batched steps of Dots and Boxes on 5x5.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::random::stream;
use tablero_env::{ActionId, Autoreset, Encode, EnvOptions, Game, VecEnv, playout};

fn game() -> DotsAndBoxes {
    DotsAndBoxes::new(5, 5).expect("a valid size")
}

/// Whole games of uniformly random moves; the throughput is in games.
fn playouts(c: &mut Criterion) {
    let game = game();
    let mut rng = stream(1, "bench", 0);
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let mut group = c.benchmark_group("playout");
    group.throughput(Throughput::Elements(1));
    group.bench_function("dots-and-boxes:5x5", |bencher| {
        bencher.iter(|| playout(&game, &mut game.initial(), &mut buffer, &mut rng));
    });
    group.finish();
}

/// The calls that a search makes in every node, on a position in the middle of the game.
fn position(c: &mut Criterion) {
    let game = game();
    let mut rng = stream(1, "bench", 1);
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let mut state = game.initial();
    for _ in 0..game.n_edges() / 2 {
        let action = game.sample_action(&state, &mut buffer, &mut rng);
        game.play_unchecked(&mut state, action);
    }
    let mut group = c.benchmark_group("position");
    group.bench_function("legal_actions", |bencher| {
        bencher.iter(|| game.legal_actions(black_box(&state), &mut buffer));
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
    const N_ENVS: usize = 256;
    let game = game();
    let mut rng = stream(1, "bench", 2);
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let mut envs = VecEnv::new(game, N_ENVS, EnvOptions::default(), Autoreset::SameStep);
    envs.reset(1);
    let mut actions = vec![ActionId(0); N_ENVS];
    let mut group = c.benchmark_group("vec_env");
    group.throughput(Throughput::Elements(N_ENVS as u64));
    group.bench_function("dots-and-boxes:5x5, batch 256", |bencher| {
        bencher.iter(|| {
            for (index, action) in actions.iter_mut().enumerate() {
                *action = envs
                    .game()
                    .sample_action(envs.state(index), &mut buffer, &mut rng);
            }
            let step = envs.step(&actions).expect("sampled actions are legal");
            black_box(step.observations.as_ptr());
        });
    });
    group.finish();
}

criterion_group!(benches, playouts, position, vec_env);
criterion_main!(benches);

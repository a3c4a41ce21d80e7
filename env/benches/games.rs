//! How fast each game is, on one thread: random games, the calls of a search, counts of action
//! sequences, and batched steps. `cargo bench -p tablero-env -- hive` measures one game.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::hive::Hive;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::perft::perft;
use tablero_env::queens::{FullBoard, Queens};
use tablero_env::random::{positions, stream};
use tablero_env::xadrersi::Xadrersi;
use tablero_env::{
    ActionFeatures, ActionId, Autoreset, Encode, EnvOptions, Game, VecEnv, playout, playout_up_to,
};

/// Where random games without a bound on their length are left.
const MAX_PLIES: usize = 300;

/// Whole games of uniformly random moves; the throughput is in games.
fn playouts<G: Game>(c: &mut Criterion, game: &G) {
    let mut rng = stream(1, "bench", 0);
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let initial = game.initial();
    let mut state = game.initial();
    let mut group = c.benchmark_group("playout");
    group.throughput(Throughput::Elements(1));
    group.bench_function(game.spec(), |bencher| {
        bencher.iter(|| {
            state.clone_from(&initial);
            match game.max_plies() {
                Some(_) => Some(playout(game, &mut state, &mut buffer, &mut rng)),
                None => playout_up_to(game, &mut state, MAX_PLIES, &mut buffer, &mut rng),
            }
        });
    });
    group.finish();
}

/// The calls that a search makes in every node, on a position after some random plies.
fn calls<G: Encode>(c: &mut Criterion, game: &G, n_plies: usize) {
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let state = positions(game, stream(1, "bench", 1)).nth(n_plies);
    let state = state.expect("a longer game");
    let mut group = c.benchmark_group(game.spec());
    group.bench_function("legal_actions", |bencher| {
        bencher.iter(|| game.legal_actions(black_box(&state), &mut buffer));
    });
    game.legal_actions(&state, &mut buffer);
    let action = buffer[0];
    let mut next = state.clone();
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
    game.legal_actions(&state, &mut buffer);
    let (mut features, mut actions) = (Vec::new(), ActionFeatures::new());
    group.bench_function("write_features", |bencher| {
        bencher.iter(|| {
            let out = black_box((&mut features, &mut actions));
            game.write_features(black_box(&state), &buffer, out.0, out.1);
        });
    });
    group.finish();
}

/// Action sequences from the initial position; the throughput is in sequences of the full length.
fn counts<G: Game>(c: &mut Criterion, game: &G, depth: usize) {
    let leaves = perft(game, &game.initial(), depth)[depth - 1];
    let mut group = c.benchmark_group("perft");
    group.sample_size(10);
    group.throughput(Throughput::Elements(leaves));
    group.bench_function(format!("{} depth {depth}", game.spec()), |bencher| {
        bencher.iter(|| perft(game, &game.initial(), depth));
    });
    group.finish();
}

/// Random actions in a batch of environments that reset themselves, the choice of the actions
/// included; the throughput is in steps of one environment.
fn batches<G: Encode>(c: &mut Criterion, game: &G, n_envs: usize) {
    let options = EnvOptions {
        max_plies: game.max_plies().is_none().then_some(MAX_PLIES),
        ..EnvOptions::default()
    };
    let mut rng = stream(1, "bench", 2);
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let mut envs = VecEnv::new(game.clone(), n_envs, options, Autoreset::SameStep);
    envs.reset(1);
    let mut actions = vec![ActionId(0); n_envs];
    let mut group = c.benchmark_group("vec_env");
    group.throughput(Throughput::Elements(n_envs as u64));
    group.bench_function(format!("{}, batch {n_envs}", game.spec()), |bencher| {
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

fn dots_and_boxes(c: &mut Criterion) {
    let game = DotsAndBoxes::new(5, 5).expect("a valid size");
    playouts(c, &game);
    calls(c, &game, game.n_edges() / 2);
    counts(c, &game, 4);
    batches(c, &game, 256);
}

fn queens(c: &mut Criterion) {
    let [small, large] =
        [8, 16].map(|side| Queens::new(side, FullBoard::White).expect("a valid side"));
    playouts(c, &small);
    playouts(c, &large);
    calls(c, &small, 0);
    counts(c, &small, 5);
    batches(c, &small, 256);
}

fn paper_soccer(c: &mut Criterion) {
    let [small, game, large] = [(4, 4), (8, 10), (16, 16)]
        .map(|(width, height)| PaperSoccer::new(width, height).expect("a valid size"));
    playouts(c, &small);
    playouts(c, &game);
    playouts(c, &large);
    calls(c, &game, 14);
    counts(c, &game, 7);
    batches(c, &game, 256);
}

fn xadrersi(c: &mut Criterion) {
    playouts(c, &Xadrersi);
    calls(c, &Xadrersi, 8);
    counts(c, &Xadrersi, 4);
    batches(c, &Xadrersi, 256);
}

fn hive(c: &mut Criterion) {
    for (game, depth) in [(Hive::BASE, 6), (Hive::default(), 5)] {
        playouts(c, &game);
        counts(c, &game, depth);
    }
    calls(c, &Hive::default(), 60);
    batches(c, &Hive::default(), 64);
}

criterion_group!(
    benches,
    dots_and_boxes,
    queens,
    paper_soccer,
    xadrersi,
    hive
);
criterion_main!(benches);

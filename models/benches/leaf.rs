//! Leaf evaluation, single thread: positions a second of the forward pass alone, and of whole
//! answers (observation, forward pass, softmax over the legal actions).

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::RngExt;
use std::sync::Arc;
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::random::{positions as positions_of, stream};
use tablero_env::{ActionId, AnyGame, BoardGame, Game, with_game};
use tablero_mcts::{Evaluations, Evaluator, Request};
use tablero_models::{
    InstructionSet, LeafEvaluator, LeafNetwork, NetworkConfig, NetworkShape, Weights,
};

const BATCHES: [usize; 4] = [1, 8, 32, 128];
/// Random games, and the most positions of each, that sparse networks evaluate.
const N_GAMES: u64 = 20;
const N_PLIES: usize = 60;

fn positions(game: &DotsAndBoxes, n: usize) -> Vec<(State, Vec<ActionId>)> {
    (0..n)
        .map(|index| {
            let mut rng = stream(1, "positions", index as u64);
            let (mut state, mut legal) = (game.initial(), Vec::new());
            for _ in 0..rng.random_range(0..game.n_edges()) {
                let action = game.sample_action(&state, &mut legal, &mut rng);
                game.play_unchecked(&mut state, action);
            }
            game.legal_actions(&state, &mut legal);
            (state, legal)
        })
        .collect()
}

fn network(
    config: &NetworkConfig,
    shape: &NetworkShape,
    instructions: InstructionSet,
) -> Arc<LeafNetwork> {
    let weights = Weights::init(config, shape, 1).expect("the sizes are in bounds");
    let network = LeafNetwork::with_instructions(config, shape, &weights, instructions);
    Arc::new(network.expect("the weights fit"))
}

fn bench_network(
    criterion: &mut Criterion,
    name: &str,
    config: &NetworkConfig,
    game: &DotsAndBoxes,
) {
    let shape = NetworkShape::of(game);
    let mut group = criterion.benchmark_group(name);
    let mut rng = stream(2, "observations", 0);
    let observations: Vec<f32> = (0..BATCHES[3] * shape.n_inputs())
        .map(|_| f32::from(rng.random::<bool>()))
        .collect();
    for instructions in InstructionSet::available() {
        let mut evaluator = LeafEvaluator::new(network(config, &shape, instructions));
        for batch in BATCHES {
            group.throughput(Throughput::Elements(batch as u64));
            let id = BenchmarkId::new(format!("forward, {instructions}"), batch);
            group.bench_function(id, |bencher| {
                bencher.iter(|| {
                    let mut sum = 0.0;
                    let observations = &observations[..batch * shape.n_inputs()];
                    evaluator.logits(observations, |_, logits| sum += logits.wdl()[0]);
                    sum
                });
            });
        }
    }
    let mut evaluator = LeafEvaluator::new(network(config, &shape, InstructionSet::best()));
    let positions = positions(game, BATCHES[3]);
    for batch in BATCHES {
        let requests: Vec<Request<'_, DotsAndBoxes>> = positions[..batch]
            .iter()
            .map(|(state, legal)| Request {
                state,
                legal,
                nonce: 0,
            })
            .collect();
        let mut out = Evaluations::new();
        group.throughput(Throughput::Elements(batch as u64));
        group.bench_function(BenchmarkId::new("answers", batch), |bencher| {
            bencher.iter(|| evaluator.evaluate(game, &requests, &mut out));
        });
    }
    group.finish();
}

/// Whole answers of a sparse network: features, forward pass, softmax. It is asked one position at a
/// time, whatever the batch.
fn bench_sparse<G: BoardGame>(criterion: &mut Criterion, game: &G) {
    let config = NetworkConfig::Sparse {
        width: 256,
        hidden: vec![64],
    };
    let shape = NetworkShape::of_network(game, &config);
    let mut legal = Vec::new();
    let positions: Vec<_> = (0..N_GAMES)
        .flat_map(|index| positions_of(game, stream(1, "positions", index)).take(N_PLIES))
        .map(|state| {
            game.legal_actions(&state, &mut legal);
            (state, legal.clone())
        })
        .collect();
    let requests: Vec<Request<'_, G>> = positions
        .iter()
        .map(|(state, legal)| Request {
            state,
            legal,
            nonce: 0,
        })
        .collect();
    let mut group = criterion.benchmark_group(format!("sparse 256-64 on {}", game.spec()));
    group.throughput(Throughput::Elements(requests.len() as u64));
    for instructions in InstructionSet::available() {
        let mut evaluator = LeafEvaluator::new(network(&config, &shape, instructions));
        let mut out = Evaluations::new();
        let id = BenchmarkId::from_parameter(format!("answers, {instructions}"));
        group.bench_function(id, |bencher| {
            bencher.iter(|| evaluator.evaluate(game, &requests, &mut out));
        });
    }
    group.finish();
}

fn leaf(criterion: &mut Criterion) {
    let mlp = NetworkConfig::Mlp {
        hidden: vec![128, 128],
    };
    let residual = NetworkConfig::Residual {
        blocks: 4,
        channels: 64,
    };
    let board = |side| DotsAndBoxes::new(side, side).expect("a board size");
    bench_network(criterion, "MLP 128-128 on 3x3 boxes", &mlp, &board(3));
    // 8x8 boxes make an observation of 9x9 cells.
    bench_network(
        criterion,
        "residual 4x64 on 8x8 boxes",
        &residual,
        &board(8),
    );
    bench_network(
        criterion,
        "residual 4x64 on 3x3 boxes",
        &residual,
        &board(3),
    );
}

fn sparse(criterion: &mut Criterion) {
    for spec in ["dots-and-boxes:5x5", "paper-soccer:8x10", "hive:base+mlp"] {
        let any = AnyGame::parse(spec).expect("a game");
        with_game!(&any, game => bench_sparse(criterion, game));
    }
}

criterion_group!(benches, leaf, sparse);
criterion_main!(benches);

//! How fast the baseline searches and the solver solves: `cargo bench -p tablero-minimax`.
//!
//! A search visits exactly 20,000 nodes, or all that there are, from each of eight fixed positions a
//! game; criterion reports nodes a second. `overrun` times searches of 20 ms on the largest boards:
//! what it reports beyond 20 ms is how far a time limit is exceeded.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::time::Duration;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::random::{positions, stream};
use tablero_env::{AnyGame, Game, with_game};
use tablero_minimax::{Baseline, Limits, Minimax, Solvable, Solver};

const N_NODES: u64 = 20_000;

/// The default board of every game, and the fewest plies of its positions.
const SEARCHES: [(&str, usize); 5] = [
    ("dots-and-boxes:5x5", 4),
    ("queens:8", 1),
    ("paper-soccer:8x10", 10),
    ("xadrersi", 2),
    ("hive:base+mlp", 12),
];

/// The largest boards.
const SLOWEST: [(&str, usize); 5] = [
    ("dots-and-boxes:10x10", 40),
    ("queens:16", 1),
    ("paper-soccer:16x16", 60),
    ("xadrersi", 2),
    ("hive:base+mlp", 60),
];

/// Eight positions after `n_plies` random moves and more.
fn eight_positions<G: Game>(game: &G, n_plies: usize) -> Vec<G::State> {
    let random = |index: usize| {
        positions(game, stream(1, "search bench", index as u64)).nth(n_plies + index % 4)
    };
    (0..).filter_map(random).take(8).collect()
}

fn bench_search<G: Baseline>(criterion: &mut Criterion, game: &G, n_plies: usize) {
    let states = eight_positions(game, n_plies);
    let mut searcher = Minimax::new(game.clone(), 16);
    let mut search_all = || -> u64 {
        let nodes = states.iter().map(|state| {
            searcher.clear();
            searcher.search(state, &Limits::nodes(N_NODES)).nodes
        });
        nodes.sum()
    };
    let n_nodes = search_all();
    let mut group = criterion.benchmark_group("search");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(n_nodes));
    group.bench_function(game.spec(), |bencher| bencher.iter(&mut search_all));
    group.finish();
}

fn bench_overrun<G: Baseline>(criterion: &mut Criterion, game: &G, n_plies: usize) {
    let states = eight_positions(game, n_plies);
    let mut searcher = Minimax::new(game.clone(), 64);
    let limits = Limits::time(Duration::from_millis(20));
    let mut turn = states.iter().cycle();
    let mut group = criterion.benchmark_group("overrun");
    group.sample_size(20);
    group.bench_function(game.spec(), |bencher| {
        bencher.iter(|| searcher.search(turn.next().expect("a cycle"), &limits));
    });
    group.finish();
}

fn searches(criterion: &mut Criterion) {
    for (spec, n_plies) in SEARCHES {
        let any = AnyGame::parse(spec).expect("a known game");
        with_game!(&any, game => bench_search(criterion, game, n_plies));
    }
    for (spec, n_plies) in SLOWEST {
        let any = AnyGame::parse(spec).expect("a known game");
        with_game!(&any, game => bench_overrun(criterion, game, n_plies));
    }
}

fn solvers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(10));
    for (rows, cols) in [(3, 3), (3, 4)] {
        let game = DotsAndBoxes::new(rows, cols).expect("a board");
        let empty = game.initial();
        group.bench_function(game.spec(), |bencher| {
            bencher.iter(|| game.solver().expect("a small board").solve(&empty));
        });
    }
    group.finish();
}

criterion_group!(benches, searches, solvers);
criterion_main!(benches);

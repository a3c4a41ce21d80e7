//! How long a search takes: `cargo bench -p tablero-minimax`.

use criterion::{Criterion, criterion_group, criterion_main};
use std::time::Duration;
use tablero_env::Game;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_minimax::{Limits, Minimax, Solvable, Solver};

fn searches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dots-and-boxes");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(10));
    for (rows, cols) in [(3, 3), (3, 4)] {
        let game = DotsAndBoxes::new(rows, cols).unwrap();
        let empty = game.initial();
        group.bench_function(format!("solve {rows}x{cols}"), |bencher| {
            bencher.iter(|| game.solver().unwrap().solve(&empty));
        });
    }
    let game = DotsAndBoxes::new(5, 5).unwrap();
    let empty = game.initial();
    let mut searcher = Minimax::new(game, 16);
    group.bench_function("minimax 5x5 to depth 4", |bencher| {
        bencher.iter(|| {
            searcher.clear();
            searcher.search(&empty, &Limits::depth(4))
        });
    });
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);

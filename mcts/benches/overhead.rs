//! What the search itself costs: simulations a CPU-second of one tree on one thread, evaluated by
//! the free evaluator [`Uniform`], which leaves the rules and the tree. A search is of 2,000
//! simulations in a new tree.
//!
//! Time is that of the thread on its core, where the system tells it, so that other work on the
//! machine does not count.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::time::{Duration, Instant};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::hive::Hive;
use tablero_env::queens::Queens;
use tablero_env::random::stream;
use tablero_env::{Game, playout_up_to};
use tablero_mcts::{Batch, Gumbel, Search, SearchParams, Selection, Uniform, run};

const N_SIMS: u32 = 2000;

/// The time that this thread has run, from Linux; the time on the clock elsewhere.
struct ThreadTime {
    start: Instant,
}

impl Measurement for ThreadTime {
    type Intermediate = u64;
    type Value = u64;

    fn start(&self) -> u64 {
        std::fs::read_to_string("/proc/thread-self/schedstat")
            .ok()
            .and_then(|text| text.split(' ').next()?.parse().ok())
            .unwrap_or_else(|| self.start.elapsed().as_nanos() as u64)
    }

    fn end(&self, start: u64) -> u64 {
        // The system counts in ticks: a short sample may show nothing.
        (self.start() - start).max(1)
    }

    fn add(&self, a: &u64, b: &u64) -> u64 {
        a + b
    }

    fn zero(&self) -> u64 {
        0
    }

    fn to_f64(&self, nanoseconds: &u64) -> f64 {
        *nanoseconds as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// Searches from each position in turn, by both rules.
fn bench<G: Game>(c: &mut Criterion<ThreadTime>, name: &str, game: &G, states: &[G::State]) {
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(u64::from(N_SIMS)));
    let rules = [
        ("puct", Selection::default()),
        ("gumbel", Selection::Gumbel(Gumbel::default())),
    ];
    for (name, selection) in rules {
        let params = SearchParams {
            selection,
            ..SearchParams::default()
        };
        let mut batch = Batch::new();
        let mut states = states.iter().cycle();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let state = states.next().expect("a position").clone();
                let stream = stream(1, "bench", 0);
                let mut search = Search::new(game.clone(), state, params.clone(), stream);
                let one = std::slice::from_mut(&mut search);
                run(one, N_SIMS, &mut Uniform, &mut batch);
                search.best()
            });
        });
    }
    group.finish();
}

/// Eight positions after `n_plies` random plies each, in which the game goes on.
fn after<G: Game>(game: &G, n_plies: usize) -> Vec<G::State> {
    let states = (0..).map(|index| {
        let mut state = game.initial();
        let mut rng = stream(1, "bench position", index);
        playout_up_to(game, &mut state, n_plies, &mut Vec::new(), &mut rng);
        state
    });
    states
        .filter(|state| !game.is_over(state))
        .take(8)
        .collect()
}

fn overhead(c: &mut Criterion<ThreadTime>) {
    let dots = DotsAndBoxes::new(5, 5).expect("a valid size");
    bench(c, "dots-and-boxes:5x5, start", &dots, &[dots.initial()]);
    let queens = Queens::parse_parameters("8").expect("a valid size");
    bench(c, "queens:8, start", &queens, &[queens.initial()]);
    let hive = Hive::parse_parameters("base+mlp").expect("valid expansions");
    bench(c, "hive:base+mlp, after 30 plies", &hive, &after(&hive, 30));
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .with_measurement(ThreadTime { start: Instant::now() })
        .measurement_time(Duration::from_secs(4));
    targets = overhead
}
criterion_main!(benches);

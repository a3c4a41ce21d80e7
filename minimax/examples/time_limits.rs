//! By how much do searches exceed their limit in time? Random positions of every game, on default
//! and on the largest boards, with one thread and with two:
//!
//! ```text
//! cargo run --release -p tablero-minimax --example time_limits [N_POSITIONS]
//! ```
//!
//! For each limit it prints the longest and the mean excess in milliseconds. On a busy machine the
//! excess holds the time in which other processes run.

use std::time::{Duration, Instant};
use tablero_env::random::{positions, stream};
use tablero_env::{AnyGame, Game, with_game};
use tablero_minimax::{Baseline, Limits, Minimax};

const SPECS: [&str; 8] = [
    "dots-and-boxes:5x5",
    "dots-and-boxes:10x10",
    "queens:8",
    "queens:16",
    "paper-soccer:8x10",
    "paper-soccer:16x16",
    "xadrersi",
    "hive:base+mlp",
];
const LIMITS_MS: [u64; 2] = [10, 100];
const N_POSITIONS: u64 = 20;
const TABLE_MIB: usize = 1024;
/// Random games of Hive end late.
const MAX_PLIES: usize = 200;

/// An unfinished position of a random game, each of its plies as likely as another.
fn random_state<G: Game>(game: &G, index: u64) -> G::State {
    let random = positions(game, stream(1, "time limits", index));
    let mut states: Vec<_> = random.take(1 + MAX_PLIES).collect();
    states.swap_remove(index as usize * 7919 % states.len())
}

fn run<G: Baseline>(game: &G, n_positions: u64, n_threads: usize) {
    for limit in LIMITS_MS.map(Duration::from_millis) {
        // The first search is the one that finds the table untouched.
        let mut minimax = Minimax::new(game.clone(), TABLE_MIB).with_threads(n_threads);
        let excesses: Vec<f64> = (0..n_positions)
            .map(|index| {
                let state = random_state(game, index);
                minimax.clear();
                let start = Instant::now();
                minimax.search(&state, &Limits::time(limit));
                start.elapsed().saturating_sub(limit).as_secs_f64() * 1e3
            })
            .collect();
        println!(
            "{:22} {n_threads} threads  limit {limit:>5.0?}  longest excess {:7.2} ms  mean {:6.2} ms",
            game.spec(),
            excesses.iter().copied().fold(0.0, f64::max),
            excesses.iter().sum::<f64>() / n_positions as f64
        );
    }
}

fn main() {
    let n_positions = std::env::args().nth(1);
    let n_positions = n_positions.map_or(N_POSITIONS, |text| text.parse().expect("a number"));
    for n_threads in [1, 2] {
        for spec in SPECS {
            let any = AnyGame::parse(spec).expect("a known game");
            with_game!(&any, game => run(game, n_positions, n_threads));
        }
    }
}

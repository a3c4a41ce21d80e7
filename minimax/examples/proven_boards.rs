//! Does the baseline find by itself what the exact solvers know? From the empty board and from
//! positions of random games, one a game, it searches until it has the exact value, or gives up
//! after 20 million nodes:
//!
//! ```text
//! cargo run --release -p tablero-minimax --example proven_boards [N_POSITIONS] [SPEC...]
//! ```
//!
//! It prints how many values are proven, how many of them are the solver's, with an action that the
//! solver calls optimal, and fails if one is not.

use std::process::ExitCode;
use std::time::Instant;
use tablero_env::random::{positions, stream};
use tablero_env::{AnyGame, Game, with_game};
use tablero_minimax::{Baseline, Limits, Minimax, Solvable, Solver};

const SPECS: [&str; 5] = [
    "dots-and-boxes:2x3",
    "dots-and-boxes:3x3",
    "queens:6",
    "queens:8",
    "paper-soccer:4x4",
];
const N_POSITIONS: u64 = 500;
const TABLE_MIB: usize = 256;
const LIMITS: Limits = Limits::nodes(20_000_000);

/// An unfinished position of a random game, each of its plies as likely as another.
fn random_state<G: Game>(game: &G, index: u64) -> G::State {
    let mut states: Vec<_> = positions(game, stream(1, "proven boards", index)).collect();
    states.swap_remove(index as usize * 7919 % states.len())
}

fn compare<G: Baseline + Solvable>(
    game: &G,
    solver: &mut impl Solver<G>,
    what: &str,
    states: &[G::State],
) -> bool {
    let mut minimax = Minimax::new(game.clone(), TABLE_MIB);
    let (mut n_proven, mut n_right, mut nodes) = (0, 0, 0);
    let start = Instant::now();
    for state in states {
        minimax.clear();
        let report = minimax.search(state, &LIMITS);
        nodes += report.nodes;
        // The result may be proven before the exact score, if the limit comes between.
        if report.proven.is_some() && report.nodes < LIMITS.nodes.expect("a limit in nodes") {
            let solution = solver.solve(state);
            let agrees = report.proven == Some(solution.value);
            n_proven += 1;
            n_right += u32::from(agrees && solution.best.contains(&report.best));
        }
    }
    println!(
        "{:20} {what:16} {:4} positions  {n_proven:4} proven  {n_right:4} right  {nodes:12} nodes  {:8.2} s",
        game.spec(),
        states.len(),
        start.elapsed().as_secs_f64()
    );
    n_right == n_proven
}

fn run<G: Baseline + Solvable>(game: &G, n_positions: u64) -> bool {
    let mut solver = game.solver().expect("a board that can be solved");
    let random: Vec<G::State> = (0..n_positions)
        .map(|index| random_state(game, index))
        .collect();
    let right = compare(game, &mut solver, "random positions", &random);
    compare(game, &mut solver, "empty board", &[game.initial()]) && right
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let n_positions = arguments.next_if(|text| text.parse::<u64>().is_ok());
    let n_positions = n_positions.map_or(N_POSITIONS, |text| text.parse().expect("a number"));
    let mut specs: Vec<String> = arguments.collect();
    if specs.is_empty() {
        specs = SPECS.map(str::to_owned).to_vec();
    }
    let mut is_right = true;
    for spec in specs {
        let any = AnyGame::parse(&spec).expect("a spec");
        is_right &= with_game!(&any, game => run(game, n_positions));
    }
    if is_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

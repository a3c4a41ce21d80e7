//! Does the baseline, without a limit, find what the exact solvers know? On boards that both can
//! work out, from the empty board and from positions of random games, one a game:
//!
//! ```text
//! cargo run --release -p tablero-minimax --example solved_boards [N_POSITIONS] [SPEC...]
//! ```
//!
//! It prints how many values are proven and equal to the solver's, and fails if one is not.

use std::process::ExitCode;
use std::time::Instant;
use tablero_env::random::stream;
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
const NO_LIMIT: Limits = Limits {
    depth: None,
    time: None,
    nodes: None,
};

/// An unfinished position of a random game, each of its plies as likely as another.
fn random_state<G: Game>(game: &G, index: u64) -> G::State {
    let mut rng = stream(1, "solved boards", index);
    let mut buffer = Vec::new();
    let mut states = vec![game.initial()];
    loop {
        let mut next = states[states.len() - 1].clone();
        let action = game.sample_action(&next, &mut buffer, &mut rng);
        game.play_unchecked(&mut next, action);
        if game.is_over(&next) {
            return states.swap_remove(index as usize * 7919 % states.len());
        }
        states.push(next);
    }
}

/// Whether the baseline proves what the solver knows; and the nodes it takes.
fn judge<G: Baseline + Solvable>(
    minimax: &mut Minimax<G>,
    solver: &mut impl Solver<G>,
    state: &G::State,
) -> (bool, u64) {
    minimax.clear();
    let report = minimax.search(state, &NO_LIMIT);
    let solution = solver.solve(state);
    let is_right = report.proven == Some(solution.value) && solution.best.contains(&report.best);
    (is_right, report.nodes)
}

fn run<G: Baseline + Solvable>(game: &G, n_positions: u64) -> bool {
    let mut solver = game.solver().expect("a board that can be solved");
    let mut minimax = Minimax::new(game.clone(), TABLE_MIB);
    let mut judge_all = |name: &str, states: Vec<G::State>| {
        let start = Instant::now();
        let judged: Vec<(bool, u64)> = states
            .iter()
            .map(|state| judge(&mut minimax, &mut solver, state))
            .collect();
        let n_right = judged.iter().filter(|(is_right, _)| *is_right).count();
        let nodes: u64 = judged.iter().map(|(_, nodes)| nodes).sum();
        println!(
            "{:20} {name:16} {n_right:4} of {:4} right  {nodes:12} nodes  {:8.2} s",
            game.spec(),
            judged.len(),
            start.elapsed().as_secs_f64()
        );
        n_right == judged.len()
    };
    let is_random_right = judge_all(
        "random positions",
        (0..n_positions)
            .map(|index| random_state(game, index))
            .collect(),
    );
    judge_all("empty board", vec![game.initial()]) && is_random_right
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

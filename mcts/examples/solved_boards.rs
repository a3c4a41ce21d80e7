//! How much a tree search proves on boards that the exact solvers know, and whether it is true:
//!
//! ```text
//! cargo run --release -p tablero-mcts --example solved_boards [SIMULATIONS] [POSITIONS]
//! ```
//!
//! On each board it searches the start and 500 positions after random moves, without any
//! knowledge (uniform priors, no opinion), with and without transpositions, until the value is
//! proven or 10,000 simulations are done. Every bound that it claims, of the position and of each
//! move, is compared with the solver; a false one is a panic. With these numbers it takes a few
//! minutes; the start of 2x2 boxes is proven by 15,931 simulations with transpositions.

use std::time::Instant;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::playout_up_to;
use tablero_env::queens::Queens;
use tablero_env::random::stream;
use tablero_mcts::{Batch, Search, SearchParams, Uniform, run};
use tablero_minimax::{Solvable, Solver};

/// The simulations that it took to prove the value of a position, if `n_sims` were enough.
fn prove<G: Solvable>(
    game: &G,
    solver: &mut G::Solver,
    state: &G::State,
    transpositions: bool,
    n_sims: u32,
) -> Option<u32> {
    let params = SearchParams {
        transpositions,
        max_nodes: 1 << 22,
        // Little interest in proven draws.
        c_puct: 4.0,
        ..SearchParams::default()
    };
    let mut search = Search::new(game.clone(), state.clone(), params, stream(0, "search", 0));
    let one = std::slice::from_mut(&mut search);
    run(one, n_sims, &mut Uniform, &mut Batch::new());
    let sign = game.player_to_move(state).sign();
    let check = |value: i8, [low, high]: [i8; 2]| {
        assert!((low..=high).contains(&(value * sign)), "{game:?} {state:?}");
    };
    check(solver.solve(state).value, search.root_bounds());
    let values = solver.action_values(state);
    for (edge, value) in search.root_edges().iter().zip(values) {
        check(value.value, edge.bounds);
    }
    search.root_proven().map(|_| search.n_simulations())
}

fn board<G: Solvable>(game: &G, n_sims: u32, n_positions: usize) {
    let mut solver = game.solver().expect("a board within reach");
    let most_plies = game.max_plies().expect("a bounded game") as u64;
    let states = (0..).map(|index| {
        let mut state = game.initial();
        let n_plies = (index % most_plies) as usize;
        let mut rng = stream(0, "position", index);
        playout_up_to(game, &mut state, n_plies, &mut Vec::new(), &mut rng);
        state
    });
    let states = states.filter(|state| !game.is_over(state));
    let states: Vec<G::State> = states.take(n_positions).collect();
    for transpositions in [false, true] {
        let start = Instant::now();
        let mut prove = |state: &G::State| prove(game, &mut solver, state, transpositions, n_sims);
        let root = match prove(&game.initial()) {
            Some(n) => format!("proven by {n} simulations"),
            None => "not proven".to_owned(),
        };
        let n_proven = states.iter().filter_map(&mut prove).count();
        println!(
            "{}, {} transpositions: start {root}; {n_proven} of {n_positions} positions proven; \
             nothing false; {:.0?}",
            game.spec(),
            if transpositions { "with" } else { "without" },
            start.elapsed()
        );
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u32| match arguments.next() {
        Some(text) => text.parse().expect("a number"),
        None => default,
    };
    let (n_sims, n_positions) = (number(10_000), number(500) as usize);
    for (rows, cols) in [(2, 2), (2, 3), (3, 3)] {
        let game = DotsAndBoxes::new(rows, cols).expect("a valid size");
        board(&game, n_sims, n_positions);
    }
    for side in ["6", "8"] {
        let game = Queens::parse_parameters(side).expect("a valid size");
        board(&game, n_sims, n_positions);
    }
    let game = PaperSoccer::new(4, 4).expect("a valid size");
    board(&game, n_sims, n_positions);
}

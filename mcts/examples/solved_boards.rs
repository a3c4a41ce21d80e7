//! Does the tree search prove by itself what the exact solvers know?
//!
//! ```text
//! cargo run --release -p tablero-mcts --example solved_boards [N_POSITIONS] [SPEC...]
//! ```
//!
//! On each board it searches the start and 500 positions after random moves, with transpositions,
//! until the value is proven or the board's number of simulations is done. The evaluator has no
//! opinion on positions, and looks first at moves that let the same player move again. Every bound
//! that the search claims, of the position and of each move, is compared with the solver; a false
//! one is a panic. It prints how many values are proven, how many chosen moves keep the exact
//! result, and what that took, and fails if a value is not proven or a move is wrong.
//! `docs/baselines.md` has what it prints; 3x3 boxes take most of the time.

use std::process::ExitCode;
use std::time::Instant;
use tablero_env::random::stream;
use tablero_env::{AnyGame, Game, playout_up_to, with_game};
use tablero_mcts::{Batch, Evaluations, Evaluator, Request, Search, SearchParams, Wdl, run};
use tablero_minimax::{ActionValue, Solvable, Solver};

/// The boards, each with the most simulations for a position, and whether they go depth first. In
/// Paper Soccer values show the way: its lines are long, and many win soon.
const BOARDS: [(&str, u32, bool); 6] = [
    ("dots-and-boxes:2x2", 5_000, true),
    ("dots-and-boxes:2x3", 100_000, true),
    ("queens:6", 1_000, true),
    ("queens:8", 50_000, true),
    ("paper-soccer:4x4", 5_000_000, false),
    ("dots-and-boxes:3x3", 5_000_000, true),
];
const N_POSITIONS: usize = 500;

/// No opinion on positions. Of the moves those come first after which the same player moves again:
/// captures and bounces leave less to prove.
#[derive(Debug)]
struct AgainFirst;

impl<G: Game> Evaluator<G> for AgainFirst {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for request in requests {
            let mover = game.player_to_move(request.state);
            let mut next = request.state.clone();
            let unknown = Wdl {
                win: 0.5,
                draw: 0.0,
                loss: 0.5,
            };
            let priors = out.push(request.legal.len(), unknown, None);
            for (prior, &action) in priors.iter_mut().zip(request.legal) {
                next.clone_from(request.state);
                game.play_unchecked(&mut next, action);
                let again = game.player_to_move(&next) == mover;
                *prior = if again { 2.0 } else { 1.0 };
            }
        }
    }
}

/// What the searches of several positions came to.
#[derive(Debug, Default)]
struct Tally {
    n_searched: usize,
    n_proven: usize,
    /// Of all: chosen moves after which the result is that of best play.
    n_optimal: usize,
    total_sims: u64,
    most_sims: u32,
    most_nodes: usize,
    most_bytes: usize,
}

impl Tally {
    /// Searches a position and compares all that the search claims with the solver.
    fn search<G: Solvable>(
        &mut self,
        game: &G,
        solver: &mut G::Solver,
        state: &G::State,
        (n_sims, depth_first): (u32, bool),
    ) {
        let params = SearchParams {
            depth_first,
            transpositions: true,
            max_nodes: n_sims as usize,
            ..SearchParams::default()
        };
        let mut search = Search::new(game.clone(), state.clone(), params, stream(0, "search", 0));
        let one = std::slice::from_mut(&mut search);
        run(one, n_sims, &mut AgainFirst, &mut Batch::new());
        let sign = game.player_to_move(state).sign();
        let check = |value: i8, [low, high]: [i8; 2]| {
            assert!((low..=high).contains(&(value * sign)), "{game:?} {state:?}");
        };
        let exact = solver.solve(state).value;
        check(exact, search.root_bounds());
        let values = solver.action_values(state);
        for (edge, value) in search.root_edges().iter().zip(&values) {
            check(value.value, edge.bounds);
        }
        let best = search.best();
        let is_optimal = |a_move: &ActionValue| a_move.action == best && a_move.value == exact;
        self.n_optimal += usize::from(values.iter().any(is_optimal));
        self.n_searched += 1;
        self.n_proven += usize::from(search.root_proven().is_some());
        self.total_sims += u64::from(search.n_simulations());
        self.most_sims = self.most_sims.max(search.n_simulations());
        self.most_nodes = self.most_nodes.max(search.n_nodes());
        self.most_bytes = self.most_bytes.max(search.n_bytes());
    }

    /// Whether every position is proven and every move optimal.
    fn is_complete(&self) -> bool {
        self.n_proven == self.n_searched && self.n_optimal == self.n_searched
    }

    fn print(&self, spec: &str, what: &str, start: Instant) {
        println!(
            "{spec:20} {what:16} {:4} searched  {:4} proven  {:4} optimal  \
             {:11} simulations, at most {:9}  {:8} nodes  {:5} MiB  {:7.2} s",
            self.n_searched,
            self.n_proven,
            self.n_optimal,
            self.total_sims,
            self.most_sims,
            self.most_nodes,
            self.most_bytes >> 20,
            start.elapsed().as_secs_f64()
        );
    }
}

/// Unfinished positions after 0, 1, 2, … random moves, and again from 0 on.
fn random_states<G: Game>(game: &G, n_positions: usize) -> Vec<G::State> {
    let most_plies = game.max_plies().expect("a bounded game") as u64;
    let states = (0..).map(|index| {
        let mut state = game.initial();
        let n_plies = (index % most_plies) as usize;
        let mut rng = stream(0, "position", index);
        playout_up_to(game, &mut state, n_plies, &mut Vec::new(), &mut rng);
        state
    });
    let states = states.filter(|state| !game.is_over(state));
    states.take(n_positions).collect()
}

fn board<G: Solvable>(game: &G, n_positions: usize, budget: (u32, bool)) -> bool {
    let mut solver = game.solver().expect("a board that can be solved");
    let mut judge = |what: &str, states: &[G::State]| {
        let start = Instant::now();
        let mut tally = Tally::default();
        for state in states {
            tally.search(game, &mut solver, state, budget);
        }
        tally.print(&game.spec(), what, start);
        tally.is_complete()
    };
    let is_start_solved = judge("start", &[game.initial()]);
    judge("random positions", &random_states(game, n_positions)) && is_start_solved
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let n_positions = arguments.next_if(|text| text.parse::<usize>().is_ok());
    let n_positions = n_positions.map_or(N_POSITIONS, |text| text.parse().expect("a number"));
    let specs: Vec<String> = arguments.collect();
    let mut is_complete = true;
    for (spec, n_sims, depth_first) in BOARDS {
        if specs.is_empty() || specs.iter().any(|wanted| wanted == spec) {
            let any = AnyGame::parse(spec).expect("a spec");
            is_complete &=
                with_game!(&any, game => board(game, n_positions, (n_sims, depth_first)));
        }
    }
    if is_complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

//! Alpha-beta against plain minimax, which skips nothing, orders nothing and remembers nothing
//! but whole positions.

use std::collections::HashMap;
use std::time::Duration;
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::random::stream;
use tablero_env::{ActionId, Game, Player};
use tablero_minimax::{
    Baseline, Heuristic, Limits, MAX_EVALUATION, Minimax, Report, Solvable, Solver, WIN_SCORE,
};

type Evaluation = <DotsAndBoxes as Baseline>::Heuristic;

fn board(rows: usize, cols: usize) -> DotsAndBoxes {
    DotsAndBoxes::new(rows, cols).unwrap()
}

/// A position after `n_plies` random moves.
fn random_state(game: &DotsAndBoxes, n_plies: usize, index: u64) -> State {
    let mut rng = stream(2, "minimax test", index);
    let mut state = game.initial();
    let mut buffer = Vec::new();
    for _ in 0..n_plies {
        let action = game.sample_action(&state, &mut buffer, &mut rng);
        game.play_unchecked(&mut state, action);
    }
    state
}

/// Minimax to a fixed depth by its definition: player 0 takes the highest of the scores, all of
/// them for player 0, and player 1 the lowest.
struct Plain {
    game: DotsAndBoxes,
    evaluation: Evaluation,
    known: HashMap<(State, u32), i32>,
}

impl Plain {
    fn new(game: &DotsAndBoxes) -> Self {
        Plain {
            game: game.clone(),
            evaluation: game.heuristic(),
            known: HashMap::new(),
        }
    }

    fn after(&self, state: &State, action: ActionId) -> State {
        let mut next = state.clone();
        self.game.play(&mut next, action).unwrap();
        next
    }

    fn better(&self, state: &State, one: i32, other: i32) -> i32 {
        match self.game.player_to_move(state) {
            Player::First => one.max(other),
            Player::Second => one.min(other),
        }
    }

    fn score(&mut self, state: &State, depth: u32) -> i32 {
        if let Some(outcome) = self.game.outcome(state) {
            let [first, second] = outcome.points.unwrap();
            return WIN_SCORE * i32::from(outcome.returns()[0]) + first - second;
        }
        if let Some(&score) = self.known.get(&(state.clone(), depth)) {
            return score;
        }
        let mut actions = Vec::new();
        let mut best = None;
        if depth == 0 {
            best = Some(self.evaluation.evaluate(&self.game, state));
            self.evaluation
                .forcing_actions(&self.game, state, &mut actions);
        } else {
            self.game.legal_actions(state, &mut actions);
        }
        for action in actions {
            let score = self.score(&self.after(state, action), depth.saturating_sub(1));
            best = Some(best.map_or(score, |best| self.better(state, best, score)));
        }
        let best = best.unwrap();
        self.known.insert((state.clone(), depth), best);
        best
    }
}

/// The report makes sense by itself: legal actions, and a proof only for what is decided.
fn check_report(game: &DotsAndBoxes, state: &State, report: &Report) {
    assert_eq!(report.pv.first(), Some(&report.best));
    // An iteration that was given up may have found the line.
    assert!(report.pv.len() <= report.depth as usize + 1);
    let mut state = state.clone();
    for &action in &report.pv {
        game.play(&mut state, action).unwrap();
    }
    if report.score.abs() > MAX_EVALUATION {
        assert_eq!(report.proven, Some(report.score.signum() as i8));
    } else if let Some(value) = report.proven {
        assert_eq!((value, report.score), (0, 0), "a proven draw");
    }
}

#[test]
fn every_depth_scores_as_plain_minimax_does_with_and_without_a_table() {
    // Board, drawn edges, deepest search.
    let cases = [
        (1, 1, 0, 4),
        (1, 2, 0, 7),
        (1, 3, 2, 8),
        (2, 2, 0, 6),
        (2, 2, 4, 8),
        (2, 3, 8, 9),
        (2, 3, 2, 4),
        (3, 3, 10, 4),
    ];
    for (rows, cols, n_drawn, deepest) in cases {
        let game = board(rows, cols);
        let mut plain = Plain::new(&game);
        let mut with_table = Minimax::new(game.clone(), 1);
        let mut without_table = Minimax::new(game.clone(), 0);
        for index in 0..6 {
            let state = random_state(&game, n_drawn, index);
            for depth in 1..=deepest {
                let expected = plain.score(&state, depth);
                with_table.clear();
                for searcher in [&mut with_table, &mut without_table] {
                    let report = searcher.search(&state, &Limits::depth(depth));
                    check_report(&game, &state, &report);
                    assert_eq!(report.score, expected, "{game:?} depth {depth} {state:?}");
                    let next = plain.after(&state, report.best);
                    assert_eq!(plain.score(&next, depth - 1), expected, "the best action");
                }
            }
        }
    }
}

#[test]
fn a_search_to_the_end_is_exact_and_says_so() {
    for (rows, cols, n_drawn) in [(1, 2, 0), (2, 2, 0), (2, 3, 5), (3, 3, 12), (3, 4, 20)] {
        let game = board(rows, cols);
        let mut solver = game.solver().unwrap();
        let mut searcher = Minimax::new(game.clone(), 4);
        for index in 0..8 {
            let state = random_state(&game, n_drawn, 100 + index);
            let solution = solver.solve(&state);
            let [first, second] = solution.points.unwrap();
            let no_limit = Limits {
                depth: None,
                time: None,
                nodes: None,
            };
            let report = searcher.search(&state, &no_limit);
            check_report(&game, &state, &report);
            assert_eq!(report.proven, Some(solution.value));
            let score = WIN_SCORE * i32::from(solution.value) + first - second;
            assert_eq!(report.score, score);
            assert!(solution.best.contains(&report.best));
        }
    }
}

#[test]
fn what_a_shallow_search_calls_proven_is_true() {
    let mut n_proven = 0;
    let game = board(3, 3);
    let mut solver = game.solver().unwrap();
    let mut searcher = Minimax::new(game.clone(), 4);
    for index in 0..300 {
        let state = random_state(&game, 8 + index as usize % 14, 1000 + index);
        let report = searcher.search(&state, &Limits::depth(3));
        check_report(&game, &state, &report);
        if let Some(value) = report.proven {
            n_proven += 1;
            let values = solver.action_values(&state);
            let played = values.iter().find(|value| value.action == report.best);
            assert_eq!(solver.solve(&state).value, value, "{state:?}");
            assert_eq!(
                played.unwrap().value,
                value,
                "the best action keeps the result"
            );
        }
    }
    assert!(n_proven >= 50, "{n_proven}");
}

/// On 2x3 after the edges 0, 1, …, 10 the best action is the handout 12: it gives two boxes away
/// and makes the opponent open the rest.
#[test]
fn the_handout_on_2x3_is_found_at_depth_8() {
    let game = board(2, 3);
    let mut state = game.initial();
    for edge in 0..=10 {
        game.play(&mut state, ActionId(edge)).unwrap();
    }
    let report = Minimax::new(game, 1).search(&state, &Limits::depth(8));
    assert_eq!(report.best, ActionId(12));
    assert!(
        report.proven.is_some() && report.depth <= 6,
        "six edges are left"
    );
}

#[test]
fn limits_in_depth_and_nodes_give_the_same_report_whenever_the_table_is_fresh() {
    let game = board(4, 4);
    let mut used = Minimax::new(game.clone(), 2);
    for index in 0..4 {
        let state = random_state(&game, 6, index);
        for limits in [
            Limits::depth(4),
            Limits::nodes(20_000),
            Limits::nodes(1),
            Limits::nodes(500),
        ] {
            let mut fresh = Minimax::new(game.clone(), 2);
            used.clear();
            let report = used.search(&state, &limits);
            check_report(&game, &state, &report);
            assert_eq!(report, fresh.search(&state, &limits));
        }
    }
}

#[test]
fn nodes_keep_to_their_limit() {
    let game = board(5, 5);
    let state = game.initial();
    let mut searcher = Minimax::new(game, 2);
    let first = searcher.search(&state, &Limits::depth(1)).nodes;
    for limit in [0, 1, first - 1, first, 1_000, 54_321] {
        searcher.clear();
        let report = searcher.search(&state, &Limits::nodes(limit));
        assert_eq!(report.nodes, limit);
        assert_eq!(report.depth == 0, limit < first);
    }
}

#[test]
fn without_time_there_is_still_an_answer() {
    let game = board(10, 10);
    let state = random_state(&game, 30, 0);
    let limits = Limits::time(Duration::ZERO);
    let report = Minimax::new(game.clone(), 1).search(&state, &limits);
    check_report(&game, &state, &report);
    assert_eq!((report.depth, report.nodes), (0, 0));
}

#[test]
#[should_panic(expected = "the game is over")]
fn a_finished_game_is_refused() {
    let game = board(1, 1);
    let state = random_state(&game, 4, 0);
    Minimax::new(game, 1).search(&state, &Limits::depth(1));
}

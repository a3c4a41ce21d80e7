//! What the baseline proves, against the exact solvers.

use crate::common::{check_report, game_positions, random_state};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{ActionId, AnyGame, ForFirst, Game, with_game};
use tablero_minimax::{Baseline, Limits, Minimax, Solvable, Solver, WIN_SCORE};

const NO_LIMIT: Limits = Limits {
    depth: None,
    time: None,
    nodes: None,
};

fn board(rows: usize, cols: usize) -> DotsAndBoxes {
    DotsAndBoxes::new(rows, cols).unwrap()
}

#[test]
fn a_search_to_the_end_is_exact_and_says_so() {
    for (rows, cols, n_drawn) in [(1, 2, 0), (2, 2, 0), (2, 3, 5), (3, 3, 12), (3, 4, 20)] {
        let game = board(rows, cols);
        let mut solver = game.solver().unwrap();
        let mut searcher = Minimax::new(game.clone(), 4);
        for index in 0..16 {
            let state = random_state(&game, n_drawn, 100 + index);
            let solution = solver.solve(&state);
            let [first, second] = solution.points.unwrap();
            let report = searcher.search(&state, &NO_LIMIT);
            check_report(&game, &state, &report);
            assert_eq!(report.proven, Some(solution.value));
            let score = WIN_SCORE * i32::from(solution.value.0) + first - second;
            assert_eq!(report.score, ForFirst(score));
            assert!(solution.best.contains(&report.best));
        }
    }
}

/// The empty board and one position of each of so many random games.
fn check_solved<G: Baseline + Solvable>(game: &G, n_games: u64) {
    let mut solver = game.solver().unwrap();
    let mut searcher = Minimax::new(game.clone(), 16);
    for index in 0..n_games {
        let mut states = game_positions(game, usize::MAX, index);
        let state = states.swap_remove(index as usize * 7919 % states.len());
        searcher.clear();
        let report = searcher.search(&state, &NO_LIMIT);
        check_report(game, &state, &report);
        let solution = solver.solve(&state);
        assert_eq!(report.proven, Some(solution.value), "{state:?}");
        assert!(solution.best.contains(&report.best), "{state:?}");
    }
}

/// The example `proven_boards` does the same with 500 positions each, and the empty boards.
#[test]
fn without_limits_the_baseline_proves_what_the_solvers_know() {
    for (spec, n_games) in [
        ("dots-and-boxes:2x2", 500),
        ("dots-and-boxes:2x3", 40),
        ("dots-and-boxes:3x3", 10),
        ("queens:6", 500),
        ("queens:8", 100),
        ("paper-soccer:4x4", 100),
    ] {
        let any = AnyGame::parse(spec).unwrap();
        with_game!(&any, game => check_solved(game, n_games));
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

//! The exact solver of Dots and Boxes against published values and plain minimax.

use crate::common::{
    Plain, check_against_plain, check_finished, check_mirror_images, random_state,
};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{ActionId, Game};
use tablero_minimax::{Solvable, SolveError, Solver};

fn board(rows: usize, cols: usize) -> DotsAndBoxes {
    DotsAndBoxes::new(rows, cols).unwrap()
}

/// Optimal net scores of the first player from the empty board, computed by two independent
/// solvers; that of 3x3 is also published by Wilson.
const EMPTY_BOARDS: [(usize, usize, i32); 10] = [
    (1, 1, -1),
    (1, 2, 0),
    (1, 3, -1),
    (1, 4, 0),
    (1, 5, -1),
    (1, 6, 0),
    (2, 2, 2),
    (2, 3, -2),
    (2, 4, 2),
    (3, 3, -3),
];

#[test]
fn empty_boards_have_their_published_values() {
    for (rows, cols, net) in EMPTY_BOARDS {
        for game in [board(rows, cols), board(cols, rows)] {
            let solution = game.solver().unwrap().solve(&game.initial());
            let [first, second] = solution.points.unwrap();
            assert_eq!(first - second, net, "{game:?}");
            assert_eq!(i32::from(solution.value), net.signum());
            assert!(!solution.best.is_empty());
        }
    }
}

#[test]
fn every_action_of_random_positions_is_worth_what_plain_minimax_says() {
    // 2x5 (27 edges) and 3x4 (31) are searched, the others stand in a table.
    for (rows, cols, n_open) in [(2, 2, 12), (2, 3, 17), (3, 3, 13), (2, 5, 13), (3, 4, 13)] {
        let game = board(rows, cols);
        let mut solver = game.solver().unwrap();
        for index in 0..12 {
            let n_plies = game.n_edges() - n_open + index as usize;
            let state = random_state(&game, n_plies, index);
            check_against_plain(&game, &mut solver, &state, &mut Plain::new(&game));
        }
    }
}

/// Where plain minimax does not reach, action values and solution still agree.
#[test]
fn the_best_actions_are_those_that_reach_the_best_points() {
    for (rows, cols, n_plies) in [(2, 3, 4), (3, 3, 6), (2, 5, 12), (3, 4, 16)] {
        let game = board(rows, cols);
        let mut solver = game.solver().unwrap();
        for index in 0..10 {
            let state = random_state(&game, n_plies + index as usize % 8, index);
            let values = solver.action_values(&state);
            let solution = solver.solve(&state);
            let mover = game.player_to_move(&state).index();
            let most = values.iter().map(|value| value.points.unwrap()[mover]);
            let most = most.max().unwrap();
            let best: Vec<ActionId> = values
                .iter()
                .filter(|value| value.points.unwrap()[mover] == most)
                .map(|value| value.action)
                .collect();
            assert_eq!(solution.best, best);
            assert_eq!(solution.points.unwrap()[mover], most);
        }
    }
}

#[test]
fn a_position_and_its_mirror_images_are_worth_the_same() {
    for (rows, cols) in [(3, 3), (3, 4)] {
        let game = board(rows, cols);
        for index in 0..10 {
            check_mirror_images(&game, &random_state(&game, 12 + index as usize, index));
        }
    }
}

/// On 2x3 after the edges 0, 1, …, 10 the best action is the handout 12: it gives two boxes away
/// and makes the opponent open the rest.
#[test]
fn the_handout_on_2x3_is_found() {
    let game = board(2, 3);
    let mut state = game.initial();
    for edge in 0..=10 {
        game.play(&mut state, ActionId(edge)).unwrap();
    }
    let solution = game.solver().unwrap().solve(&state);
    assert_eq!(solution.best, [ActionId(12)]);
}

#[test]
fn a_finished_game_has_a_value_and_no_best_action() {
    let game = board(1, 2);
    let mut state = game.initial();
    for edge in 0..7 {
        game.play(&mut state, ActionId(edge)).unwrap();
    }
    check_finished(&game, &mut game.solver().unwrap(), &state);
}

#[test]
fn a_board_that_cannot_be_solved_is_refused_with_the_reason() {
    for (rows, cols) in [(5, 5), (4, 5), (10, 10)] {
        let error = board(rows, cols).solver().unwrap_err();
        let SolveError::TooLarge { size, max, .. } = &error else {
            panic!("{error}");
        };
        assert!(size > max);
        assert!(error.to_string().contains(&format!("{rows}x{cols}")));
    }
}

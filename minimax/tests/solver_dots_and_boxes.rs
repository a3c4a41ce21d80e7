//! The exact solver of Dots and Boxes against published values and plain minimax.

use std::collections::HashMap;
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::random::stream;
use tablero_env::{ActionId, Encode, Game};
use tablero_minimax::{Solvable, SolveError, Solver};

fn board(rows: usize, cols: usize) -> DotsAndBoxes {
    DotsAndBoxes::new(rows, cols).unwrap()
}

/// The final points under best play, by minimax over the rules and nothing else.
fn plain_minimax(
    game: &DotsAndBoxes,
    state: &State,
    known: &mut HashMap<State, [i32; 2]>,
) -> [i32; 2] {
    if let Some(outcome) = game.outcome(state) {
        return outcome.points.unwrap();
    }
    if let Some(&points) = known.get(state) {
        return points;
    }
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mover = game.player_to_move(state).index();
    let points = legal
        .iter()
        .map(|&action| {
            let mut next = state.clone();
            game.play(&mut next, action).unwrap();
            plain_minimax(game, &next, known)
        })
        .max_by_key(|points| points[mover])
        .unwrap();
    known.insert(state.clone(), points);
    points
}

/// A position after `n_plies` random moves.
fn random_state(game: &DotsAndBoxes, n_plies: usize, index: u64) -> State {
    let mut rng = stream(1, "solver test", index);
    let mut state = game.initial();
    let mut buffer = Vec::new();
    for _ in 0..n_plies {
        let action = game.sample_action(&state, &mut buffer, &mut rng);
        game.play_unchecked(&mut state, action);
    }
    state
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
            let known = &mut HashMap::new();
            let values = solver.action_values(&state);
            let mut legal = Vec::new();
            game.legal_actions(&state, &mut legal);
            let actions: Vec<ActionId> = values.iter().map(|value| value.action).collect();
            assert_eq!(actions, legal);
            for value in &values {
                let mut next = state.clone();
                game.play(&mut next, value.action).unwrap();
                let points = plain_minimax(&game, &next, known);
                assert_eq!(value.points, Some(points), "{game:?} {state:?} {value:?}");
                assert_eq!(i32::from(value.value), (points[0] - points[1]).signum());
            }
        }
    }
}

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
        let mut solver = game.solver().unwrap();
        for index in 0..10 {
            let state = random_state(&game, 12 + index as usize, index);
            let values = solver.action_values(&state);
            for symmetry in 0..game.n_symmetries() {
                let images = solver.action_values(&game.transform(symmetry, &state));
                for value in &values {
                    let action = game.transform_action(symmetry, &state, value.action);
                    let image = images.iter().find(|image| image.action == action);
                    assert_eq!(image.unwrap().points, value.points);
                }
            }
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
    let mut solver = game.solver().unwrap();
    let solution = solver.solve(&state);
    assert_eq!(solution.points, game.points(&state));
    assert_eq!(solution.value, game.outcome(&state).unwrap().returns()[0]);
    assert!(solution.best.is_empty() && solver.action_values(&state).is_empty());
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

//! The exact solver of Dots and Boxes against published values and plain minimax.

use crate::common::{
    Plain, check_against_plain, check_finished, check_mirror_images, random_state,
};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{ActionId, ForFirst, Game};
use tablero_minimax::{Limits, Minimax, Solvable, SolveError, Solver};

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
            assert_eq!(solution.value, ForFirst(net.signum() as i8));
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
    for (rows, cols) in [(5, 5), (4, 5), (6, 6), (10, 10)] {
        let game = board(rows, cols);
        let error = match game.solver() {
            Ok(solver) => solver.check(&game.initial()).unwrap_err(),
            Err(error) => error,
        };
        let SolveError::TooLarge { size, max, .. } = &error else {
            panic!("{error}");
        };
        assert!(size > max);
        assert!(error.to_string().contains(&format!("{rows}x{cols}")));
    }
}

/// Boards with an odd number of boxes and, for draws, with an even one.
#[test]
fn an_endgame_has_the_result_that_the_exact_solver_gives_it() {
    for (rows, cols) in [(1, 4), (2, 3), (3, 3), (2, 5), (3, 4)] {
        let game = board(rows, cols);
        let mut solver = game.solver().unwrap();
        let mut endgames = game.endgame_solver(4).unwrap();
        let mut of_each_value = [0; 3];
        for index in 0..40 {
            let n_plies = game.n_edges() / 3 + index as usize % (game.n_edges() * 2 / 3);
            let state = random_state(&game, n_plies, index);
            let value = solver.solve(&state).value;
            assert_eq!(endgames.result(&state, u64::MAX), Some(value));
            of_each_value[(value.0 + 1) as usize] += 1;
        }
        let [n_lost, n_drawn, n_won] = of_each_value;
        assert!(n_lost > 0 && n_won > 0);
        assert_eq!(n_drawn > 0, game.n_boxes().is_multiple_of(2));
    }
}

/// 5x5 has too many edges for the exact solver.
#[test]
fn what_minimax_proves_of_5x5_is_the_result_of_the_endgame() {
    let game = board(5, 5);
    let mut endgames = game.endgame_solver(4).unwrap();
    let mut minimax = Minimax::new(game.clone(), 16);
    let mut n_proven = 0;
    for index in 0..60 {
        let state = random_state(&game, 32 + index as usize % 8, index);
        let report = minimax.search(&state, &Limits::nodes(20_000));
        if let Some(value) = report.proven {
            assert_eq!(endgames.result(&state, 20_000), Some(value));
            n_proven += 1;
        }
    }
    assert!(n_proven >= 30, "{n_proven}");
}

/// On a board that is too large from the start: as two searches see it that share no rule beyond
/// those of the game.
#[test]
fn endgames_of_larger_boards_are_solved() {
    for (rows, cols) in [(4, 5), (5, 5), (3, 8)] {
        let game = board(rows, cols);
        let mut solver = game.solver().unwrap();
        for index in 0..4 {
            let state = random_state(&game, game.n_edges() - 14, index);
            assert_eq!(solver.check(&state), Ok(()));
            check_against_plain(&game, &mut solver, &state, &mut Plain::new(&game));
        }
        let open = random_state(&game, game.n_edges() - 37, 0);
        assert!(solver.check(&open).is_err());
    }
}

/// Too few nodes give no answer instead of a wrong one; what they found is of use for the next
/// question, until it is cleared.
#[test]
fn too_few_nodes_give_no_answer() {
    let game = board(5, 5);
    let fresh = || game.endgame_solver(4).unwrap();
    let mut endgames = fresh();
    let (mut n_answers, mut n_in_the_end) = (0, 0);
    for index in 0..20 {
        let state = random_state(&game, 27, index);
        let answer = endgames.result(&state, 100);
        let truth = fresh().result(&state, u64::MAX).unwrap();
        assert!(answer.is_none_or(|value| value == truth));
        n_answers += usize::from(answer.is_some());
        // Each question goes on where the last ended.
        let answers = (0..100).find_map(|_| endgames.result(&state, 100));
        n_in_the_end += usize::from(answers.is_some());
        assert!(answers.is_none_or(|value| value == truth));
        endgames.clear();
        assert_eq!(endgames.result(&state, 100), answer);
        endgames.clear();
    }
    assert!(n_answers < n_in_the_end, "{n_answers} of {n_in_the_end}");
    // The empty board is not even tried, and boards of more than 64 edges have no such solver.
    assert_eq!(fresh().result(&game.initial(), 1_000_000), None);
    assert!(board(6, 6).endgame_solver(4).is_none());
}

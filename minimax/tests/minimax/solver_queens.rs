//! The exact solver of the Queens duel against published values and plain minimax.

use crate::common::{
    Plain, after, check_against_plain, check_finished, check_mirror_images, random_state,
};
use tablero_env::queens::{FullBoard, Queens};
use tablero_env::{ActionId, ForFirst, Game};
use tablero_minimax::solvers::queens::MAX_SIDE;
use tablero_minimax::{Solvable, SolveError, Solver};

fn board(side: usize, full_board: FullBoard) -> Queens {
    Queens::new(side, full_board).unwrap()
}

#[test]
fn every_action_is_worth_what_plain_minimax_says() {
    for full_board in FullBoard::ALL {
        for side in [2, 4, 6, 8] {
            let game = board(side, full_board);
            let mut solver = game.solver().unwrap();
            let mut plain = Plain::new(&game);
            check_against_plain(&game, &mut solver, &game.initial(), &mut plain);
            for index in 0..100 {
                let state = random_state(&game, index as usize % side, index);
                check_against_plain(&game, &mut solver, &state, &mut plain);
            }
        }
        // Too large for minimax from the empty board.
        for (side, n_plies) in [(10, 4), (12, 5)] {
            let game = board(side, full_board);
            let mut solver = game.solver().unwrap();
            for index in 0..4 {
                let state = random_state(&game, n_plies + index as usize % 2, index);
                check_against_plain(&game, &mut solver, &state, &mut Plain::new(&game));
            }
        }
    }
}

/// The winner with the default reading for n = 2 to 8, and the Sprague-Grundy value (OEIS A344227,
/// which ends at n = 13). Both are also in `queens.tsv` of the project's truth tables. That Black
/// wins n = 10 with every reading was found by a search without nimbers or symmetry, too.
#[test]
fn empty_boards_have_their_known_winners_and_values() {
    for (side, grundy) in [(2, 1), (4, 1), (6, 1), (8, 3), (10, 0)] {
        for full_board in FullBoard::ALL {
            let game = board(side, full_board);
            let mut solver = game.solver().unwrap();
            let empty = game.initial();
            assert_eq!(solver.grundy(&empty), grundy);
            let ForFirst(value) = solver.solve(&empty).value;
            if side == 10 {
                assert_eq!(value, -1, "Black wins");
            } else if full_board == FullBoard::White {
                assert_eq!(value, 1, "White wins");
            }
            // Normal play: the first player wins if and only if the nimber is not 0.
            if full_board == FullBoard::Black {
                assert_eq!(value == 1, grundy != 0);
            }
            let remarks = solver.remarks(&empty);
            assert_eq!(
                remarks[0],
                format!("Sprague-Grundy value in normal play: {grundy}")
            );
        }
    }
}

/// A reading that is better for a player at the end is not worse for that player before.
#[test]
fn a_draw_lies_between_the_other_readings() {
    for side in [4, 6, 8, 10] {
        let games = [FullBoard::Black, FullBoard::Draw, FullBoard::White].map(|r| board(side, r));
        let mut solvers = games.clone().map(|game| game.solver().unwrap());
        for index in 0..20 {
            let state = random_state(&games[0], index as usize % 6, index);
            let values: Vec<ForFirst<i8>> =
                solvers.iter_mut().map(|s| s.solve(&state).value).collect();
            assert!(values.is_sorted(), "{values:?} {state:?}");
        }
    }
}

#[test]
fn a_position_and_its_mirror_images_are_worth_the_same() {
    let game = board(8, FullBoard::Draw);
    for index in 0..10 {
        check_mirror_images(&game, &random_state(&game, 1 + index as usize % 4, index));
    }
}

#[test]
fn a_finished_game_has_a_value_and_no_best_action() {
    let game = board(2, FullBoard::White);
    let state = after(&game, &game.initial(), ActionId(3));
    let mut solver = game.solver().unwrap();
    check_finished(&game, &mut solver, &state);
    assert_eq!(solver.grundy(&state), 0);
}

#[test]
fn the_solver_tells_when_the_board_can_no_longer_be_filled() {
    let game = board(4, FullBoard::Draw);
    let mut solver = game.solver().unwrap();
    let open = after(&game, &game.initial(), ActionId(1));
    assert_eq!(solver.remarks(&open).len(), 1);
    // No solution of the 4-queens problem has a queen in a corner.
    let closed = after(&game, &game.initial(), ActionId(0));
    assert_eq!(
        solver.remarks(&closed)[1],
        "the board cannot be filled: the last player to place a queen wins"
    );
}

#[test]
fn a_board_that_cannot_be_solved_is_refused_with_the_reason() {
    let error = board(16, FullBoard::White).solver().unwrap_err();
    let SolveError::TooLarge { size, max, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!((*size, *max), (16, MAX_SIDE));
    assert!(error.to_string().contains("queens:16"));
}

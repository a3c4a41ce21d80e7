//! The exact solver of Xadrersi's last plies against plain minimax.

use crate::common::{
    Plain, check_against_plain, check_finished, check_mirror_images, legal,
    random_state as random_state_after,
};
use tablero_env::xadrersi::{State, Xadrersi};
use tablero_env::{Encode, ForFirst, Game};
use tablero_minimax::solvers::xadrersi::MAX_PLIES_LEFT;
use tablero_minimax::{Solvable, SolveError, Solver};

/// A position with so many plies to go, after random moves.
fn random_state(plies_left: usize, index: u64) -> State {
    random_state_after(&Xadrersi, 16 - plies_left, index)
}

#[test]
fn every_action_is_worth_what_plain_minimax_says() {
    let mut solver = Xadrersi.solver().unwrap();
    for (plies_left, n_states) in [(1, 20), (2, 20), (3, 10), (4, 4)] {
        for index in 0..n_states {
            let state = random_state(plies_left, index);
            check_against_plain(&Xadrersi, &mut solver, &state, &mut Plain::new(&Xadrersi));
        }
    }
}

/// Where plain minimax does not reach, action values and solution still agree.
#[test]
fn the_best_actions_are_those_that_reach_the_best_lead() {
    for index in 0..6 {
        let state = random_state(5, 100 + index);
        // Each from nothing, so that neither leans on what the other has worked out.
        let solution = Xadrersi.solver().unwrap().solve(&state);
        let values = Xadrersi.solver().unwrap().action_values(&state);
        let mover = Xadrersi.player_to_move(&state);
        let lead = |[first, second]: [i32; 2]| ForFirst(first - second).seen_by(mover);
        let leads = values.iter().map(|value| lead(value.points.unwrap()));
        let most = leads.clone().max().unwrap();
        assert_eq!(lead(solution.points.unwrap()), most);
        let best = values.iter().zip(leads).filter(|&(_, lead)| lead == most);
        let best: Vec<_> = best.map(|(value, _)| value.action).collect();
        assert_eq!(solution.best, best);
    }
}

#[test]
fn a_position_and_its_mirror_images_are_worth_the_same() {
    check_mirror_images(&Xadrersi, &random_state(4, 7));
    // Where the value of each action would take too long.
    let state = random_state(MAX_PLIES_LEFT - 1, 7);
    let points = Xadrersi.solver().unwrap().solve(&state).points;
    for symmetry in 1..Xadrersi.n_symmetries() {
        let image = Xadrersi.transform(symmetry, &state);
        assert_eq!(Xadrersi.solver().unwrap().solve(&image).points, points);
    }
}

#[test]
fn a_finished_game_has_a_value_and_no_best_action() {
    let mut state = random_state(1, 0);
    let last = legal(&Xadrersi, &state)[0];
    Xadrersi.play(&mut state, last).unwrap();
    check_finished(&Xadrersi, &mut Xadrersi.solver().unwrap(), &state);
}

#[test]
fn a_position_too_far_from_the_end_is_refused_with_the_reason() {
    let solver = Xadrersi.solver().unwrap();
    assert_eq!(solver.check(&random_state(MAX_PLIES_LEFT, 0)), Ok(()));
    let error = solver
        .check(&random_state(MAX_PLIES_LEFT + 1, 0))
        .unwrap_err();
    let SolveError::TooLarge { size, max, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!((*size, *max), (MAX_PLIES_LEFT + 1, MAX_PLIES_LEFT));
    assert!(error.to_string().contains("plies to go"));
}

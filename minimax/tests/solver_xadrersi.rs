//! The exact solver of Xadrersi's last plies against plain minimax.

use tablero_env::random::stream;
use tablero_env::xadrersi::{State, Xadrersi};
use tablero_env::{ActionId, Encode, Game, Player};
use tablero_minimax::solvers::xadrersi::MAX_PLIES_LEFT;
use tablero_minimax::{Solvable, SolveError, Solver};

fn after(state: &State, action: ActionId) -> State {
    let mut next = state.clone();
    Xadrersi.play(&mut next, action).unwrap();
    next
}

fn legal(state: &State) -> Vec<ActionId> {
    let mut legal = Vec::new();
    Xadrersi.legal_actions(state, &mut legal);
    legal
}

/// How player 0 ranks final points: the lead, then the sum. Player 1 ranks them the other way.
fn rank([first, second]: [i32; 2]) -> (i32, i32) {
    (first - second, first + second)
}

/// The final points under best play, by minimax over the rules and nothing else.
fn plain_minimax(state: &State) -> [i32; 2] {
    if let Some(outcome) = Xadrersi.outcome(state) {
        return outcome.points.unwrap();
    }
    let results = legal(state)
        .into_iter()
        .map(|action| plain_minimax(&after(state, action)));
    match Xadrersi.player_to_move(state) {
        Player::First => results.max_by_key(|&points| rank(points)),
        Player::Second => results.min_by_key(|&points| rank(points)),
    }
    .unwrap()
}

/// A position with so many plies to go, after random moves.
fn random_state(plies_left: usize, index: u64) -> State {
    let mut rng = stream(1, "xadrersi solver test", index);
    let mut state = Xadrersi.initial();
    for _ in 0..16 - plies_left {
        let action = Xadrersi.sample_action(&state, &mut Vec::new(), &mut rng);
        Xadrersi.play_unchecked(&mut state, action);
    }
    state
}

#[test]
fn every_action_is_worth_what_plain_minimax_says() {
    let mut solver = Xadrersi.solver().unwrap();
    for (plies_left, n_states) in [(1, 20), (2, 20), (3, 10), (4, 4)] {
        for index in 0..n_states {
            let state = random_state(plies_left, index);
            let values = solver.action_values(&state);
            assert!(values.iter().map(|value| value.action).eq(legal(&state)));
            for value in &values {
                let points = plain_minimax(&after(&state, value.action));
                assert_eq!(value.points, Some(points), "{state:?} {value:?}");
                assert_eq!(i32::from(value.value), rank(points).0.signum());
            }
            assert_eq!(solver.solve(&state).points, Some(plain_minimax(&state)));
        }
    }
}

#[test]
fn the_best_actions_are_those_that_reach_the_best_lead() {
    for plies_left in 1..=5 {
        for index in 0..6 {
            let state = random_state(plies_left, 100 + index);
            // Each from nothing, so that neither leans on what the other has worked out.
            let solution = Xadrersi.solver().unwrap().solve(&state);
            let values = Xadrersi.solver().unwrap().action_values(&state);
            let sign = i32::from(Xadrersi.player_to_move(&state).sign());
            let leads = values
                .iter()
                .map(|value| sign * rank(value.points.unwrap()).0);
            let most = leads.clone().max().unwrap();
            assert_eq!(sign * rank(solution.points.unwrap()).0, most);
            let best = values.iter().zip(leads).filter(|&(_, lead)| lead == most);
            assert!(
                solution
                    .best
                    .into_iter()
                    .eq(best.map(|(value, _)| value.action))
            );
        }
    }
}

#[test]
fn a_position_and_its_mirror_images_are_worth_the_same() {
    let state = random_state(MAX_PLIES_LEFT - 1, 7);
    let points = Xadrersi.solver().unwrap().solve(&state).points;
    for symmetry in 1..Xadrersi.n_symmetries() {
        let image = Xadrersi.transform(symmetry, &state);
        assert_eq!(Xadrersi.solver().unwrap().solve(&image).points, points);
    }
}

#[test]
fn a_finished_game_has_a_value_and_no_best_action() {
    let state = random_state(0, 0);
    let mut solver = Xadrersi.solver().unwrap();
    let solution = solver.solve(&state);
    assert_eq!(solution.points, Xadrersi.points(&state));
    assert!(solution.best.is_empty() && solver.action_values(&state).is_empty());
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

//! The exact solver of Paper Soccer against known winners and plain minimax.

use std::collections::{HashMap, HashSet};
use tablero_env::paper_soccer::{PaperSoccer, State};
use tablero_env::random::stream;
use tablero_env::{ActionId, Encode, Game, Player};
use tablero_minimax::{Limits, Minimax, Solvable, SolveError, Solver};

fn pitch(width: usize, height: usize) -> PaperSoccer {
    PaperSoccer::new(width, height).unwrap()
}

/// The winner under best play, by minimax over the rules and nothing else.
fn plain_winner(game: &PaperSoccer, state: &State, known: &mut HashMap<State, Player>) -> Player {
    if let Some(outcome) = game.outcome(state) {
        return outcome.winner.unwrap();
    }
    if let Some(&winner) = known.get(state) {
        return winner;
    }
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mover = game.player_to_move(state);
    let wins = legal.iter().any(|&action| {
        let mut next = state.clone();
        game.play(&mut next, action).unwrap();
        plain_winner(game, &next, known) == mover
    });
    let winner = if wins { mover } else { mover.opponent() };
    known.insert(state.clone(), winner);
    winner
}

/// A position after `n_plies` random moves, or the last unfinished one if the game is over by
/// then.
fn random_state(game: &PaperSoccer, n_plies: usize, index: u64) -> State {
    let mut rng = stream(1, "solver test", index);
    let mut state = game.initial();
    for _ in 0..n_plies {
        let mut next = state.clone();
        let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
        game.play_unchecked(&mut next, action);
        if game.is_over(&next) {
            break;
        }
        state = next;
    }
    state
}
#[test]
fn empty_pitches_have_their_known_winners() {
    // The truth table that goes with the rules, `paper_soccer.tsv`.
    for (width, height, winner) in [
        (2, 2, Player::First),
        (2, 4, Player::Second),
        (4, 2, Player::First),
        (4, 4, Player::First),
    ] {
        let game = pitch(width, height);
        let solution = game.solver().unwrap().solve(&game.initial());
        assert_eq!(solution.value, winner.sign(), "{game:?}");
        if width * height < 16 {
            let plain = plain_winner(&game, &game.initial(), &mut HashMap::new());
            assert_eq!(plain, winner, "{game:?}");
        }
    }
}

#[test]
fn every_action_of_random_positions_is_worth_what_plain_minimax_says() {
    let mut n_positions = [0; 2];
    for (width, height) in [(2, 2), (2, 4), (4, 2), (6, 2)] {
        let game = pitch(width, height);
        let mut solver = game.solver().unwrap();
        let known = &mut HashMap::new();
        for index in 0..60 {
            let state = random_state(&game, index as usize % 12, index);
            let values = solver.action_values(&state);
            let mut legal = Vec::new();
            game.legal_actions(&state, &mut legal);
            let actions: Vec<ActionId> = values.iter().map(|value| value.action).collect();
            assert_eq!(actions, legal);
            for value in &values {
                let mut next = state.clone();
                game.play(&mut next, value.action).unwrap();
                let winner = plain_winner(&game, &next, known);
                assert_eq!(value.value, winner.sign(), "{game:?} {state:?} {value:?}");
                assert_eq!(value.points, None);
            }
            let solution = solver.solve(&state);
            let mover = game.player_to_move(&state).sign();
            let best = values.iter().map(|value| value.value * mover).max();
            assert_eq!(Some(solution.value * mover), best);
            let keep = values.iter().filter(|value| value.value == solution.value);
            assert!(solution.best.iter().eq(keep.map(|value| &value.action)));
            n_positions[usize::from(solution.value == mover)] += 1;
        }
    }
    assert!(
        n_positions.iter().all(|&n| n > 30),
        "both results occur: {n_positions:?}"
    );
}

/// Plays the winner's best actions against every defence: he must win all of these games.
fn check_win(
    game: &PaperSoccer,
    solver: &mut impl Solver<PaperSoccer>,
    state: &State,
    winner: Player,
    checked: &mut HashSet<State>,
) {
    if let Some(outcome) = game.outcome(state) {
        assert_eq!(outcome.winner, Some(winner), "{state:?}");
        return;
    }
    if !checked.insert(state.clone()) {
        return;
    }
    let mut actions = Vec::new();
    if game.player_to_move(state) == winner {
        let solution = solver.solve(state);
        assert_eq!(solution.value, winner.sign(), "{state:?}");
        actions.push(solution.best[0]);
    } else {
        game.legal_actions(state, &mut actions);
    }
    for action in actions {
        let mut next = state.clone();
        game.play(&mut next, action).unwrap();
        check_win(game, solver, &next, winner, checked);
    }
}

#[test]
fn best_actions_beat_every_defence() {
    for (width, height) in [(2, 4), (2, 6), (4, 4), (8, 2)] {
        let game = pitch(width, height);
        let mut solver = game.solver().unwrap();
        let mut checked = HashSet::new();
        for index in 0..20 {
            let state = random_state(&game, index as usize / 2, 200 + index);
            let winner = match solver.solve(&state).value {
                1 => Player::First,
                _ => Player::Second,
            };
            check_win(&game, &mut solver, &state, winner, &mut checked);
        }
        assert!(checked.len() > 100, "{game:?}: {}", checked.len());
    }
}

#[test]
fn a_position_and_its_mirror_image_are_worth_the_same() {
    for (width, height) in [(2, 8), (4, 4)] {
        let game = pitch(width, height);
        let mut solver = game.solver().unwrap();
        for index in 0..20 {
            let state = random_state(&game, 2 + index as usize % 10, 100 + index);
            // A solver of its own, whose table does not know the position.
            let mut other = game.solver().unwrap();
            let images = other.action_values(&game.transform(1, &state));
            for value in solver.action_values(&state) {
                let action = game.transform_action(1, &state, value.action);
                let image = images.iter().find(|image| image.action == action);
                assert_eq!(image.unwrap().value, value.value);
            }
        }
    }
}

#[test]
fn asking_again_costs_less_and_says_the_same() {
    let game = pitch(4, 4);
    let mut solver = game.solver().unwrap();
    let first = solver.solve(&game.initial());
    let again = solver.solve(&game.initial());
    assert_eq!((again.value, &again.best), (first.value, &first.best));
    assert!(again.nodes < first.nodes);
    assert_eq!(solver.nodes(), first.nodes + again.nodes);
}

#[test]
fn what_alpha_beta_calls_proven_is_true() {
    let game = pitch(4, 4);
    let mut solver = game.solver().unwrap();
    let mut searcher = Minimax::new(game.clone(), 4);
    let mut n_proven = 0;
    for index in 0..200 {
        let state = random_state(&game, index as usize % 12, 300 + index);
        let report = searcher.search(&state, &Limits::depth(3));
        if let Some(value) = report.proven {
            n_proven += 1;
            let solution = solver.solve(&state);
            assert_eq!(solution.value, value, "{state:?}");
            assert!(solution.best.contains(&report.best), "{state:?}");
        }
    }
    assert!(n_proven > 100, "{n_proven}");
}

#[test]
fn alpha_beta_wins_against_random_play() {
    let game = pitch(8, 10);
    let mut searcher = Minimax::new(game.clone(), 4);
    for index in 0..20 {
        let mut rng = stream(1, "random play", index);
        let searching = Player::BOTH[index as usize % 2];
        let mut state = game.initial();
        while !game.is_over(&state) {
            let action = if game.player_to_move(&state) == searching {
                searcher.search(&state, &Limits::depth(2)).best
            } else {
                game.sample_action(&state, &mut Vec::new(), &mut rng)
            };
            game.play(&mut state, action).unwrap();
        }
        assert_eq!(game.outcome(&state).unwrap().winner, Some(searching));
    }
}

#[test]
fn a_finished_game_has_a_value_and_no_best_action() {
    let game = pitch(4, 4);
    let mut state = game.initial();
    for action in game.parse_turn(&state, "0,-1 1,-2 0,-3").unwrap() {
        game.play(&mut state, action).unwrap();
    }
    let mut solver = game.solver().unwrap();
    let solution = solver.solve(&state);
    assert_eq!((solution.value, solution.points), (-1, None));
    assert!(solution.best.is_empty() && solver.action_values(&state).is_empty());
}

#[test]
fn a_pitch_that_cannot_be_solved_is_refused_with_the_reason() {
    for (width, height) in [(4, 6), (6, 4), (8, 10), (16, 16)] {
        let error = pitch(width, height).solver().unwrap_err();
        assert!(matches!(error, SolveError::TooLarge { size, max, .. } if size > max));
        assert!(error.to_string().contains(&format!("{width}x{height}")));
        assert!(error.to_string().contains("segments"));
    }
}

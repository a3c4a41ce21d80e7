//! The exact solver of Paper Soccer against known winners and plain minimax.

use crate::common::{
    Plain, after, check_against_plain, check_finished, check_mirror_images, legal, random_state,
};
use std::collections::HashSet;
use tablero_env::paper_soccer::{PaperSoccer, State};
use tablero_env::random::stream;
use tablero_env::{ForFirst, Game, Player};
use tablero_minimax::{Limits, Minimax, Solvable, SolveError, Solver};

fn pitch(width: usize, height: usize) -> PaperSoccer {
    PaperSoccer::new(width, height).unwrap()
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
        let value = ForFirst::from_player(1, winner);
        assert_eq!(solution.value, value, "{game:?}");
        if width * height < 16 {
            let plain = Plain::new(&game).end(&game.initial());
            assert_eq!(plain, (value, None), "{game:?}");
        }
    }
}

#[test]
fn every_action_of_random_positions_is_worth_what_plain_minimax_says() {
    let mut n_positions = [0; 2];
    for (width, height) in [(2, 2), (2, 4), (4, 2), (6, 2)] {
        let game = pitch(width, height);
        let mut solver = game.solver().unwrap();
        let mut plain = Plain::new(&game);
        for index in 0..60 {
            let state = random_state(&game, index as usize % 12, index);
            check_against_plain(&game, &mut solver, &state, &mut plain);
            let (value, _) = plain.end(&state);
            let wins = value.seen_by(game.player_to_move(&state)) == 1;
            n_positions[usize::from(wins)] += 1;
        }
    }
    assert!(
        n_positions.iter().all(|&n| n > 30),
        "both results occur: {n_positions:?}"
    );
}

/// Plays the winner's best actions against every defence: all of these games are won.
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
    let actions = if game.player_to_move(state) == winner {
        let solution = solver.solve(state);
        assert_eq!(solution.value.seen_by(winner), 1, "{state:?}");
        vec![solution.best[0]]
    } else {
        legal(game, state)
    };
    for action in actions {
        check_win(game, solver, &after(game, state, action), winner, checked);
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
                ForFirst(1) => Player::First,
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
        for index in 0..20 {
            check_mirror_images(&game, &random_state(&game, 2 + index as usize % 10, index));
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
    check_finished(&game, &mut solver, &state);
    assert_eq!(solver.solve(&state).value, ForFirst(-1), "an own goal");
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

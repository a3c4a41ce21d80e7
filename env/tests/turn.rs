//! Whole turns, in the two games in which a turn may be many actions long.

use tablero_env::dots_and_boxes::{self, DotsAndBoxes};
use tablero_env::paper_soccer::{Direction, Illegal, PaperSoccer, Point, State};
use tablero_env::random::stream;
use tablero_env::turn::{Progress, TurnError, check_prefix, play_turn};
use tablero_env::{ActionId, Game, Player};

fn soccer() -> PaperSoccer {
    PaperSoccer::new(4, 4).unwrap()
}

/// Player 1 to move at 0,1 after three turns of one segment.
fn three_turns_on(game: &PaperSoccer) -> State {
    let mut state = game.initial();
    for text in ["1,0", "1,1", "0,1"] {
        let turn = game.parse_turn(&state, text).unwrap();
        play_turn(game, &mut state, &turn).unwrap();
    }
    assert_eq!(game.player_to_move(&state), Player::Second);
    state
}

/// Off the start, off a visited point, off the border, to a fresh point.
const TURN: &str = "0,0 1,1 2,0 1,-1";

#[test]
fn a_beginning_of_a_turn_is_incomplete_and_the_whole_is_complete() {
    let game = soccer();
    let state = three_turns_on(&game);
    let turn = game.parse_turn(&state, TURN).unwrap();
    for length in 0..turn.len() {
        let (reached, progress) = check_prefix(&game, &state, &turn[..length]).unwrap();
        assert_eq!(progress, Progress::Incomplete, "{length}");
        assert_eq!(game.player_to_move(&reached), Player::Second);
    }
    let (reached, progress) = check_prefix(&game, &state, &turn).unwrap();
    assert_eq!(progress, Progress::Complete);
    assert_eq!(game.player_to_move(&reached), Player::First);
    let mut played = state.clone();
    let steps = play_turn(&game, &mut played, &turn).unwrap();
    assert_eq!(played, reached);
    let bounces: Vec<bool> = steps.iter().map(|step| step.bounces).collect();
    assert_eq!(bounces, [true, true, true, false]);
}

#[test]
fn a_turn_that_ends_the_game_is_complete() {
    let game = soccer();
    let mut state = game.initial();
    for text in ["0,1", "1,2 0,3"] {
        let turn = game.parse_turn(&state, text).unwrap();
        let (_, progress) = check_prefix(&game, &state, &turn).unwrap();
        assert_eq!(progress, Progress::Complete);
        play_turn(&game, &mut state, &turn).unwrap();
    }
    assert!(game.is_over(&state));
    // Then nothing is left to play.
    assert_eq!(
        check_prefix(&game, &state, &[]).unwrap().1,
        Progress::Complete
    );
    let reason = Illegal::GameOver;
    let error = check_prefix(&game, &state, &[ActionId(0)]).unwrap_err();
    assert_eq!(error, TurnError::Illegal { step: 0, reason });
}

#[test]
fn a_refused_turn_names_the_reason_and_the_step_and_changes_nothing() {
    let game = soccer();
    let state = three_turns_on(&game);
    let used = Illegal::AlreadyUsed {
        from: Point { x: 1, y: 1 },
        to: Point { x: 1, y: 0 },
    };
    for (text, expected) in [
        ("", TurnError::StopsEarly { got: 0 }),
        ("0,0 1,1", TurnError::StopsEarly { got: 2 }),
        (
            "0,0 1,1 1,0",
            TurnError::Illegal {
                step: 2,
                reason: used.clone(),
            },
        ),
        // The first wrong step counts, whatever follows.
        (
            "0,0 1,1 1,0 N N",
            TurnError::Illegal {
                step: 2,
                reason: used,
            },
        ),
        ("0,0 0,-1 0,-2", TurnError::GoesOn { length: 2, got: 3 }),
        ("0,2 0,3", TurnError::GoesOn { length: 1, got: 2 }),
    ] {
        let turn = game.parse_turn(&state, text).unwrap();
        let mut played = state.clone();
        let error = play_turn(&game, &mut played, &turn).unwrap_err();
        assert_eq!(error, expected, "{text}");
        assert_eq!(played, state);
        let prefix = check_prefix(&game, &state, &turn).map(|_| ());
        let is_prefix = matches!(expected, TurnError::StopsEarly { .. });
        assert_eq!(prefix, if is_prefix { Ok(()) } else { Err(expected) });
    }
}

#[test]
fn refusals_read_as_sentences_that_count_from_one() {
    let game = soccer();
    let state = game.initial();
    let message = |actions: &[Direction]| {
        let actions: Vec<ActionId> = actions.iter().map(|d| d.action()).collect();
        let error = play_turn(&game, &mut state.clone(), &actions).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        message(&[]),
        "the turn stops before it is complete: the same player must continue after length 0"
    );
    assert_eq!(
        message(&[Direction::N, Direction::N]),
        "the turn continues after it is complete: expected length 1, got 2"
    );
    let unknown = play_turn(&game, &mut state.clone(), &[ActionId(8)]).unwrap_err();
    assert!(
        unknown
            .to_string()
            .starts_with("step 1 of the turn is illegal: ")
    );
}

/// Cuts random games into turns and tries the laws on each of them.
fn check_random_games<G: Game>(game: &G, n_games: u64) -> usize {
    let mut longest = 0;
    let mut buffer = Vec::new();
    for index in 0..n_games {
        let mut rng = stream(index, "turn test", 0);
        let mut state = game.initial();
        while !game.is_over(&state) {
            let mover = game.player_to_move(&state);
            let mut next = state.clone();
            let mut turn = Vec::new();
            while !game.is_over(&next) && game.player_to_move(&next) == mover {
                assert_eq!(
                    check_prefix(game, &state, &turn).unwrap(),
                    (next.clone(), Progress::Incomplete)
                );
                let mut played = state.clone();
                let got = turn.len();
                let early = play_turn(game, &mut played, &turn).unwrap_err();
                assert_eq!(early, TurnError::StopsEarly { got });
                let action = game.sample_action(&next, &mut buffer, &mut rng);
                game.play_unchecked(&mut next, action);
                turn.push(action);
            }
            let (length, got) = (turn.len(), turn.len() + 1);
            let too_long = [turn.as_slice(), &[ActionId(0)]].concat();
            let goes_on = play_turn(game, &mut state.clone(), &too_long).unwrap_err();
            assert_eq!(goes_on, TurnError::GoesOn { length, got });
            // An id that no game has, in place of the last action.
            let wrong = [&turn[..length - 1], &[ActionId(u32::MAX)]].concat();
            let mut played = state.clone();
            let illegal = play_turn(game, &mut played, &wrong).unwrap_err();
            assert!(matches!(illegal, TurnError::Illegal { step, .. } if step == length - 1));
            assert_eq!(played, state);
            let played = play_turn(game, &mut state, &turn).unwrap();
            assert_eq!((played.len(), &state), (length, &next));
            longest = longest.max(length);
        }
    }
    longest
}

#[test]
fn the_laws_of_turns_hold_in_random_games() {
    assert!(check_random_games(&PaperSoccer::new(8, 10).unwrap(), 20) > 5);
    assert!(check_random_games(&DotsAndBoxes::new(4, 4).unwrap(), 20) > 5);
}

#[test]
fn a_box_must_be_followed_by_another_edge() {
    let game = DotsAndBoxes::new(1, 2).unwrap();
    let mut state = game.initial();
    for edge in [0, 1, 2, 3, 5] {
        play_turn(&game, &mut state, &[ActionId(edge)]).unwrap();
    }
    let before = state.clone();
    let taken = dots_and_boxes::Illegal::AlreadyDrawn(0);
    for (turn, expected) in [
        (vec![4], TurnError::StopsEarly { got: 1 }),
        (
            vec![4, 0],
            TurnError::Illegal {
                step: 1,
                reason: taken,
            },
        ),
        (vec![4, 6, 0], TurnError::GoesOn { length: 2, got: 3 }),
    ] {
        let turn: Vec<ActionId> = turn.into_iter().map(ActionId).collect();
        assert_eq!(play_turn(&game, &mut state, &turn), Err(expected));
        assert_eq!(state, before);
    }
    let turn = [ActionId(4), ActionId(6)];
    assert_eq!(play_turn(&game, &mut state, &turn).unwrap().len(), 2);
    assert!(game.is_over(&state));
}

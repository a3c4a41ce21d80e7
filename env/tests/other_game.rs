//! A game of somebody else through the doors of the built-in ones.

use serde::{Deserialize, Serialize};
use tablero_env::conformance::{Law, check};
use tablero_env::{
    ActionFeatures, ActionId, AnyGame, Encode, Game, Games, Notation, OtherGame, Outcome, Player,
    Rules,
};
use tablero_env::{games, with_game};

/// Players take one or two of ten matches; whoever takes the last wins.
#[derive(Clone, Debug)]
struct Heap {
    name: &'static str,
    /// The number of matches left that a network is shown wrongly.
    wrong: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Left {
    left: usize,
    to_move: Player,
}

impl Rules for Heap {
    type State = Left;

    fn name(&self) -> &'static str {
        self.name
    }

    fn n_actions(&self) -> usize {
        2
    }

    fn max_plies(&self) -> Option<usize> {
        Some(10)
    }

    fn initial(&self) -> Left {
        Left {
            left: 10,
            to_move: Player::First,
        }
    }

    fn to_move(&self, state: &Left) -> Player {
        state.to_move
    }

    fn legal(&self, state: &Left) -> impl Iterator<Item = usize> {
        // In any order.
        (0..2.min(state.left)).rev()
    }

    fn play(&self, state: &mut Left, action: usize) {
        state.left -= action + 1;
        state.to_move = state.to_move.opponent();
    }

    fn outcome(&self, state: &Left) -> Option<Outcome> {
        (state.left == 0).then(|| Outcome::won_by(Some(state.to_move.opponent())))
    }

    fn observation_shape(&self) -> [usize; 3] {
        [1, 2, 5]
    }

    fn observe(&self, state: &Left, planes: &mut [f32]) {
        planes[..state.left].fill(1.0);
        if state.left == self.wrong {
            planes[0] = 2.0;
        }
    }

    fn patterns(&self) -> Vec<Vec<usize>> {
        vec![vec![0, 1], vec![8, 7, 2]]
    }

    fn check_state(&self, state: &Left) -> Result<(), String> {
        let fits = state.left <= 10;
        fits.then_some(()).ok_or("at most 10 matches".to_owned())
    }
}

const HEAP: Heap = Heap {
    name: "heap",
    wrong: 11,
};

#[test]
fn rules_alone_make_a_game_that_keeps_every_law() {
    let report = check(&OtherGame::new(HEAP), 20, 0).unwrap();
    assert!(report.longest <= 10);
}

#[test]
fn patterns_are_features_beside_those_of_the_planes() {
    let game = OtherGame::new(HEAP);
    let sizes = game.feature_sizes();
    assert_eq!(sizes.features, 160 + 3 + 7);
    assert_eq!(sizes.most_active, 10 + 2);
    let (mut legal, mut features) = (Vec::new(), Vec::new());
    let state = game.parse_state(r#"{"left":3,"to_move":0}"#).unwrap();
    game.legal_actions(&state, &mut legal);
    let mut actions = ActionFeatures::new();
    game.write_features(&state, &legal, &mut features, &mut actions);
    // Both cells of the first pattern are full, of the second the last.
    assert_eq!(features[3..], [160 + 3 - 1, 163]);
}

#[test]
fn a_violation_is_shown_after_as_few_moves_as_possible() {
    for seed in 0..5 {
        let broken = OtherGame::new(Heap { wrong: 3, ..HEAP });
        let violation = check(&broken, 20, seed).unwrap_err();
        assert_eq!(violation.law, Law::Observation);
        assert_eq!(violation.actions.len(), 4, "three times two and once one");
        let text = violation.to_string();
        assert!(text.contains(r#"{"left":3,"to_move""#), "{text}");
    }
}

#[test]
fn the_registry_serves_it_like_the_built_in_games() {
    Games::builtin().with(HEAP).install();
    let names: Vec<&str> = games().iter().map(|entry| entry.name).collect();
    assert_eq!(names[5..], ["heap"]);
    let any = AnyGame::parse("heap").unwrap();
    assert_eq!(any.spec(), "heap");
    assert_eq!(with_game!(&any, game => game.n_actions()), 2);
    let error = AnyGame::parse("heap:12").unwrap_err().to_string();
    assert!(error.contains("no parameters"), "{error}");
    let error = AnyGame::parse("go").unwrap_err().to_string();
    assert!(error.contains("hive:base+mlp, heap"), "{error}");
}

#[test]
#[should_panic(expected = "two games of the name \"queens\"")]
fn a_name_is_taken_once() {
    let _ = Games::builtin().with(Heap {
        name: "queens",
        ..HEAP
    });
}

#[test]
#[should_panic(expected = "lower-case")]
fn a_name_fits_a_spec() {
    let _ = Games::builtin().with(Heap {
        name: "My:Game",
        ..HEAP
    });
}

#[test]
fn bad_input_is_refused_with_what_was_expected() {
    let game = OtherGame::new(HEAP);
    let mut state = game.initial();
    let error = game.play(&mut state, ActionId(7)).unwrap_err().to_string();
    assert_eq!(error, "action 7 is not legal here: expected one of 0, 1");
    assert_eq!(state, game.initial());
    for text in ["", "{}", r#"{"left":11,"to_move":0}"#] {
        assert!(game.parse_state(text).is_err(), "{text}");
    }
    let text = game.state_text(&state);
    assert_eq!(game.parse_state(&text).unwrap(), state);
    let finished = game.parse_state(&text.replace("10", "0")).unwrap();
    let error = game.legality(&finished, ActionId(0)).unwrap_err();
    assert_eq!(error.to_string(), "the game is over");
}

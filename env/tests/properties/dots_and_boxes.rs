use super::config;
use proptest::prelude::*;
use std::collections::BTreeSet;
use tablero_env::conformance::check;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{ActionId, Env, EnvError, EnvOptions, Game, Notation};

/// Text that comes close to a state.
fn state_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[01./:]{0,40}",
        "[01]{2}/[01]{2}:[01]{3}:[01.]{2}:[012]",
    ]
}

/// Text that comes close to an action.
fn action_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[0-9+]{0,22}-[0-9]{0,3}-[hvHVx]{0,2}",
        "[0-9]{1,12}"
    ]
}

fn board() -> impl Strategy<Value = DotsAndBoxes> {
    (1..=10usize, 1..=10usize).prop_map(|(rows, cols)| DotsAndBoxes::new(rows, cols).unwrap())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_state_text_is_refused_or_printed_back(text in state_text()) {
        let game = DotsAndBoxes::new(1, 2).unwrap();
        if let Ok(state) = game.parse_state(&text) {
            prop_assert_eq!(game.state_text(&state), text.trim());
            let boxes = game.points(&state).unwrap().iter().sum::<i32>();
            prop_assert!((0..=2).contains(&boxes));
        }
    }

    #[test]
    fn an_action_text_is_refused_or_names_an_action(game in board(), text in action_text()) {
        let state = game.initial();
        let readings = [game.parse_action(&state, &text), game.parse_id_or_action(&state, &text)];
        for action in readings.into_iter().flatten() {
            prop_assert!(action.index() < game.n_actions());
            let text = game.action_text(&state, action);
            prop_assert_eq!(game.parse_action(&state, &text), Ok(action));
        }
    }

    /// Any sequence of ids, legal or not: accepted ones are new edges, refused ones change
    /// nothing, and the state depends on nothing else.
    #[test]
    fn any_sequence_of_ids_is_played_or_refused(
        game in board(),
        ids in prop::collection::vec(0..240u32, 0..300),
    ) {
        let mut env = Env::new(game.clone(), EnvOptions::default());
        env.reset(0);
        let mut drawn = BTreeSet::new();
        for action in ids.into_iter().map(ActionId) {
            let before = env.state().clone();
            let over = drawn.len() == game.n_edges();
            let expected = !over && action.index() < game.n_edges() && !drawn.contains(&action);
            match env.step(action) {
                Ok(step) => {
                    prop_assert!(expected);
                    drawn.insert(action);
                    prop_assert_eq!(step.terminated, drawn.len() == game.n_edges());
                    let legal = step.mask.iter().filter(|&&entry| entry == 1).count();
                    prop_assert_eq!(legal, game.n_edges() - drawn.len());
                    prop_assert_eq!(step.rewards[0] + step.rewards[1], 0.0);
                }
                Err(error) => {
                    prop_assert!(!expected);
                    prop_assert_eq!(error == EnvError::EpisodeOver, over);
                    prop_assert_eq!(env.state(), &before);
                }
            }
        }
        let parsed = game.parse_state(&game.state_text(env.state())).unwrap();
        prop_assert_eq!(game.hash(&parsed), game.hash(env.state()));
        prop_assert_eq!(&parsed, env.state());
    }

    #[test]
    fn laws_hold_for_any_board_and_seed(rows in 1..=4usize, cols in 1..=4usize, seed: u64) {
        let result = check(&DotsAndBoxes::new(rows, cols).unwrap(), 1, seed);
        prop_assert!(result.is_ok(), "{}", result.unwrap_err());
    }
}

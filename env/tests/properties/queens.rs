use super::config;
use proptest::prelude::*;
use tablero_env::queens::{FullBoard, Queens};
use tablero_env::{Game, Notation};

fn board(side: usize) -> Queens {
    Queens::new(side, FullBoard::White).unwrap()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn parameters_are_refused_or_canonical(
        text in prop_oneof![any::<String>(), "[0-9]{1,2},full_board=(white|black|draw|[a-z]{0,3})"],
    ) {
        if let Ok(game) = Queens::parse_parameters(&text) {
            let spec = game.spec();
            let again = Queens::parse_parameters(spec.strip_prefix("queens:").unwrap()).unwrap();
            prop_assert_eq!(again.spec(), spec);
        }
    }

    #[test]
    fn a_state_text_is_refused_or_printed_back(
        text in prop_oneof![any::<String>(), "[.WB/]{0,20}", "[.]{4}/[.WB]{4}/[.]{4}/[.WB]{4}"],
    ) {
        let game = board(4);
        if let Ok(state) = game.parse_state(&text) {
            prop_assert_eq!(game.state_text(&state), text.trim());
        }
    }

    #[test]
    fn an_action_text_is_refused_or_names_an_action(
        side in (1..=8usize).prop_map(|half| 2 * half),
        text in prop_oneof![any::<String>(), "[0-9]{1,2},[0-9]{1,2}", "[0-9 ,+-]{0,8}"],
    ) {
        let game = board(side);
        let state = game.initial();
        if let Ok(action) = game.parse_action(&state, &text) {
            prop_assert!(action.index() < game.n_actions());
            let text = game.action_text(&state, action);
            prop_assert_eq!(game.parse_action(&state, &text), Ok(action));
        }
    }
}

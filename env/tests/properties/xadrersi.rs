use super::config;
use proptest::prelude::*;
use tablero_env::xadrersi::Xadrersi;
use tablero_env::{Game, Notation};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_state_text_is_refused_or_printed_back(
        text in prop_oneof![
            any::<String>(),
            "[KQRBNkqrbn1-8/]{0,30}:-",
            "8/8/8/8/8/8/[1-4]?[KQRBNkqrbn]{2}[1-6]/K[nbrq][1-6]:(-|[a-h][1-8])",
        ],
    ) {
        if let Ok(state) = Xadrersi.parse_state(&text) {
            prop_assert_eq!(Xadrersi.state_text(&state), text.trim());
            let mut legal = Vec::new();
            Xadrersi.legal_actions(&state, &mut legal);
            prop_assert_eq!(legal.is_empty(), state.n_pieces() == 16);
        }
    }

    #[test]
    fn an_action_text_is_refused_or_names_an_action(
        text in prop_oneof![any::<String>(), "[KQRBNP]?[a-i]?[0-9]?"],
    ) {
        let state = Xadrersi.initial();
        if let Ok(action) = Xadrersi.parse_action(&state, &text) {
            prop_assert!(action.index() < 320);
            let text = Xadrersi.action_text(&state, action);
            prop_assert_eq!(Xadrersi.parse_action(&state, &text), Ok(action));
        }
    }
}

//! A sequence of actions, legal ones and any ids: `play` accepts exactly what is legal, refuses the
//! rest and leaves the state as it was, and the state keeps the laws of list, mask, text and hash.
//!
//! Input: a spec, then bytes read by `choices`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablero_env::{BoardGame, with_game};
use tablero_fuzz::{Choice, check_state_text, checked_legal_actions, choices, split_game};

/// Text and mask are tried at the end, and in between once in so many choices.
const CHOICES_BETWEEN_CHECKS: usize = 16;

fuzz_target!(|input: &[u8]| {
    let (game, rest) = split_game(input);
    with_game!(&game, game => play(game, rest));
});

fn play<G: BoardGame>(game: &G, bytes: &[u8]) {
    let mut state = game.initial();
    let mut legal = Vec::new();
    let mut n_plies = 0;
    for (index, choice) in choices(bytes, game.n_actions()).enumerate() {
        if index % CHOICES_BETWEEN_CHECKS == 0 {
            checked_legal_actions(game, &state);
            check_state_text(game, &state);
        }
        game.legal_actions(&state, &mut legal);
        let action = match choice {
            Choice::Legal(_) if legal.is_empty() => break,
            Choice::Legal(number) => legal[number % legal.len()],
            Choice::Id(id) => id,
        };
        let before = state.clone();
        let legality = game.legality(&before, action);
        assert_eq!(legality.is_ok(), legal.binary_search(&action).is_ok());
        assert_eq!(legality.is_ok(), game.is_legal(&before, action));
        match game.play(&mut state, action) {
            Ok(played) => {
                assert!(legality.is_ok(), "{action:?} was played");
                assert!(!played.to_string().is_empty());
                let mut unchecked = before.clone();
                game.play_unchecked(&mut unchecked, action);
                assert!(unchecked == state, "checked and unchecked play differ");
                n_plies += 1;
                assert!(game.max_plies().is_none_or(|max| n_plies <= max));
            }
            Err(refused) => {
                assert_eq!(legality, Err(refused));
                assert!(
                    state == before,
                    "{action:?} was refused and changed the state"
                );
                assert_eq!(game.hash(&state), game.hash(&before));
            }
        }
    }
    checked_legal_actions(game, &state);
    check_state_text(game, &state);
}

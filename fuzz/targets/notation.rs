//! Any text as a state or an action of a game: refused, or read as something that is written and
//! read back as itself.
//!
//! Input: a spec; a line that is read as a state; lines that are read as actions in that state,
//! or in the initial one if the line is no state.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablero_env::{BoardGame, with_game};
use tablero_fuzz::{check_state_text, checked_legal_actions, split_game};

fuzz_target!(|input: &[u8]| {
    let (game, rest) = split_game(input);
    with_game!(&game, game => read(game, &String::from_utf8_lossy(rest)));
});

fn read<G: BoardGame>(game: &G, text: &str) {
    let mut lines = text.split('\n');
    let state = match game.parse_state(lines.next().unwrap_or_default()) {
        Ok(state) => {
            check_state_text(game, &state);
            checked_legal_actions(game, &state);
            assert!(!game.draw(&state).is_empty());
            game.remarks(&state);
            state
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            game.initial()
        }
    };
    for line in lines {
        for read in [
            game.parse_action(&state, line),
            game.parse_id_or_action(&state, line),
        ] {
            match read {
                Ok(action) => {
                    assert!(action.index() < game.n_actions(), "{line:?} is {action:?}");
                    let text = game.action_text(&state, action);
                    assert_eq!(game.parse_action(&state, &text), Ok(action), "of {text:?}");
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}

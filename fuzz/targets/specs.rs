//! Any text as a game's spec: refused, or read as a game whose own spec reads back to itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablero_env::{AnyGame, Game, with_game};
use tablero_fuzz::check_state_text;

fuzz_target!(|text: &str| {
    match AnyGame::parse(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(game) => {
            let spec = game.spec();
            let again = AnyGame::parse(&spec).expect("a canonical spec is a spec");
            assert_eq!(again.spec(), spec, "of {text:?}");
            with_game!(&game, game => check_state_text(game, &game.initial()));
        }
    }
});

//! Any lines to the engine of the Universal Hive Protocol: each is answered in whole lines up to
//! `ok`, a game that it prints is one that it reads, and a refusal changes nothing.
//!
//! Input: the lines.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablero_env::hive::{Hive, State};
use tablero_env::{ActionId, Game};
use tablero_minimax::Limits;
use uhp::{Engine, Thinker};

// The protocol by itself: the crate around it would bring the networks.
#[allow(dead_code, unused_imports, reason = "the client is not fuzzed")]
#[path = "../../agents/src/uhp/mod.rs"]
mod uhp;

#[path = "../../agents/src/lines.rs"]
mod lines;

/// Plays the first legal action.
#[derive(Clone)]
struct First;

impl Thinker for First {
    fn best_action(
        &mut self,
        game: &Hive,
        state: &State,
        _limits: &Limits,
    ) -> Result<ActionId, String> {
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        Ok(legal[0])
    }
}

fuzz_target!(|input: &[u8]| {
    let mut engine = Engine::new(First);
    let mut game = None;
    for line in String::from_utf8_lossy(input).split('\n') {
        let answer = engine.handle(line);
        if answer.is_empty() {
            assert!(engine.has_exited() || line.trim().is_empty(), "{line:?}");
            continue;
        }
        let body = answer
            .strip_suffix("\nok\n")
            .unwrap_or_else(|| panic!("{line:?}: {answer:?}"));
        assert!(
            !body.is_empty() && !body.contains("\nok"),
            "{line:?}: {answer:?}"
        );
        if body.starts_with("Base") {
            let again = engine.clone().handle(&format!("newgame {body}"));
            assert_eq!(again, answer, "{line:?}");
            game = Some(answer);
        } else if let Some(game) = &game {
            // Playing and taking back shows the game without changing it.
            let mut copy = engine.clone();
            let played = ["validmoves", "bestmove depth 1"].map(|line| copy.handle(line));
            let best = played[1].strip_suffix("\nok\n").unwrap_or_default();
            if played[0].starts_with("err ") {
                continue;
            }
            copy.handle(&format!("play {best}"));
            assert_eq!(copy.handle("undo"), *game, "{line:?}");
        }
    }
});

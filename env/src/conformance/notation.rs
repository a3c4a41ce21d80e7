//! The laws of [`Notation`](crate::Notation).

use super::breach::{Breach, Law, ensure};
use super::equality::{same_hash_from_scratch, same_observation, same_rules};
use crate::{ActionId, BoardGame, Notation};

pub(super) fn action_text<G: Notation>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
) -> Result<(), Breach> {
    let mut texts = Vec::with_capacity(legal.len());
    for &action in legal {
        let text = game.action_text(state, action);
        let id = action.to_string();
        for (text, read) in [
            (&text, game.parse_action(state, &text)),
            (&text, game.parse_id_or_action(state, &text)),
            (&id, game.parse_id_or_action(state, &id)),
        ] {
            ensure(read.as_ref() == Ok(&action), Law::ActionText, || {
                format!("expected {text:?} to be read as action {action}, got {read:?}")
            })?;
        }
        texts.push(text);
    }
    texts.sort_unstable();
    let twice = texts.windows(2).find(|pair| pair[0] == pair[1]);
    ensure(twice.is_none(), Law::ActionText, || {
        format!(
            "two legal actions are called {:?}",
            twice.map(|pair| &pair[0])
        )
    })
}

pub(super) fn state_text<G: BoardGame>(game: &G, state: &G::State) -> Result<(), Breach> {
    let text = game.state_text(state);
    ensure(
        !text.is_empty() && text.trim() == text && !text.contains(['\n', '\r']),
        Law::StateText,
        || format!("expected one line, got {text:?}"),
    )?;
    let parsed = game.parse_state(&text).map_err(|error| Breach {
        law: Law::StateText,
        detail: error.to_string(),
    })?;
    let again = game.state_text(&parsed);
    ensure(again == text, Law::StateText, || {
        format!("parsed back, the text is {again}")
    })?;
    same_hash_from_scratch(game, state, &parsed)?;
    same_rules(game, &parsed, state, Law::StateText)?;
    same_observation(game, &parsed, state, Law::Observation)
}

//! The laws of [`Game`](crate::Game).

use super::breach::{Breach, Law, ensure, join};
use crate::random::Stream;
use crate::{ActionId, ForFirst, Game, Player};
use rand::{Rng, RngExt};

pub(super) fn declared<G: Game>(game: &G) -> Result<(), Breach> {
    let (n_actions, most) = (game.n_actions(), game.max_legal_actions());
    ensure(
        0 < most
            && most <= n_actions
            && n_actions <= u32::MAX as usize
            && game.max_plies() != Some(0),
        Law::Declared,
        || {
            format!(
                "expected 0 < max_legal_actions <= n_actions and 0 < max_plies, \
                 got {most}, {n_actions} and {:?}",
                game.max_plies()
            )
        },
    )
}

pub(super) fn initial<G: Game>(game: &G) -> Result<(), Breach> {
    let state = game.initial();
    ensure(game.initial() == state, Law::Initial, || {
        "two calls return different states".to_owned()
    })?;
    ensure(!game.is_over(&state), Law::Initial, || {
        "the game is over before the first move".to_owned()
    })?;
    ensure(
        game.player_to_move(&state) == Player::First,
        Law::Initial,
        || "player 1 is to move".to_owned(),
    )
}

/// Returns the list that the other laws are measured against.
pub(super) fn legal<G: Game>(game: &G, state: &G::State) -> Result<Vec<ActionId>, Breach> {
    // Not empty, so that a game that forgets to clear is caught.
    let mut list = vec![ActionId(0)];
    game.legal_actions(state, &mut list);
    let breach = |what: String| format!("{what}, got {}", join(&list));
    ensure(list.is_sorted_by(|a, b| a < b), Law::Legal, || {
        breach("expected strictly ascending actions".to_owned())
    })?;
    ensure(
        list.last()
            .is_none_or(|last| last.index() < game.n_actions()),
        Law::Legal,
        || breach(format!("expected ids below {}", game.n_actions())),
    )?;
    ensure(list.len() <= game.max_legal_actions(), Law::Legal, || {
        breach(format!("expected {} at most", game.max_legal_actions()))
    })?;
    ensure(list.is_empty() == game.is_over(state), Law::Legal, || {
        breach("expected no action exactly if the game is over".to_owned())
    })?;
    let count = game.n_legal_actions(state, &mut Vec::new());
    ensure(count == list.len(), Law::Legal, || {
        breach(format!("n_legal_actions counts {count}"))
    })?;
    Ok(list)
}

pub(super) fn legality<G: Game>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
    ids: &[ActionId],
) -> Result<(), Breach> {
    for &action in ids.iter().chain(legal) {
        let listed = legal.binary_search(&action).is_ok();
        let (predicate, reason) = (game.is_legal(state, action), game.legality(state, action));
        ensure(
            predicate == listed && reason.is_ok() == listed,
            Law::Legality,
            || {
                format!(
                    "action {action} is {}listed, is_legal says {predicate}, legality {reason:?}",
                    if listed { "" } else { "not " }
                )
            },
        )?;
    }
    Ok(())
}

pub(super) fn mask<G: Game>(game: &G, state: &G::State, legal: &[ActionId]) -> Result<(), Breach> {
    let mut mask = vec![-1; game.n_actions()];
    game.write_mask(state, &mut Vec::new(), &mut mask);
    for (action, &entry) in mask.iter().enumerate() {
        let listed = legal.binary_search(&ActionId::from(action)).is_ok();
        ensure(entry == i8::from(listed), Law::Mask, || {
            format!(
                "expected {} for action {action}, got {entry}",
                i8::from(listed)
            )
        })?;
    }
    Ok(())
}

pub(super) fn refusal<G: Game>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
    ids: &[ActionId],
) -> Result<(), Breach> {
    let mut played = state.clone();
    for &action in ids.iter().filter(|id| legal.binary_search(id).is_err()) {
        let result = game.play(&mut played, action).map(|_| ());
        ensure(
            result.is_err() && result == game.legality(state, action),
            Law::Refusal,
            || {
                format!(
                    "expected {:?} for action {action}, got {result:?}",
                    game.legality(state, action)
                )
            },
        )?;
        ensure(
            played == *state && game.hash(&played) == game.hash(state),
            Law::Refusal,
            || format!("the refused action {action} left {played:?}"),
        )?;
    }
    Ok(())
}

pub(super) fn play<G: Game>(game: &G, state: &G::State, legal: &[ActionId]) -> Result<(), Breach> {
    let (original, hash) = (format!("{state:?}"), game.hash(state));
    for &action in legal {
        let (mut checked, mut unchecked) = (state.clone(), state.clone());
        let result = game.play(&mut checked, action);
        ensure(result.is_ok(), Law::Play, || {
            format!("the listed action {action} is refused: {result:?}")
        })?;
        game.play_unchecked(&mut unchecked, action);
        ensure(
            checked == unchecked && game.hash(&checked) == game.hash(&unchecked),
            Law::Play,
            || {
                format!(
                    "action {action}: play leads to {checked:?}, play_unchecked to {unchecked:?}"
                )
            },
        )?;
    }
    // Compared as printed, since Eq could itself look at what the clones share.
    ensure(
        original == format!("{state:?}") && hash == game.hash(state),
        Law::Clones,
        || format!("playing on clones changed {original} to {state:?}"),
    )
}

pub(super) fn sample<G: Game>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
    rng: &Stream,
) -> Result<(), Breach> {
    if legal.is_empty() {
        return Ok(());
    }
    let (mut sampling, mut listing) = (rng.clone(), rng.clone());
    let sampled = game.sample_action(state, &mut Vec::new(), &mut sampling);
    let expected = legal[listing.random_range(0..legal.len())];
    ensure(sampled == expected, Law::Sample, || {
        format!("expected action {expected}, got {sampled}")
    })?;
    ensure(
        sampling.next_u64() == listing.next_u64(),
        Law::Sample,
        || "more or less than one number was drawn".to_owned(),
    )
}

pub(super) fn playout<G: Game>(game: &G, state: &G::State, rng: &Stream) -> Result<(), Breach> {
    let play = |buffer: &mut Vec<ActionId>| {
        let mut finished = state.clone();
        let outcome = game.playout(&mut finished, buffer, &mut rng.clone());
        (finished, outcome)
    };
    let (finished, outcome) = play(&mut Vec::new());
    ensure(
        game.outcome(&finished) == Some(outcome),
        Law::Playout,
        || {
            format!(
                "the outcome of the last state is {:?}, got {outcome:?}",
                game.outcome(&finished)
            )
        },
    )?;
    // The buffer's old content must not matter.
    ensure(
        play(&mut vec![ActionId(0)]) == (finished, outcome),
        Law::Playout,
        || "the same generator gives another game".to_owned(),
    )
}

pub(super) fn ending<G: Game>(game: &G, state: &G::State) -> Result<(), Breach> {
    let outcome = game.outcome(state);
    ensure(
        game.is_over(state) == outcome.is_some(),
        Law::Ending,
        || format!("is_over is {}, outcome {outcome:?}", game.is_over(state)),
    )?;
    ensure(
        outcome.is_none_or(|outcome| outcome.points == game.points(state)),
        Law::Ending,
        || {
            format!(
                "the points are {:?}, the outcome {outcome:?}",
                game.points(state)
            )
        },
    )
}

pub(super) fn lead_bounds<G: Game>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
) -> Result<(), Breach> {
    let Some(ForFirst([least, most])) = game.lead_bounds(state) else {
        return Ok(());
    };
    let lead = game.outcome(state).map(|outcome| outcome.lead());
    let holds = match lead {
        None => least <= most,
        Some(lead) => lead.is_some_and(|ForFirst(lead)| (least..=most).contains(&lead)),
    };
    ensure(holds, Law::LeadBounds, || {
        format!("bounds {least}..={most}, final lead {lead:?}")
    })?;
    for &action in legal {
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        let after = game.lead_bounds(&next);
        let narrows = after.is_some_and(|ForFirst([low, high])| least <= low && high <= most);
        ensure(narrows, Law::LeadBounds, || {
            format!("bounds {least}..={most}, and {after:?} after action {action}")
        })?;
    }
    Ok(())
}

pub(super) fn wins_at_once<G: Game>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
) -> Result<(), Breach> {
    if !game.wins_at_once(state, legal) {
        return Ok(());
    }
    let is_there = legal
        .iter()
        .any(|&action| game.wins_at_once_by(state, action));
    ensure(is_there, Law::WinsAtOnce, || {
        "no action wins or leads to such a position of the same player".to_owned()
    })
}

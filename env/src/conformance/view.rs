//! The law of [`View`](crate::view::View).

use super::breach::{Breach, Law, ensure};
use crate::ActionId;
use crate::BoardGame;
use std::collections::{BTreeSet, HashMap};

/// More pairs of targets than this are tried in part.
const MOST_PAIRS: usize = 4_000;

pub(super) fn clicks<G: BoardGame>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
) -> Result<(), Breach> {
    let board = game.board(state);
    let mut targets = BTreeSet::new();
    for target in board.targets() {
        ensure(targets.insert(target), Law::View, || {
            format!("two targets are named {target:?}")
        })?;
    }
    let touches: Vec<_> = legal
        .iter()
        .map(|&action| game.touch(state, action))
        .collect();
    let mut actions = HashMap::new();
    for (touch, &action) in touches.iter().zip(legal) {
        let clicks: Vec<&str> = touch.clicks.iter().map(String::as_str).collect();
        let on_board = clicks.iter().all(|click| targets.contains(click));
        ensure(on_board && !clicks.is_empty(), Law::View, || {
            format!("action {action} is clicked as {clicks:?}, which are not all on the board")
        })?;
        let read = game.clicked(state, &clicks);
        ensure(read == Some(action), Law::View, || {
            format!("expected {clicks:?} to mean action {action}, got {read:?}")
        })?;
        actions.insert(clicks, action);
    }
    ensure(actions.len() == legal.len(), Law::View, || {
        "two actions have the same clicks".to_owned()
    })?;
    for clicks in actions.keys() {
        let shorter = (1..clicks.len()).find(|&len| actions.contains_key(&clicks[..len]));
        ensure(shorter.is_none(), Law::View, || {
            format!("the clicks {clicks:?} continue those of another action")
        })?;
    }
    let targets: Vec<&str> = targets.into_iter().collect();
    let singles = targets.iter().map(|&target| vec![target]);
    singles
        .chain(pairs(&targets))
        .try_for_each(|clicks| means_what_is_listed(game, state, legal, &actions, &clicks))
}

/// All pairs of targets, or evenly spread ones of them.
fn pairs<'a>(targets: &'a [&'a str]) -> impl Iterator<Item = Vec<&'a str>> {
    let n_targets = targets.len();
    // Not a divisor of the number of targets, else one of them would be in all pairs.
    let stride = match (n_targets * n_targets).div_ceil(MOST_PAIRS) {
        stride if stride > 1 && n_targets.is_multiple_of(stride) => stride + 1,
        stride => stride,
    };
    let all = (0..n_targets * n_targets).step_by(stride.max(1));
    all.map(move |pair| vec![targets[pair / n_targets], targets[pair % n_targets]])
}

/// Clicks mean a legal action only where they are listed as that action's.
fn means_what_is_listed<G: BoardGame>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
    actions: &HashMap<Vec<&str>, ActionId>,
    clicks: &[&str],
) -> Result<(), Breach> {
    let Some(action) = game.clicked(state, clicks) else {
        return Ok(());
    };
    ensure(action.index() < game.n_actions(), Law::View, || {
        format!("{clicks:?} mean action {action}, which there is not")
    })?;
    let is_legal = legal.binary_search(&action).is_ok();
    let is_listed = actions.get(clicks) == Some(&action);
    ensure(is_legal == is_listed, Law::View, || {
        format!("{clicks:?} mean the legal action {action}, and are not its clicks")
    })
}

//! What equal states must share: rules, hashes and observations.

use super::breach::{Breach, Law, ensure};
use crate::{BoardGame, Encode};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Requires that nothing in the rules tells two equal states apart.
pub(super) fn same_rules<G: BoardGame>(
    game: &G,
    a: &G::State,
    b: &G::State,
    law: Law,
) -> Result<(), Breach> {
    let differ = |what: &str| format!("equal states differ in {what}");
    ensure(a == b, law, || format!("{a:?} != {b:?}"))?;
    ensure(game.hash(a) == game.hash(b), Law::Equality, || {
        differ("Game::hash")
    })?;
    ensure(std_hash(a) == std_hash(b), Law::Equality, || {
        differ("std::hash::Hash")
    })?;
    ensure(game.outcome(a) == game.outcome(b), law, || {
        differ("outcome")
    })?;
    ensure(game.points(a) == game.points(b), law, || differ("points"))?;
    ensure(
        game.is_over(a) || game.player_to_move(a) == game.player_to_move(b),
        law,
        || differ("the player to move"),
    )?;
    let mut legal = [Vec::new(), Vec::new()];
    game.legal_actions(a, &mut legal[0]);
    game.legal_actions(b, &mut legal[1]);
    ensure(legal[0] == legal[1], law, || differ("legal actions"))
}

/// Requires that the incremental hash of `state` is that of its parsed text.
pub(super) fn same_hash_from_scratch<G: BoardGame>(
    game: &G,
    state: &G::State,
    parsed: &G::State,
) -> Result<(), Breach> {
    let (incremental, scratch) = (game.hash(state), game.hash(parsed));
    ensure(state != parsed || incremental == scratch, Law::Hash, || {
        format!("incremental {incremental:016x}, from scratch {scratch:016x}")
    })
}

/// Requires that two equal states look the same.
pub(super) fn same_observation<G: Encode>(
    game: &G,
    a: &G::State,
    b: &G::State,
    law: Law,
) -> Result<(), Breach> {
    ensure(
        same_bits(&observe(game, a, 0.0), &observe(game, b, 0.0)),
        law,
        || "equal states have different observations".to_owned(),
    )
}

pub(super) fn observe<G: Encode>(game: &G, state: &G::State, prefilled: f32) -> Vec<f32> {
    let mut observation = vec![prefilled; game.observation_shape().iter().product()];
    game.write_observation(state, &mut observation);
    observation
}

pub(super) fn same_bits(a: &[f32], b: &[f32]) -> bool {
    a.iter()
        .map(|x| x.to_bits())
        .eq(b.iter().map(|x| x.to_bits()))
}

fn std_hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

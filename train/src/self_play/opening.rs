//! How games of self-play begin: at random, or from a position of another game.

use crate::record::GameRecord;
use rand::RngExt;
use tablero_env::random::{Stream, opening};
use tablero_env::{ActionId, Game};

/// A number of uniformly random plies from the start, itself uniform in `0..=max_plies`; fewer
/// if one more would end the game. Returns the position and the actions.
pub(super) fn random_opening<G: Game>(
    game: &G,
    max_plies: usize,
    rng: &mut Stream,
) -> (G::State, Vec<ActionId>) {
    let n_plies = rng.random_range(0..=max_plies);
    opening(game, n_plies, rng)
}

/// The opening that leaves a game with decisions at one of them, drawn uniformly, by another move,
/// drawn likewise; `None` if there is no other, or it ends the game.
pub(super) fn forked_opening<G: Game>(
    game: &G,
    record: &GameRecord,
    rng: &mut Stream,
) -> Option<(G::State, Vec<ActionId>)> {
    let n_plies = record.opening.len() + rng.random_range(0..record.decisions.len());
    let mut state = game.initial();
    let mut opening: Vec<ActionId> = record.actions().take(n_plies).collect();
    for &action in &opening {
        game.play_unchecked(&mut state, action);
    }
    let played = record.actions().nth(n_plies)?;
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    legal.retain(|&action| action != played);
    if legal.is_empty() {
        return None;
    }
    let action = legal[rng.random_range(0..legal.len())];
    game.play_unchecked(&mut state, action);
    opening.push(action);
    (!game.is_over(&state)).then_some((state, opening))
}

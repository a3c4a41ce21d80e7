//! Random openings.

use rand::RngExt;
use tablero_env::random::Stream;
use tablero_env::{ActionId, Game};

/// A number of uniformly random plies from the start, itself uniform in `0..=max_plies`; fewer
/// if one more would end the game. Returns the position and the actions.
pub fn random_opening<G: Game>(
    game: &G,
    max_plies: usize,
    rng: &mut Stream,
) -> (G::State, Vec<ActionId>) {
    let n_plies = rng.random_range(0..=max_plies);
    random_plies(game, n_plies, rng)
}

/// Exactly `n_plies` uniformly random plies from the start; fewer if one more would end the game.
pub fn random_plies<G: Game>(
    game: &G,
    n_plies: usize,
    rng: &mut Stream,
) -> (G::State, Vec<ActionId>) {
    let mut state = game.initial();
    let mut opening = Vec::with_capacity(n_plies);
    let mut buffer = Vec::new();
    for _ in 0..n_plies {
        let action = game.sample_action(&state, &mut buffer, rng);
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        if game.is_over(&next) {
            break;
        }
        state = next;
        opening.push(action);
    }
    (state, opening)
}

//! Positions, searches from them, and their value by plain minimax.

use tablero_env::random::stream;
use tablero_env::{Game, Player};
use tablero_mcts::{Search, SearchParams};

/// The position after `n_plies` random plies (fewer if the game ends before).
pub fn random_position<G: Game>(game: &G, n_plies: usize, index: u64) -> G::State {
    let mut rng = stream(0, "test position", index);
    let mut state = game.initial();
    for _ in 0..n_plies {
        if game.is_over(&state) {
            break;
        }
        let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
        game.play(&mut state, action).unwrap();
    }
    state
}

pub fn search<G: Game>(game: &G, state: &G::State, params: SearchParams, index: u64) -> Search<G> {
    let stream = stream(0, "test search", index);
    Search::new(game.clone(), state.clone(), params, stream)
}

/// The exact return of player 0, by trying everything.
pub fn minimax<G: Game>(game: &G, state: &G::State) -> i8 {
    if let Some(outcome) = game.outcome(state) {
        return outcome.return_for(Player::First);
    }
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let values = legal.into_iter().map(|action| {
        let mut next = state.clone();
        game.play(&mut next, action).unwrap();
        minimax(game, &next)
    });
    match game.player_to_move(state) {
        Player::First => values.max(),
        Player::Second => values.min(),
    }
    .expect("an unfinished game has legal actions")
}

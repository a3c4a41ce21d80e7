//! Positions, searches from them, and their value by plain minimax.

use tablero_env::random::stream;
use tablero_env::{Game, Player};
use tablero_mcts::{Batch, Evaluations, Evaluator, Request, Search, SearchParams, Wdl, run};

/// A small game of each kind.
pub const SPECS: [&str; 5] = [
    "dots-and-boxes:3x3",
    "queens:6",
    "paper-soccer:4x6",
    "xadrersi",
    "hive:base+mlp",
];

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

/// Runs one search alone.
pub fn grow<G: Game>(search: &mut Search<G>, n_sims: u32, evaluator: &mut impl Evaluator<G>) {
    let one = std::slice::from_mut(search);
    run(one, n_sims, evaluator, &mut Batch::new());
}

/// Judges the position before the first move, and those after one of its moves: the former has
/// these priors and is a draw; after action `good` the opponent has lost, after the others it is
/// a draw.
pub fn fixed(priors: &[f32], good: u32) -> Fixed<'_> {
    Fixed { priors, good }
}

/// See [`fixed`].
pub struct Fixed<'a> {
    priors: &'a [f32],
    good: u32,
}

impl<G: Game> Evaluator<G> for Fixed<'_> {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        let mut after_good = game.initial();
        game.play(&mut after_good, tablero_env::ActionId(self.good))
            .unwrap();
        for request in requests {
            let wdl = if *request.state == after_good {
                Wdl::LOSS
            } else {
                Wdl::DRAW
            };
            let n = request.legal.len();
            out.push(n, wdl, None).copy_from_slice(&self.priors[..n]);
        }
    }
}

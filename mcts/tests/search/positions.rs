//! Positions, searches from them, and their value by plain minimax.

use tablero_env::random::stream;
use tablero_env::{ActionId, ForFirst, ForMover, Game};
use tablero_mcts::{
    Batch, Budget, Evaluations, Evaluator, Gumbel, Puct, Request, Search, SearchParams, Selection,
    Wdl, run,
};

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

/// PUCT with these parameters.
pub fn puct(puct: Puct) -> SearchParams {
    SearchParams {
        selection: Selection::Puct(puct),
        ..SearchParams::default()
    }
}

/// Gumbel with these parameters.
pub fn gumbel(gumbel: Gumbel) -> SearchParams {
    SearchParams {
        selection: Selection::Gumbel(gumbel),
        ..SearchParams::default()
    }
}

/// Each position has a node for each order of moves that leads to it.
pub fn as_a_tree(params: SearchParams) -> SearchParams {
    SearchParams {
        transpositions: false,
        ..params
    }
}

/// Begins a move that explores, or one that does not. Its simulations are counted by
/// [`run`](tablero_mcts::run).
pub fn begin_move<G: Game>(search: &mut Search<G>, explores: bool) {
    search.begin_move(Budget {
        n_simulations: 0,
        explores,
    });
}

/// The legal actions, ascending.
pub fn legal<G: Game>(game: &G, state: &G::State) -> Vec<ActionId> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    legal
}

/// The position after an action.
pub fn after<G: Game>(game: &G, state: &G::State, action: ActionId) -> G::State {
    let mut next = state.clone();
    game.play(&mut next, action).unwrap();
    next
}

/// The exact return, by trying everything.
pub fn minimax<G: Game>(game: &G, state: &G::State) -> ForFirst<i8> {
    if let Some(outcome) = game.outcome(state) {
        return outcome.value();
    }
    let mover = game.player_to_move(state);
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let values = legal.into_iter().map(|action| {
        let mut next = state.clone();
        game.play(&mut next, action).unwrap();
        minimax(game, &next).seen_by(mover)
    });
    let best = values.max().expect("an unfinished game has legal actions");
    ForFirst::from_player(best, mover)
}

/// Runs one search alone.
pub fn grow<G: Game>(search: &mut Search<G>, n_sims: u32, evaluator: &mut impl Evaluator<G>) {
    let one = std::slice::from_mut(search);
    run(one, n_sims, evaluator, &mut Batch::new());
}

/// Evaluates the position before the first move, and those after one of its moves: the former has
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
        let after_good = after(game, &game.initial(), ActionId(self.good));
        for request in requests {
            let wdl = if *request.state == after_good {
                Wdl::LOSS
            } else {
                Wdl::DRAW
            };
            let n = request.legal.len();
            out.push(n, ForMover(wdl), None)
                .copy_from_slice(&self.priors[..n]);
        }
    }
}

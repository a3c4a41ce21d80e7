//! Simulations a second of one search on one thread, from the empty 5x5 board of Dots and Boxes,
//! beside the published crate treant at the same work: the same rules, the same number of
//! simulations a search, one uniformly random game to evaluate each leaf, no transpositions.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::num::NonZeroU32;
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::random::{Stream, stream};
use tablero_env::{ActionId, Game, Player, playout};
use tablero_mcts::{Batch, Evaluator, Rollout, Search, SearchParams, Uniform, run};
use treant::tree_policy::AlphaGoPolicy;
use treant::{CycleBehaviour, GameState, MCTS, MCTSManager, SearchHandle};

const N_SIMS: [u32; 2] = [1000, 2000];

fn game() -> DotsAndBoxes {
    DotsAndBoxes::new(5, 5).expect("a valid size")
}

/// Our rules behind treant's trait.
#[derive(Clone)]
struct Position {
    game: DotsAndBoxes,
    state: State,
}

impl GameState for Position {
    type Move = ActionId;
    type Player = Player;
    type MoveList = Vec<ActionId>;

    fn current_player(&self) -> Player {
        self.game.player_to_move(&self.state)
    }

    fn available_moves(&self) -> Vec<ActionId> {
        let mut moves = Vec::with_capacity(self.game.max_legal_actions());
        self.game.legal_actions(&self.state, &mut moves);
        moves
    }

    fn make_move(&mut self, action: &ActionId) {
        self.game.play_unchecked(&mut self.state, *action);
    }
}

/// treant's own rule for priors (PUCT), one thread, neither solver nor noise.
struct Peer;

impl MCTS for Peer {
    type State = Position;
    type Eval = OneRollout;
    type TreePolicy = AlphaGoPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ThreadStream;

    fn rng_seed(&self) -> Option<u64> {
        Some(1)
    }

    fn cycle_behaviour(&self) -> CycleBehaviour<Self> {
        CycleBehaviour::Ignore
    }
}

/// The generator of the thread that searches.
struct ThreadStream(Stream);

impl Default for ThreadStream {
    fn default() -> Self {
        ThreadStream(stream(1, "bench", 0))
    }
}

/// One random game evaluates a leaf; its moves have equal priors.
struct OneRollout;

impl treant::Evaluator<Peer> for OneRollout {
    type StateEvaluation = i8;

    fn evaluate_new_state(
        &self,
        position: &Position,
        moves: &Vec<ActionId>,
        handle: Option<SearchHandle<Peer>>,
    ) -> (Vec<f64>, i8) {
        let roll_out = |stream: &mut Stream| {
            let mut state = position.state.clone();
            playout(&position.game, &mut state, &mut Vec::new(), stream)
        };
        let outcome = match handle {
            Some(mut handle) => roll_out(&mut handle.thread_data().extra_data.0),
            // The root is evaluated before there is a thread.
            None => roll_out(&mut stream(1, "bench", 1)),
        };
        let priors = vec![1.0 / moves.len() as f64; moves.len()];
        (priors, outcome.return_for(Player::First))
    }

    fn evaluate_existing_state(&self, _: &Position, value: &i8, _: SearchHandle<Peer>) -> i8 {
        *value
    }

    fn interpret_evaluation_for_player(&self, value: &i8, player: &Player) -> i64 {
        i64::from(value * player.sign())
    }
}

fn search_peer(n_sims: u32) -> Option<ActionId> {
    let game = game();
    let position = Position {
        state: game.initial(),
        game,
    };
    let mut manager = MCTSManager::new(position, Peer, OneRollout, AlphaGoPolicy::new(1.25), ());
    manager.playout_n(u64::from(n_sims));
    manager.best_move()
}

fn new_search() -> Search<DotsAndBoxes> {
    let game = game();
    let state = game.initial();
    let params = SearchParams {
        transpositions: false,
        ..SearchParams::default()
    };
    Search::new(game, state, params, stream(1, "bench", 0))
}

fn grow<E: Evaluator<DotsAndBoxes>>(
    search: &mut Search<DotsAndBoxes>,
    evaluator: &mut E,
    batch: &mut Batch<DotsAndBoxes>,
    n_sims: u32,
) -> ActionId {
    run(std::slice::from_mut(search), n_sims, evaluator, batch);
    search.best()
}

fn simulations(c: &mut Criterion) {
    let mut batch = Batch::new();
    let mut rollout = Rollout::new(NonZeroU32::MIN);
    for n_sims in N_SIMS {
        let mut group = c.benchmark_group(format!("5x5, {n_sims} sims"));
        group.throughput(Throughput::Elements(u64::from(n_sims)));
        group.bench_function("rollout", |bencher| {
            bencher.iter(|| grow(&mut new_search(), &mut rollout, &mut batch, n_sims));
        });
        group.bench_function("rollout, treant", |bencher| {
            bencher.iter(|| search_peer(n_sims));
        });
        group.bench_function("uniform", |bencher| {
            bencher.iter(|| grow(&mut new_search(), &mut Uniform, &mut batch, n_sims));
        });
        group.finish();
    }
}

criterion_group!(benches, simulations);
criterion_main!(benches);

//! Exact scores in any game: alpha-beta to the end of the game, with a table of bounds.

use super::nodes::Nodes;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tablero_env::random::stream;
use tablero_env::{ForFirst, Game, Outcome, Player};

/// What a result weighs more than any lead in points.
const RESULT: i32 = 1 << 24;
/// Bytes that the table takes for a state and its bounds, beside the state itself.
const ENTRY_BYTES: usize = 128;
/// Games from which the size of the search is estimated.
const N_ESTIMATES: u64 = 16;

/// What is known of a score for player 0.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    least: i32,
    most: i32,
}

/// Searches positions of one game to the end. States are its keys, not their hashes: what it says
/// is exact.
#[derive(Debug)]
pub(super) struct AlphaBeta<G: Game> {
    game: G,
    has_points: bool,
    table: FxHashMap<G::State, Bounds>,
    most_entries: usize,
    nodes: Nodes,
}

impl<G: Game> AlphaBeta<G> {
    /// A search whose table takes about `table_mib` MiB; a full table is emptied.
    pub(super) fn new(game: G, table_mib: usize) -> Self {
        AlphaBeta {
            has_points: game.points(&game.initial()).is_some(),
            table: FxHashMap::default(),
            most_entries: (table_mib << 20) / (ENTRY_BYTES + size_of::<G::State>()),
            nodes: Nodes::default(),
            game,
        }
    }

    /// The exact score of a position, for player 0.
    pub(super) fn score(&mut self, state: &G::State) -> i32 {
        self.search(state, i32::MIN, i32::MAX)
    }

    /// The result in a score.
    pub(super) fn value(&self, score: i32) -> ForFirst<i8> {
        let rounded = if self.has_points {
            (score + RESULT / 2).div_euclid(RESULT)
        } else {
            score
        };
        ForFirst(rounded as i8)
    }

    /// The points of both players at the end of best play, in games that have points.
    pub(super) fn final_points(&mut self, state: &G::State) -> Option<[i32; 2]> {
        if !self.has_points {
            return None;
        }
        let score = self.score(state);
        let mut state = state.clone();
        while !self.game.is_over(&state) {
            let mut next = self.successors(&state).into_iter();
            state = next
                .find(|next| self.search(next, score - 1, score + 1) == score)
                .expect("a successor keeps the score");
        }
        self.game.points(&state)
    }

    pub(super) fn nodes(&mut self) -> &mut Nodes {
        &mut self.nodes
    }

    pub(super) fn n_nodes(&self) -> u64 {
        self.nodes.count()
    }

    pub(super) fn set_interrupt(&mut self, interrupt: Arc<AtomicBool>) {
        self.nodes.set_interrupt(interrupt);
    }

    /// The score if it is between the bounds, else a bound of it on the same side.
    fn search(&mut self, state: &G::State, alpha: i32, beta: i32) -> i32 {
        self.nodes.visit();
        if let Some(outcome) = self.game.outcome(state) {
            return self.score_of(&outcome);
        }
        let most = if self.has_points { 2 * RESULT } else { 1 };
        let unknown = Bounds { least: -most, most };
        let known = self.table.get(state).copied().unwrap_or(unknown);
        let (alpha, beta) = (alpha.max(known.least), beta.min(known.most));
        if alpha >= beta {
            return if known.least >= beta {
                known.least
            } else {
                known.most
            };
        }
        let is_first = self.game.player_to_move(state) == Player::First;
        let (mut low, mut high) = (alpha, beta);
        let mut best = if is_first { -most } else { most };
        for next in self.successors(state) {
            let score = self.search(&next, low, high);
            if is_first {
                best = best.max(score);
                low = low.max(score);
            } else {
                best = best.min(score);
                high = high.min(score);
            }
            if low >= high {
                break;
            }
        }
        let found = Bounds {
            least: if best > alpha { best } else { known.least },
            most: if best < beta { best } else { known.most },
        };
        if self.table.len() >= self.most_entries {
            self.table.clear();
        }
        self.table.insert(state.clone(), found);
        best
    }

    /// The positions after each action, the finished ones first: some of them may decide.
    fn successors(&self, state: &G::State) -> Vec<G::State> {
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        let after = |&action| {
            let mut next = state.clone();
            self.game.play_unchecked(&mut next, action);
            next
        };
        let mut successors: Vec<G::State> = legal.iter().map(after).collect();
        successors.sort_by_key(|next| !self.game.is_over(next));
        successors
    }

    fn score_of(&self, outcome: &Outcome) -> i32 {
        let value = i32::from(outcome.value().0);
        match outcome.lead() {
            Some(ForFirst(lead)) => value * RESULT + lead,
            None => value,
        }
    }
}

/// About how many positions alpha-beta visits at least: the square root of the number of games
/// from here (Knuth and Moore, 1975), which is estimated from random ones (Knuth, 1975). The table
/// saves many of them.
pub(super) fn estimated_nodes<G: Game>(game: &G, state: &G::State) -> f64 {
    let mut log_games = 0.0;
    let mut buffer = Vec::new();
    for index in 0..N_ESTIMATES {
        let mut rng = stream(0, "solver's reach", index);
        let mut state = state.clone();
        while !game.is_over(&state) {
            log_games += (game.n_legal_actions(&state, &mut buffer) as f64).ln();
            let action = game.sample_action(&state, &mut buffer, &mut rng);
            game.play_unchecked(&mut state, action);
        }
    }
    (log_games / N_ESTIMATES as f64 / 2.0).exp()
}

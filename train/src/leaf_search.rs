//! Leaves that a small minimax search looks at (Baier and Winands, "MCTS-Minimax Hybrids", 2015), or the
//! solver of endgames.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tablero_env::ActionId;
use tablero_mcts::{Evaluations, Evaluator, Request, Wdl};
use tablero_minimax::{Baseline, EndgameSolver, Heuristic, Limits, Minimax, Solvable};

/// MiB of the table for a leaf on its own: enough for its few nodes.
const LEAF_TABLE_MIB: usize = 1;

/// The most that a score says, as log-odds: a chance of 3 in 10,000 remains that a game is not won which
/// the search takes for won, but has not proven.
const MAX_LOG_ODDS: f64 = 8.0;

/// MiB of the table that all leaves of a move share.
const MOVE_TABLE_MIB: usize = 64;

/// MiB of the table that all searches of a game share: of some ten million nodes.
const GAME_TABLE_MIB: usize = 256;

/// MiB of the table of endgames for a leaf on its own, and for a game.
const LEAF_ENDGAMES_MIB: usize = 4;
const GAME_ENDGAMES_MIB: usize = 16;

/// A minimax search of each leaf: what it proves is exact, and its score takes part in the value of
/// the other leaves. Before it, the solver of endgames, in games that have
/// [one](Solvable::endgame_solver).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeafSearch {
    /// Nodes a leaf; at least 1 in self-play.
    pub nodes: u64,
    /// The share, 0..=1, of the score's log-odds that is added to those of the network where the
    /// leaf is not proven. 0, the default, leaves such leaves to the network.
    #[serde(default)]
    pub share: f32,
    /// Nodes a leaf of the solver of endgames, beside those of minimax. With 0, the default, it is not
    /// asked.
    #[serde(default, skip_serializing_if = "is_0")]
    pub solver_nodes: u64,
}

/// For fields that are left out of a file where they are 0.
pub(crate) fn is_0(n: &u64) -> bool {
    *n == 0
}

/// An evaluator beside which minimax searches each leaf.
///
/// - **Value.** With a score that stands for the log-odds x to win
///   ([`Heuristic::LOG_ODDS_PER_UNIT`]) and a share s of it, win : loss becomes
///   `win exp(s x) : loss`, where win and loss are the evaluator's: the weights of two pieces of
///   evidence are added (Good, "Probability and the Weighing of Evidence", 1950). The chance of a
///   draw and the points lead are the evaluator's alone.
/// - **Priors.** Moves that minimax knows to be no better than the others
///   ([`Heuristic::sufficient_actions`]) get none.
/// - **The root** is judged, too, where it is proven, since a proof tells no move. If it is lost, half of
///   the prior goes to what minimax would play: the best fight, or the fewest points lost.
///
/// What two estimates say is worth more together than their mean: of 1,566 positions of Dots and
/// Boxes 5x5 from self-play of a residual network of 4 x 64 that 400 nodes do not prove, the
/// results have a log loss of 0.442 by the network, 0.534 by the score, 0.462 by the mean of both
/// and 0.418 by a share of a half.
#[derive(Debug)]
pub struct SearchedLeaves<G: Baseline, E> {
    evaluator: E,
    searcher: Option<Searcher<G>>,
    judged: Evaluations,
    /// What the search said of each request.
    found: Vec<Found>,
}

#[derive(Debug)]
struct Searcher<G: Baseline> {
    minimax: SharedMinimax<G>,
    heuristic: G::Heuristic,
    endgames: Option<Box<dyn EndgameSolver<G>>>,
    limits: Limits,
    share: f32,
    solver_nodes: u64,
    memory: Memory,
    /// Scratch.
    sufficient: Vec<ActionId>,
}

/// A minimax player of which all who share it know what each of them found.
#[derive(Clone, Debug)]
pub(crate) struct SharedMinimax<G: Baseline>(Arc<Mutex<Minimax<G>>>);

impl<G: Baseline> SharedMinimax<G> {
    /// For all the searches of a game.
    pub(crate) fn new(game: &G) -> Self {
        Self::with_table(game, GAME_TABLE_MIB)
    }

    fn with_table(game: &G, table_mib: usize) -> Self {
        let minimax = Minimax::new(game.clone(), table_mib);
        SharedMinimax(Arc::new(Mutex::new(minimax)))
    }

    /// The player, once nobody else searches.
    pub(crate) fn get(&self) -> MutexGuard<'_, Minimax<G>> {
        // A search that panicked leaves a table that is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long minimax remembers what it found below a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    Leaf,
    Move,
    /// Until whoever shares the minimax clears it.
    Shared,
}

/// Seen by the player to move.
#[derive(Clone, Copy, Debug)]
enum Found {
    /// The result of the game.
    Proof(i8),
    /// The share of the score's log-odds.
    LogOdds(f32),
    /// All is lost where the search begins: what minimax would play.
    Lost(ActionId),
}

impl<G: Baseline + Solvable, E> SearchedLeaves<G, E> {
    /// Each leaf on its own. Without a search, or with one of 0 nodes of both kinds, it is the evaluator
    /// alone.
    #[must_use]
    pub fn new(game: &G, evaluator: E, search: Option<LeafSearch>) -> Self {
        let minimax = || SharedMinimax::with_table(game, LEAF_TABLE_MIB);
        Self::with_memory(game, evaluator, search, Memory::Leaf, minimax)
    }

    /// Keeps what minimax finds below one leaf for the next, until it is to
    /// [forget](Evaluator::forget): the leaves of a move have much in common, so that each is
    /// searched deeper. Answers then depend on the requests before, in their order, so this is for
    /// one search at a time. Endgames are remembered for longer, until a
    /// [new game](Evaluator::new_game). Otherwise as [`new`](SearchedLeaves::new).
    #[must_use]
    pub fn remembering(game: &G, evaluator: E, search: Option<LeafSearch>) -> Self {
        let minimax = || SharedMinimax::with_table(game, MOVE_TABLE_MIB);
        Self::with_memory(game, evaluator, search, Memory::Move, minimax)
    }

    /// As [`remembering`](SearchedLeaves::remembering), but by a minimax that others use, too, and that
    /// these clear.
    pub(crate) fn sharing(
        game: &G,
        evaluator: E,
        search: Option<LeafSearch>,
        minimax: &SharedMinimax<G>,
    ) -> Self {
        let minimax = || minimax.clone();
        Self::with_memory(game, evaluator, search, Memory::Shared, minimax)
    }

    fn with_memory(
        game: &G,
        evaluator: E,
        search: Option<LeafSearch>,
        memory: Memory,
        minimax: impl FnOnce() -> SharedMinimax<G>,
    ) -> Self {
        let search = search.filter(|search| search.nodes > 0 || search.solver_nodes > 0);
        let endgames_mib = match memory {
            Memory::Leaf => LEAF_ENDGAMES_MIB,
            Memory::Move | Memory::Shared => GAME_ENDGAMES_MIB,
        };
        SearchedLeaves {
            evaluator,
            searcher: search.map(|search| Searcher {
                minimax: minimax(),
                heuristic: game.heuristic(),
                endgames: (search.solver_nodes > 0)
                    .then(|| game.endgame_solver(endgames_mib))
                    .flatten(),
                limits: Limits::nodes(search.nodes),
                share: search.share,
                solver_nodes: search.solver_nodes,
                memory,
                sufficient: Vec::new(),
            }),
            judged: Evaluations::new(),
            found: Vec::new(),
        }
    }
}

impl<G: Baseline + Solvable, E: Evaluator<G>> Evaluator<G> for SearchedLeaves<G, E> {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        let Some(searcher) = &mut self.searcher else {
            return self.evaluator.evaluate(game, requests, out);
        };
        self.found.clear();
        let found = requests
            .iter()
            .map(|request| searcher.search(game, request));
        self.found.extend(found);
        let open = requests.iter().zip(&self.found);
        let open: Vec<Request<'_, G>> = open
            .filter(|(_, found)| !matches!(found, Found::Proof(_)))
            .map(|(request, _)| *request)
            .collect();
        self.evaluator.evaluate(game, &open, &mut self.judged);
        out.clear();
        let mut n_judged = 0;
        for (request, found) in requests.iter().zip(&self.found) {
            if let Found::Proof(value) = *found {
                out.push_proven(request.legal.len(), value);
                continue;
            }
            let judged = self.judged.get(n_judged);
            n_judged += 1;
            let wdl = match *found {
                Found::LogOdds(log_odds) => weighed(judged.wdl, log_odds),
                _ => judged.wdl,
            };
            let priors = out.push(request.legal.len(), wdl, judged.points_lead);
            priors.copy_from_slice(judged.priors);
            searcher.keep_sufficient(game, request, priors);
            if let Found::Lost(best) = *found {
                for (prior, &action) in priors.iter_mut().zip(request.legal) {
                    *prior = (*prior + f32::from(u8::from(action == best))) / 2.0;
                }
            }
        }
    }

    fn forget(&mut self) {
        if let Some(searcher) = &self.searcher
            && searcher.memory == Memory::Move
        {
            searcher.minimax.get().clear();
        }
        self.evaluator.forget();
    }

    fn new_game(&mut self) {
        let searcher = self.searcher.as_mut();
        if let Some(endgames) = searcher.and_then(|searcher| searcher.endgames.as_mut()) {
            endgames.clear();
        }
        self.evaluator.new_game();
    }
}

impl<G: Baseline> Searcher<G> {
    fn search(&mut self, game: &G, request: &Request<'_, G>) -> Found {
        let sign = game.player_to_move(request.state).sign();
        let mut proven = None;
        if let Some(endgames) = &mut self.endgames {
            if self.memory == Memory::Leaf {
                endgames.clear();
            }
            proven = endgames.result(request.state, self.solver_nodes);
        }
        // What is proven of the root tells no move.
        if let Some(value) = proven.filter(|_| !request.is_root) {
            return Found::Proof(value * sign);
        }
        if self.limits.nodes == Some(0) {
            return Found::LogOdds(0.0);
        }
        let mut minimax = self.minimax.get();
        if self.memory == Memory::Leaf {
            minimax.clear();
        }
        let report = minimax.search(request.state, &self.limits);
        match proven.or(report.proven).map(|value| value * sign) {
            Some(-1) if request.is_root => Found::Lost(report.best),
            Some(value) if !request.is_root => Found::Proof(value),
            _ => {
                let score = report.score * i32::from(sign);
                Found::LogOdds(self.share * log_odds_of::<G>(score) as f32)
            }
        }
    }

    /// Takes the priors of moves that need not be looked at, and shares them out among the others
    /// by theirs; equally, where they have none.
    fn keep_sufficient(&mut self, game: &G, request: &Request<'_, G>, priors: &mut [f32]) {
        let Request { state, legal, .. } = request;
        self.heuristic
            .sufficient_actions(game, state, &mut self.sufficient);
        if self.sufficient.len() == legal.len() {
            return;
        }
        let is_sufficient = |action: &ActionId| self.sufficient.binary_search(action).is_ok();
        for (prior, action) in priors.iter_mut().zip(*legal) {
            *prior *= f32::from(u8::from(is_sufficient(action)));
        }
        let total: f32 = priors.iter().sum();
        for (prior, action) in priors.iter_mut().zip(*legal) {
            *prior = if total > 0.0 {
                *prior / total
            } else {
                f32::from(u8::from(is_sufficient(action))) / self.sufficient.len() as f32
            };
        }
    }
}

/// The log-odds to win that go with a score of minimax which proves nothing.
pub(crate) fn log_odds_of<G: Baseline>(score: i32) -> f64 {
    (G::Heuristic::LOG_ODDS_PER_UNIT * f64::from(score)).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS)
}

/// The probabilities after so much evidence more for a win.
fn weighed(judged: Wdl, log_odds: f32) -> Wdl {
    let half = (log_odds / 2.0).exp();
    let (win, loss) = (judged.win * half, judged.loss / half);
    let decided = judged.win + judged.loss;
    let total = win + loss;
    if total > 0.0 {
        Wdl {
            win: decided * win / total,
            draw: judged.draw,
            loss: decided * loss / total,
        }
    } else {
        judged
    }
}

#[cfg(test)]
mod tests;

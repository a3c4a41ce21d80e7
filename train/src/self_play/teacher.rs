//! Games of minimax against itself, to learn from before self-play is worth anything.

use super::SelfPlayBatch;
use super::odds::Scored;
use super::opening::{forked_opening, random_opening};
use crate::config::{SelfPlayConfig, Teacher};
use crate::record::{Decision, GameRecord};
use rand::RngExt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use tablero_env::random::{Stream, stream};
use tablero_env::{ActionId, Player};
use tablero_mcts::Wdl;
use tablero_minimax::{Baseline, EndgameSolver, Limits, Minimax, Solvable};

/// A search of few nodes needs no more.
const TABLE_MIB: usize = 4;

/// The share of the move chosen in the policy to learn; the others divide the rest.
const CHOSEN_SHARE: f32 = 0.8;

/// Plays the games with these numbers by minimax on both sides, and by the solver of endgames if so
/// configured, with some random moves, which are not learnt from, as long as no search has proven
/// the result. The root values are the odds that went with such scores of the search in these games, by an ordered
/// logit model (McCullagh, 1980) that is fitted to all of them.
///
/// `on_game` is called after each game, from any thread.
pub fn teach_games<G: Baseline + Solvable>(
    game: &G,
    config: &SelfPlayConfig,
    teacher: &Teacher,
    seed: u64,
    games: Range<u64>,
    threads: usize,
    on_game: &(impl Fn() + Sync),
) -> SelfPlayBatch {
    let next_game = AtomicU64::new(games.start);
    let total = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut lesson = Lesson {
                    game,
                    max_plies: config.max_plies,
                    teacher,
                    minimax: Minimax::new(game.clone(), TABLE_MIB),
                    endgames: (teacher.solver_nodes > 0)
                        .then(|| game.endgame_solver(TABLE_MIB))
                        .flatten(),
                };
                let mut own = SelfPlayBatch::default();
                loop {
                    let id = next_game.fetch_add(1, Ordering::Relaxed);
                    if id >= games.end {
                        break;
                    }
                    let mut rng = stream(seed, "teacher", id);
                    let opening = random_opening(game, config.random_plies, &mut rng);
                    let record = lesson.play(id, opening, false, &mut rng);
                    let is_forked = rng.random_bool(f64::from(config.fork_share));
                    let fork = record
                        .as_ref()
                        .map(|(record, _)| record)
                        .filter(|record| is_forked && !record.decisions.is_empty())
                        .and_then(|record| forked_opening(game, record, &mut rng))
                        .map(|opening| lesson.play(id, opening, true, &mut rng));
                    for record in [Some(record), fork].into_iter().flatten() {
                        match record {
                            Some((record, scores)) => {
                                own.games.push(record);
                                own.scores.push(scores);
                            }
                            None => own.n_unfinished += 1,
                        }
                    }
                    on_game();
                }
                let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
                total.push(own);
            });
        }
    });
    SelfPlayBatch::join(total.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// A teacher at its board.
struct Lesson<'a, G: Baseline> {
    game: &'a G,
    max_plies: Option<usize>,
    teacher: &'a Teacher,
    minimax: Minimax<G>,
    endgames: Option<Box<dyn EndgameSolver<G>>>,
}

impl<G: Baseline> Lesson<'_, G> {
    /// A game from an opening on, and the scores of its decisions that were searched and not
    /// proven; `None` if it is longer than the limit.
    fn play(
        &mut self,
        id: u64,
        (mut state, opening): (G::State, Vec<ActionId>),
        forked: bool,
        rng: &mut Stream,
    ) -> Option<(GameRecord, Vec<Option<Scored>>)> {
        let limits = Limits {
            nodes: Some(self.teacher.nodes),
            ..Limits::default()
        };
        let mut decisions: Vec<Decision> = Vec::new();
        let mut movers: Vec<Player> = Vec::new();
        let mut scores: Vec<Option<f64>> = Vec::new();
        let mut legal = Vec::new();
        // What the tables hold from other games must not sway this one.
        self.minimax.clear();
        if let Some(endgames) = &mut self.endgames {
            endgames.clear();
        }
        let mut is_open = true;
        let outcome = loop {
            if let Some(outcome) = self.game.outcome(&state) {
                break outcome;
            }
            let n_plies = opening.len() + decisions.len();
            if self.max_plies.is_some_and(|limit| n_plies >= limit) {
                return None;
            }
            self.game.legal_actions(&state, &mut legal);
            let mover = self.game.player_to_move(&state);
            let is_random = is_open && rng.random_bool(f64::from(self.teacher.random_moves));
            let (action, policy, proven, score) = if is_random {
                let action = legal[rng.random_range(0..legal.len())];
                (action, Vec::new(), None, None)
            } else {
                let report = self.minimax.search(&state, &limits);
                let solved = match report.proven {
                    Some(value) => Some((report.best, value)),
                    None => self.solve(&state, &legal, report.best),
                };
                let best = solved.map_or(report.best, |(action, _)| action);
                let proven = solved.map(|(_, value)| value);
                is_open &= proven.is_none();
                let other = (1.0 - CHOSEN_SHARE) / (legal.len() - 1).max(1) as f32;
                let share = |&action| match action == best {
                    true if legal.len() == 1 => 1.0,
                    true => CHOSEN_SHARE,
                    false => other,
                };
                // Proven is the return of player 0.
                let proven = proven.map(|value| value * mover.sign());
                let sign = f64::from(mover.sign());
                let score = proven.is_none().then(|| f64::from(report.score) * sign);
                (best, legal.iter().map(share).collect(), proven, score)
            };
            movers.push(mover);
            scores.push(score);
            decisions.push(Decision {
                action,
                policy,
                // Replaced below, and where there is a score once the odds are known.
                root_wdl: [0.0; 3],
                proven,
            });
            self.game.play_unchecked(&mut state, action);
        };
        for (decision, &mover) in decisions.iter_mut().zip(&movers) {
            let Wdl { win, draw, loss } = Wdl::certain(outcome.return_for(mover));
            decision.root_wdl = [win, draw, loss];
        }
        let scored = scores.into_iter().zip(movers).map(|(score, mover)| {
            let result = outcome.return_for(mover);
            score.map(|score| Scored { score, result })
        });
        let scored = scored.collect();
        let record = GameRecord {
            id,
            forked,
            opening,
            decisions,
            outcome,
            resigned: false,
        };
        Some((record, scored))
    }

    /// An action that keeps the result of an endgame, `preferred` if it does, and the return of player
    /// 0, if the solver finds them.
    fn solve(
        &mut self,
        state: &G::State,
        legal: &[ActionId],
        preferred: ActionId,
    ) -> Option<(ActionId, i8)> {
        let endgames = self.endgames.as_mut()?;
        let nodes = self.teacher.solver_nodes;
        let value = endgames.result(state, nodes)?;
        if value * self.game.player_to_move(state).sign() == -1 {
            return Some((preferred, value));
        }
        let mut next = state.clone();
        let keeping = std::iter::once(preferred)
            .chain(legal.iter().copied())
            .find(|&action| {
                next.clone_from(state);
                self.game.play_unchecked(&mut next, action);
                match self.game.outcome(&next) {
                    Some(outcome) => outcome.returns()[0] == value,
                    None => endgames.result(&next, nodes) == Some(value),
                }
            });
        keeping.map(|action| (action, value))
    }
}

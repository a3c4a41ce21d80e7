//! Self-play: many games in lock-step, one batch of leaves a step, a worker a core.
//!
//! A game's randomness comes from (run seed, game number) alone, and an evaluation does not
//! depend on its batch, so the records are the same for any number of workers and any group.

use crate::config::SelfPlayConfig;
use crate::record::{Decision, GameRecord};
use rand::RngExt;
use std::borrow::{Borrow, BorrowMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use tablero_env::random::{Stream, stream};
use tablero_env::{ActionId, Game};
use tablero_mcts::{Batch, Evaluator, Search};

/// How the work is spread; decides speed only, never a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// Threads.
    pub threads: usize,
    /// Games that a worker plays in lock-step: the largest batch that an evaluator sees.
    pub group_size: usize,
}

impl Workers {
    /// A worker on every core, 32 games each: dense layers gain little from larger batches, and
    /// convolutions nothing.
    #[must_use]
    pub fn all_cores() -> Self {
        Workers {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            group_size: 32,
        }
    }
}

/// The games of one round of self-play.
#[derive(Clone, Debug)]
pub struct SelfPlayBatch {
    /// Finished games in order of their number.
    pub games: Vec<GameRecord>,
    /// Games thrown away because they did not end within `max_plies`.
    pub n_unfinished: u64,
    /// Leaves that the evaluators judged.
    pub n_evaluations: u64,
}

/// Plays the games numbered `first_game..first_game + config.games`.
///
/// `new_evaluator` makes the evaluator of each worker; all must judge alike. `on_game` is called
/// after each game, from any worker.
pub fn play_games<G: Game, E: Evaluator<G>>(
    game: &G,
    config: &SelfPlayConfig,
    seed: u64,
    first_game: u64,
    workers: Workers,
    new_evaluator: &(impl Fn() -> E + Sync),
    on_game: &(impl Fn() + Sync),
) -> SelfPlayBatch {
    let next_game = AtomicU64::new(first_game);
    let end = first_game + config.games;
    let finished = Mutex::new(Vec::new());
    let n_evaluations = AtomicU64::new(0);
    let n_unfinished = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..workers.threads.max(1) {
            scope.spawn(|| {
                let take_game = || {
                    let id = next_game.fetch_add(1, Ordering::Relaxed);
                    (id < end).then(|| Playing::start(game, config, seed, id))
                };
                let mut evaluator = new_evaluator();
                let mut batch = Batch::new();
                let mut group: Vec<Playing<'_, G>> = Vec::new();
                loop {
                    while group.len() < workers.group_size.max(1) {
                        let Some(playing) = take_game() else { break };
                        group.push(playing);
                    }
                    if group.is_empty() {
                        break;
                    }
                    group.retain_mut(|playing| {
                        match playing.play_moves_due() {
                            Progress::Searching => return true,
                            Progress::Finished => finished
                                .lock()
                                .unwrap_or_else(PoisonError::into_inner)
                                .push(playing.take_record()),
                            Progress::TooLong => {
                                n_unfinished.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                        on_game();
                        false
                    });
                    let size = batch.round(
                        &mut group,
                        |search| {
                            let missing = config.simulations.saturating_sub(search.root_visits());
                            search.n_simulations() + missing
                        },
                        &mut evaluator,
                    );
                    n_evaluations.fetch_add(size as u64, Ordering::Relaxed);
                }
            });
        }
    });
    let mut games = finished
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    games.sort_by_key(|record| record.id);
    SelfPlayBatch {
        games,
        n_unfinished: n_unfinished.into_inner(),
        n_evaluations: n_evaluations.into_inner(),
    }
}

/// How far a game has come.
enum Progress {
    /// The search of the next move is not done.
    Searching,
    /// The game is over.
    Finished,
    /// The game has reached the limit of plies.
    TooLong,
}

/// A game under way.
struct Playing<'a, G: Game> {
    game: &'a G,
    config: &'a SelfPlayConfig,
    search: Search<G>,
    record: GameRecord,
}

impl<'a, G: Game> Playing<'a, G> {
    fn start(game: &'a G, config: &'a SelfPlayConfig, seed: u64, id: u64) -> Self {
        let mut moves = stream(seed, "self-play opening", id);
        let (state, opening) = random_opening(game, config.random_plies, &mut moves);
        let search = Search::new(
            game.clone(),
            state,
            config.search.clone(),
            stream(seed, "self-play search", id),
        );
        Playing {
            game,
            config,
            search,
            record: GameRecord {
                id,
                opening,
                decisions: Vec::new(),
                // Replaced at the end of the game.
                outcome: tablero_env::Outcome::won_by(None),
            },
        }
    }

    /// Plays as long as the search of the move is done.
    fn play_moves_due(&mut self) -> Progress {
        loop {
            if let Some(outcome) = self.game.outcome(self.search.state()) {
                self.record.outcome = outcome;
                return Progress::Finished;
            }
            let n_plies = self.record.opening.len() + self.record.decisions.len();
            if self.config.max_plies.is_some_and(|limit| n_plies >= limit) {
                return Progress::TooLong;
            }
            let is_searched = self.search.root_visits() >= self.config.simulations
                || self.search.root_proven().is_some();
            if !is_searched {
                return Progress::Searching;
            }
            self.play_move();
        }
    }

    fn play_move(&mut self) {
        let temperature = if self.record.decisions.len() < self.config.temperature_plies {
            self.config.temperature
        } else {
            0.0
        };
        let wdl = self.search.root_wdl();
        let policy = self.search.policy_target();
        let action = self.search.choose(temperature);
        self.record.decisions.push(Decision {
            action,
            policy,
            root_wdl: [wdl.win, wdl.draw, wdl.loss],
            proven: self.search.root_proven(),
        });
        self.search
            .advance(action)
            .expect("a search chooses legal actions");
    }

    fn take_record(&mut self) -> GameRecord {
        GameRecord {
            opening: std::mem::take(&mut self.record.opening),
            decisions: std::mem::take(&mut self.record.decisions),
            ..self.record
        }
    }
}

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

impl<G: Game> Borrow<Search<G>> for Playing<'_, G> {
    fn borrow(&self) -> &Search<G> {
        &self.search
    }
}

impl<G: Game> BorrowMut<Search<G>> for Playing<'_, G> {
    fn borrow_mut(&mut self) -> &mut Search<G> {
        &mut self.search
    }
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

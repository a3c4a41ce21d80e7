//! Self-play: many games in lock-step, one batch of leaves a step, a worker a core.
//!
//! A game's randomness comes from (run seed, game number) alone, and an evaluation does not
//! depend on its batch, so the records are the same for any number of workers and any group.

mod assignment;
mod batch;
mod odds;
mod opening;
mod playing;
mod teacher;

pub use assignment::{ActorError, Actors, Assignment};
pub use batch::{BatchError, Hopeless, SelfPlayBatch};
pub use opening::{random_opening, random_plies};
pub use teacher::teach_games;

use crate::config::SelfPlayConfig;
use playing::{Playing, Progress};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tablero_env::Game;
use tablero_mcts::{Batch, Evaluations, Evaluator, Request};
use tablero_models::Hardware;

/// How the work is spread; decides speed only, never a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// Threads.
    pub threads: usize,
    /// Games that a worker plays in lock-step: the largest batch that an evaluator sees.
    pub group_size: usize,
}

impl Workers {
    /// A worker on every core. Where the processor judges leaves, 32 games each: dense layers
    /// gain little from larger batches, and convolutions nothing. A graphics card gets 256.
    #[must_use]
    pub fn all_cores(hardware: Hardware) -> Self {
        Workers {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            group_size: match hardware {
                Hardware::Cpu => 32,
                Hardware::Gpu => 256,
            },
        }
    }
}

/// Plays the games with these numbers.
///
/// `new_evaluator` makes the evaluator of each worker; all must judge alike. `on_game` is called
/// after each game that is no fork, from any worker.
pub fn play_games<G: Game, E: Evaluator<G>>(
    game: &G,
    config: &SelfPlayConfig,
    seed: u64,
    games: Range<u64>,
    workers: Workers,
    new_evaluator: &(impl Fn() -> E + Sync),
    on_game: &(impl Fn() + Sync),
) -> SelfPlayBatch {
    let next_game = AtomicU64::new(games.start);
    let total = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..workers.threads.max(1) {
            scope.spawn(|| {
                let take_game = || {
                    let id = next_game.fetch_add(1, Ordering::Relaxed);
                    (id < games.end).then(|| Playing::start(game, config, seed, id))
                };
                let start = Instant::now();
                let mut evaluator = Timed {
                    evaluator: new_evaluator(),
                    spent: Duration::ZERO,
                };
                let mut batch = Batch::new();
                let mut group: Vec<Playing<'_, G>> = Vec::new();
                let mut own = SelfPlayBatch::default();
                loop {
                    while group.len() < workers.group_size.max(1) {
                        let Some(playing) = take_game() else { break };
                        group.push(playing);
                    }
                    if group.is_empty() {
                        break;
                    }
                    group.retain_mut(|playing| {
                        let progress = playing.play_moves_due();
                        if matches!(progress, Progress::Searching) {
                            return true;
                        }
                        if !playing.is_fork() {
                            on_game();
                        }
                        let fork = end(&mut own, playing, progress);
                        let goes_on = fork.is_some();
                        if let Some(fork) = fork {
                            *playing = fork;
                        }
                        goes_on
                    });
                    let size = batch.round(
                        &mut group,
                        |search| {
                            let wanted = config.simulations_of(search.budget().full);
                            let missing = wanted.saturating_sub(search.root_visits());
                            search.n_simulations() + missing
                        },
                        &mut evaluator,
                    );
                    own.n_evaluations += size as u64;
                }
                own.evaluation_time = evaluator.spent;
                own.worker_time = start.elapsed();
                let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
                total.push(own);
            });
        }
    });
    SelfPlayBatch::join(total.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Takes in a game that has ended; gives the fork that goes on from it, if there is one.
fn end<'a, G: Game>(
    batch: &mut SelfPlayBatch,
    playing: &mut Playing<'a, G>,
    progress: Progress,
) -> Option<Playing<'a, G>> {
    if matches!(progress, Progress::TooLong) {
        batch.n_unfinished += 1;
        return None;
    }
    if let Some(lost) = playing.hopeless_but_played_out() {
        batch.hopeless.games += 1;
        batch.hopeless.saved += u64::from(!lost);
    }
    let fork = playing.fork();
    batch.games.push(playing.take_record());
    batch.scores.push(Vec::new());
    fork
}

/// An evaluator whose time is taken.
struct Timed<E> {
    evaluator: E,
    spent: Duration,
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Timed<E> {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        let start = Instant::now();
        self.evaluator.evaluate(game, requests, out);
        self.spent += start.elapsed();
    }

    fn forget(&mut self) {
        self.evaluator.forget();
    }

    fn new_game(&mut self) {
        self.evaluator.new_game();
    }
}

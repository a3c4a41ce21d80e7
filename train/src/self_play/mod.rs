//! Self-play: games of the network against itself, or of its teacher.
//!
//! An [`Actor`] plays the games that it is handed; each thread has one. A game's randomness comes
//! from (run seed, game number) alone, and an evaluation does not depend on its batch, so the
//! records are the same for any number of threads and games at once.

mod assignment;
mod batch;
mod game;
mod network;
mod opening;
mod teacher;

pub use assignment::{ActorError, Actors, Assignment};
pub use batch::{BatchError, SelfPlayBatch};
pub use network::NetworkActor;
pub use teacher::TeacherActor;

use crate::config::RunConfig;
use std::ops::Range;
use tablero_agents::Cancel;
use tablero_agents::spread::{Jobs, all_cores, spread_until};
use tablero_models::{Hardware, NetworkConfig};

/// How the work is spread; decides speed only, never a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// Threads.
    pub threads: usize,
    /// Games that a thread plays in lock-step: the largest batch that an evaluator sees.
    pub group_size: usize,
}

impl Workers {
    /// A thread on every core, and the games that suit the run's network. A sparse network is asked
    /// one position at a time: one game, whose tree stays in the cache. Where the processor evaluates
    /// others, 32: dense layers gain little from larger batches, and convolutions nothing. A graphics
    /// card gets 256.
    #[must_use]
    pub fn all_cores(config: &RunConfig) -> Self {
        Workers {
            threads: all_cores(),
            group_size: match (&config.network, config.device) {
                (_, Hardware::Gpu) => 256,
                (NetworkConfig::Sparse { .. }, Hardware::Cpu) => 1,
                (_, Hardware::Cpu) => 32,
            },
        }
    }
}

/// Someone who plays games to learn from, on one thread.
pub trait Actor {
    /// Plays games as long as there are numbers to take. Each game is a function of its number.
    /// `on_game` is called after each that is no fork. Once the jobs are cancelled it returns at once, and
    /// games under way are dropped.
    fn play(&mut self, games: &Jobs, on_game: &dyn Fn()) -> SelfPlayBatch;
}

/// Plays the games with these numbers on so many threads, each with an actor of its own; all must
/// play alike. `on_game` is called after each game that is no fork, from any thread. Once it is cancelled
/// it returns at once, without games that were under way.
pub fn play_games<A: Actor>(
    threads: usize,
    games: Range<u64>,
    new_actor: impl Fn() -> A + Sync,
    on_game: &(impl Fn() + Sync),
    cancel: &Cancel,
) -> SelfPlayBatch {
    let play = |jobs: &Jobs| new_actor().play(jobs, on_game);
    let parts = spread_until(cancel, threads, games, play);
    SelfPlayBatch::join(parts)
}

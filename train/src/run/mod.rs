//! A training run in a folder: safe to kill at any instant, and resumed by the same call that
//! started it.
//!
//! ```text
//! RUN/config.toml              the resolved configuration
//! RUN/manifest.json            what is valid; written last, so nothing else is read without it
//! RUN/policy/                  the policy of the weights that play
//! RUN/checkpoints/000012/      a policy too, with the learner's weights and the optimizer beside it
//! RUN/replay/000011.shard      the games of round 11
//! RUN/given/000003.shard       games of other runs that round 3 takes instead of playing
//! RUN/metrics.jsonl            one line a round
//! RUN/evaluations.jsonl        results of matches of its agents, one a line
//! RUN/tensorboard/             the metrics for TensorBoard
//! RUN/lock                     held while a process trains
//! ```
//! A round (`round.rs`) has four stages: plan, play while learning, commit, evaluate. It plays games
//! with the weights of its checkpoint while the learner makes the next one from the games of the
//! rounds before: both are pure functions of what is on disk, so a run that was killed and resumed
//! produces exactly the weights of an uninterrupted one.

mod agent;
mod error;
mod evaluate;
mod folder;
mod given;
mod health;
mod manifest;
mod metrics;
mod read;
mod round;
mod start;
mod tensorboard;

pub use error::RunError;
pub use health::advice;
pub use manifest::{Manifest, ShardEntry};
pub use metrics::{Observer, RoundMetrics, SelfPlayMetrics};

use crate::config::RunConfig;
use crate::learner::Learner;
use crate::memory;
use crate::self_play::{Actors, Workers};
use evaluate::load_opponents;
use manifest::Machine;
use round::Training;
use std::fs::File;
use std::path::{Path, PathBuf};
use tablero_agents::Cancel;
use tablero_env::{AnyGame, with_game};
use tablero_minimax::Playable;

const CONFIG: &str = "config.toml";
const METRICS: &str = "metrics.jsonl";
const EVALUATIONS: &str = "evaluations.jsonl";

/// A training run on disk.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    config: RunConfig,
    manifest: Manifest,
    /// Held until the run is dropped; the system frees it when the process dies.
    _lock: File,
}

impl Run {
    /// Sets the number of rounds, more or fewer than before: the learning rate falls to its end
    /// with the new last one. It is written when training goes on.
    ///
    /// # Errors
    /// If more rounds than that are done.
    pub fn set_rounds(&mut self, rounds: u32) -> Result<(), RunError> {
        if rounds < self.manifest.rounds {
            return Err(RunError::TooFewRounds {
                path: self.folder.clone(),
                done: self.manifest.rounds,
                got: rounds,
            });
        }
        self.config.rounds = rounds;
        Ok(())
    }

    /// Lets opponents of the configuration start other programs: `uhp:"COMMAND"`.
    pub fn allow_commands(&mut self) {
        self.config.allow_commands = true;
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// What is on disk.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Trains to the end of the configured rounds, or until the observer has had enough or cancels it. A run that
    /// is at its end returns at once.
    ///
    /// # Errors
    /// If a file is damaged or cannot be written, or learning diverges; what is on disk stays
    /// valid, and the next call resumes from there.
    pub fn train(&mut self, workers: Workers, observer: &impl Observer) -> Result<(), RunError> {
        let any = AnyGame::parse(&self.config.game)?;
        with_game!(&any, game => self.train_game(game, workers, None, observer))
    }

    /// The same with games that actors in other processes play; matches on the way are played here.
    /// What is learnt is the same, if the actors' processors have the same vector instructions.
    /// [`Observer::game_finished`] is not called.
    ///
    /// # Errors
    /// As [`train`](Run::train), and if the actors do not play.
    pub fn train_with(
        &mut self,
        actors: &dyn Actors,
        workers: Workers,
        observer: &impl Observer,
    ) -> Result<(), RunError> {
        let any = AnyGame::parse(&self.config.game)?;
        with_game!(&any, game => self.train_game(game, workers, Some(actors), observer))
    }

    /// Records version and instruction set, and warns if they differ from before: from here on the run
    /// may differ from one that was never moved.
    fn notice_machine(&mut self) -> Result<Option<String>, RunError> {
        let here = Machine::here();
        let before = self.manifest.machine.replace(here.clone());
        if before.as_ref() == Some(&here) {
            return Ok(None);
        }
        self.write_manifest()?;
        Ok(before.map(|before| {
            format!(
                "after {} rounds the run is resumed with {here} instead of {before}: its results may \
                 differ in the last bits from those of a run that was not moved",
                self.manifest.rounds
            )
        }))
    }

    fn train_game<G: Playable>(
        &mut self,
        game: &G,
        workers: Workers,
        actors: Option<&dyn Actors>,
        observer: &impl Observer,
    ) -> Result<(), RunError> {
        memory::check_run(game, &self.config, workers)?;
        let checkpoint = self.checkpoint_path(self.manifest.checkpoint);
        let cancel = observer.cancel();
        let mut training = Training {
            game,
            workers,
            actors,
            observer,
            learner: Learner::load(game, &self.config, &checkpoint)?
                .with_threads(workers.threads)
                .cancelled_by(&cancel),
            cancel,
            window: self.read_window(game)?,
            opponents: load_opponents(game, &self.config)?,
        };
        let metrics = Self::read_metrics(&self.folder)?;
        self.check_leftovers()?;
        // Only now, when everything has been read and checked, is a file changed.
        self.update_config()?;
        self.remove_leftovers()?;
        tensorboard::rewrite(&self.folder, &metrics)?;
        // A process that was killed after a round may have left these two out.
        self.write_policy()?;
        let mut warnings: Vec<String> = self.notice_machine()?.into_iter().collect();
        warnings.iter().for_each(|warning| observer.warned(warning));
        let (opponents, cancel) = (&training.opponents, &training.cancel);
        warnings.extend(self.evaluate(game, opponents, workers.threads, cancel));
        if let Some(latest) = metrics.last() {
            self.keep_warnings(&RoundMetrics {
                warnings,
                ..latest.clone()
            })?;
        }
        let goes_on = |cancel: &Cancel| observer.goes_on() && !cancel.is_cancelled();
        while !self.manifest.is_finished(&self.config) && goes_on(&training.cancel) {
            training.round(self)?;
        }
        Ok(())
    }
}

//! A training run in a folder: safe to kill at any instant, goes on where it stopped.
//!
//! ```text
//! RUN/config.toml              the resolved configuration
//! RUN/manifest.json            what is valid; written last, so nothing else is read without it
//! RUN/checkpoints/000012/      weights, their moving average, the optimizer
//! RUN/replay/000011.shard      the games of round 11
//! RUN/given/000003.shard       games of other runs that round 3 takes instead of playing
//! RUN/metrics.jsonl            one line a round
//! RUN/evaluations.jsonl        results of matches of its agents, one a line
//! RUN/tensorboard/             the metrics for TensorBoard
//! RUN/lock                     held while a process trains
//! ```
//! Round k plays games with the weights of checkpoint k while the learner makes checkpoint k+1
//! from the games of the rounds before: both cores are busy, and both are pure functions of what
//! is on disk, so a run that was killed and started again ends bit for bit as one that was not.

mod agent;
mod error;
mod evaluate;
mod folder;
mod gate;
mod given;
mod health;
mod manifest;
mod metrics;
mod read;
mod start;

pub use error::RunError;
pub use health::advice;
pub use manifest::{Manifest, ShardEntry};
pub use metrics::{GateReport, Observer, RoundMetrics, SelfPlayMetrics};

use crate::config::RunConfig;
use crate::learner::Learner;
use crate::memory;
use crate::replay::ReplayWindow;
use crate::self_play::{Actors, Assignment, SelfPlayBatch, Workers};
use crate::tensorboard;
use folder::{checkpoint_path, drop_old_shards, shard_path, write_shard};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime};
use tablero_env::{AnyGame, BoardGame, with_game};
use tablero_mcts::Evaluator;
use tablero_minimax::{Baseline, Solvable};
use tablero_models::{DeviceEvaluator, LeafEvaluator};

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
    /// Sets the number of iterations, more or fewer than before: the learning rate falls to its
    /// end with the new last one. The folder learns of it when training goes on.
    ///
    /// # Errors
    /// If more rounds than that are done.
    pub fn set_iterations(&mut self, iterations: u32) -> Result<(), RunError> {
        if iterations < self.manifest.rounds {
            return Err(RunError::TooFewIterations {
                path: self.folder.clone(),
                done: self.manifest.rounds,
                got: iterations,
            });
        }
        self.config.iterations = iterations;
        Ok(())
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

    /// Trains to the end of the configured iterations, or until the observer has had enough. A run that is at its end returns at once.
    ///
    /// # Errors
    /// If a file is damaged or cannot be written, or learning diverges; what is on disk stays
    /// valid, and the next call goes on from there.
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

    fn train_game<G: BoardGame + Baseline + Solvable>(
        &mut self,
        game: &G,
        workers: Workers,
        actors: Option<&dyn Actors>,
        observer: &impl Observer,
    ) -> Result<(), RunError> {
        let mut learner = Learner::load(
            game,
            &self.config,
            &self.checkpoint_path(self.manifest.checkpoint),
        )?;
        let mut window = self.read_window(game)?;
        let metrics = Self::read_metrics(&self.folder)?;
        // Only now, when everything has been read and checked, is a file changed.
        self.remove_leftovers()?;
        self.write_config()?;
        tensorboard::rewrite(&self.folder, &metrics)?;
        while !self.is_finished() && observer.goes_on() {
            self.round(game, &mut learner, &mut window, workers, actors, observer)?;
        }
        Ok(())
    }

    /// Whether all games are played and learnt from.
    fn is_finished(&self) -> bool {
        self.manifest.is_finished(&self.config)
    }

    fn round<G: BoardGame + Baseline + Solvable>(
        &mut self,
        game: &G,
        learner: &mut Learner,
        window: &mut ReplayWindow,
        workers: Workers,
        actors: Option<&dyn Actors>,
        observer: &impl Observer,
    ) -> Result<(), RunError> {
        let start = Instant::now();
        let round = self.manifest.checkpoint;
        let plays = self.manifest.rounds < self.config.iterations;
        let has_new_games = self.manifest.learnt_rounds < self.manifest.rounds;
        let n_steps = if has_new_games {
            self.n_steps(window)
        } else {
            0
        };
        let takes = self.manifest.rounds < self.manifest.given_rounds;
        let games = if plays && !takes {
            self.config.self_play.games
        } else {
            0
        };
        observer.round_started(games, n_steps);

        let weights = self.playing_weights(learner)?;
        let network = Arc::new(learner.leaf_network(&weights)?);
        let on_card = learner.card_network(&weights)?.map(Arc::new);
        // What is sent to actors must not be borrowed from the learner, which goes on meanwhile.
        let actors = actors.map(|actors| (actors, weights.into_owned()));
        let config = &self.config;
        let assignment = Assignment {
            round: self.manifest.rounds,
            games: self.manifest.games..self.manifest.games + self.config.self_play.games,
        };
        let folder = &self.folder;
        let new_evaluator = || -> Box<dyn Evaluator<G>> {
            match &on_card {
                None => Box::new(LeafEvaluator::new(Arc::clone(&network))),
                Some(network) => Box::new(DeviceEvaluator::new(Arc::clone(network))),
            }
        };
        let on_game = || observer.game_finished();
        let (played, learnt) = std::thread::scope(|scope| {
            let self_play = plays.then(|| {
                scope.spawn(|| -> Result<_, RunError> {
                    let start = Instant::now();
                    if takes {
                        let games = given::of_round(game, folder, assignment.round)?;
                        return Ok((SelfPlayBatch::taken(games), 0.0));
                    }
                    let batch = match &actors {
                        None => {
                            Ok(assignment.play(game, config, workers, &new_evaluator, &on_game))
                        }
                        Some((actors, weights)) => assignment.play_by(game, *actors, weights),
                    };
                    Ok((batch?, start.elapsed().as_secs_f64()))
                })
            });
            let learnt = (n_steps > 0).then(|| {
                let progress = f64::from(round) / f64::from(config.iterations.max(1));
                learner.learn(game, window, round, n_steps, progress, &|| {
                    observer.step_finished();
                })
            });
            let played = self_play.map(|thread| match thread.join() {
                Ok(played) => played,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            (played, learnt)
        });
        let learning = learnt.transpose()?;
        let played = played.transpose()?;

        let mut next = self.manifest.clone();
        next.checkpoint += 1;
        next.steps += n_steps;
        next.learnt_rounds = self.manifest.rounds;
        let mut self_play = None;
        if let Some((batch, seconds)) = played {
            let metrics = SelfPlayMetrics::of(&batch, seconds);
            write_shard(
                game,
                &self.shard_path(next.rounds),
                next.rounds,
                &batch.games,
            )?;
            next.shards.push(ShardEntry {
                round: next.rounds,
                games: metrics.games,
                record_hash: metrics.record_hash.clone(),
            });
            next.rounds += 1;
            next.games += self.config.self_play.games;
            self_play = Some(metrics);
            drop_old_shards(&mut next.shards, self.config.learner.window(next.games));
            window.push(batch.games, next.shards.len());
            memory::release();
        }
        learner.save(&self.checkpoint_path(next.checkpoint))?;
        let gate = self.pass_gate(game, learner, next.checkpoint, n_steps, &network, workers)?;
        if gate.is_none_or(|gate| gate.passed) {
            next.playing = next.checkpoint;
        }
        let is_last = next.is_finished(&self.config);
        self.evaluate(game, learner, next.checkpoint, is_last, workers)?;
        let metrics = RoundMetrics {
            round,
            checkpoint: next.checkpoint,
            self_play,
            learning,
            gate,
            seconds: start.elapsed().as_secs_f64(),
            memory_bytes: memory::resident(),
            finished_at: SystemTime::now()
                .duration_since(SystemTime::UNIX_EPOCH)
                .map_or(0.0, |since| since.as_secs_f64()),
            weights_hash: format!("{:016x}", learner.average().hash()),
        };
        next.metrics_bytes = self.append_metrics(&metrics)?;
        tensorboard::append(&self.folder, &metrics)?;
        self.manifest = next;
        self.write_manifest()?;
        self.remove_leftovers()?;
        observer.round_finished(&metrics);
        Ok(())
    }

    /// Gradient steps such that each position of the newest round is drawn
    /// `samples_per_position` times, on average, while it stays in the window.
    fn n_steps(&self, window: &ReplayWindow) -> u64 {
        let learner = &self.config.learner;
        let draws = f64::from(learner.samples_per_position) * window.n_new_positions() as f64;
        (draws / learner.batch_size as f64).ceil() as u64
    }
}

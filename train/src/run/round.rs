//! A round of training, in four stages: plan, play while learning, commit, evaluate.

use super::folder::{drop_old_shards, write_shard};
use super::tensorboard;
use super::{Manifest, Observer, RoundMetrics, Run, RunError, SelfPlayMetrics, ShardEntry, given};
use crate::learner::{LearnReport, Learner};
use crate::memory;
use crate::replay::ReplayWindow;
use crate::self_play::{Actors, Assignment, SelfPlayBatch, Workers};
use serde_json::json;
use std::sync::Arc;
use std::time::{Instant, SystemTime};
use tablero_agents::{Cancel, LoadedPlayer};
use tablero_mcts::Evaluator;
use tablero_minimax::Playable;
use tablero_models::{DeviceEvaluator, LeafEvaluator, LeafNetwork, Network, Weights};

/// What a run has in memory while it trains.
pub(super) struct Training<'a, G, O> {
    pub game: &'a G,
    pub workers: Workers,
    pub actors: Option<&'a dyn Actors>,
    pub observer: &'a O,
    pub cancel: Cancel,
    pub learner: Learner,
    pub window: ReplayWindow,
    /// Of the matches on the way.
    pub opponents: Vec<LoadedPlayer>,
}

/// What a round does.
struct Plan {
    start: Instant,
    /// Games to play, by whomever; `None` where all are played.
    assignment: Option<Assignment>,
    /// Whether the games are another run's.
    takes_given_games: bool,
    n_steps: u64,
    /// The weights that play.
    weights: Weights,
    network: Arc<LeafNetwork>,
    on_card: Option<Arc<Network>>,
    cancel: Cancel,
}

/// The games of a round, and the seconds that they took.
type Played = Option<(SelfPlayBatch, f64)>;

impl<G: Playable, O: Observer> Training<'_, G, O> {
    pub fn round(&mut self, run: &mut Run) -> Result<(), RunError> {
        let plan = self.plan(run)?;
        let (played, learning) = self.play_while_learning(run, &plan)?;
        if self.cancel.is_cancelled() {
            // It is not whole. What the learner took in is forgotten with it.
            return Ok(());
        }
        let mut metrics = self.commit(run, &plan, played, learning)?;
        let threads = self.workers.threads;
        metrics.warnings = run.evaluate(self.game, &self.opponents, threads, &self.cancel);
        run.keep_warnings(&metrics)?;
        self.observer.round_finished(&metrics);
        Ok(())
    }

    /// Which games are to be played, by which weights, and how many steps to be taken.
    fn plan(&self, run: &Run) -> Result<Plan, RunError> {
        let (config, manifest) = (&run.config, &run.manifest);
        let plays = !manifest.is_played(config);
        let weights = self.learner.average().clone();
        let plan = Plan {
            start: Instant::now(),
            assignment: plays.then(|| Assignment {
                round: manifest.rounds,
                games: manifest.games..manifest.games + config.self_play.games,
            }),
            takes_given_games: manifest.rounds < manifest.given_rounds,
            n_steps: if manifest.learnt_rounds < manifest.rounds {
                self.n_steps(run)
            } else {
                0
            },
            network: Arc::new(self.learner.leaf_network(&weights)?),
            on_card: self.learner.card_network(&weights)?.map(Arc::new),
            weights,
            cancel: self.cancel.clone(),
        };
        let is_played_here = plays && !plan.takes_given_games;
        let n_games = if is_played_here {
            config.self_play.games
        } else {
            0
        };
        self.observer.round_started(n_games, plan.n_steps);
        Ok(plan)
    }

    /// Plays the games while the learner takes its steps.
    fn play_while_learning(
        &mut self,
        run: &Run,
        plan: &Plan,
    ) -> Result<(Played, Option<LearnReport>), RunError> {
        let Self {
            game,
            workers,
            actors,
            observer,
            learner,
            window,
            ..
        } = self;
        let (game, workers, actors, observer) = (*game, *workers, *actors, *observer);
        let round = run.manifest.checkpoint;
        let progress = run.manifest.progress(&run.config);
        let (played, learnt) = std::thread::scope(|scope| {
            let playing = plan.assignment.as_ref().map(|assignment| {
                scope.spawn(move || play(game, run, plan, assignment, workers, actors, observer))
            });
            let learnt = (plan.n_steps > 0).then(|| {
                let on_step = || observer.step_finished();
                learner.learn(game, window, round, plan.n_steps, progress, &on_step)
            });
            let played = playing.map(|thread| match thread.join() {
                Ok(played) => played,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            (played, learnt)
        });
        Ok((played.transpose()?, learnt.transpose()?))
    }

    /// Writes everything that the round made, the manifest last: from then on it is valid.
    fn commit(
        &mut self,
        run: &mut Run,
        plan: &Plan,
        played: Played,
        learning: Option<LearnReport>,
    ) -> Result<RoundMetrics, RunError> {
        let mut next = run.manifest.clone();
        next.checkpoint += 1;
        next.config.get_or_insert_with(|| json!(run.config));
        next.steps += plan.n_steps;
        next.learnt_rounds = next.rounds;
        let self_play = played
            .map(|(batch, seconds)| self.keep_games(run, &mut next, batch, seconds))
            .transpose()?;
        let policy = run.policy_of(self.game, &self.learner, &next)?;
        let checkpoint = run.checkpoint_path(next.checkpoint);
        self.learner.save(&checkpoint, &policy)?;
        let metrics = RoundMetrics {
            checkpoint: next.checkpoint,
            self_play,
            learning,
            seconds: plan.start.elapsed().as_secs_f64(),
            memory_bytes: memory::resident(),
            finished_at: SystemTime::now()
                .duration_since(SystemTime::UNIX_EPOCH)
                .map_or(0.0, |since| since.as_secs_f64()),
            weights_hash: format!("{:016x}", self.learner.average().hash()),
            warnings: Vec::new(),
        };
        run.append_metrics(&metrics)?;
        tensorboard::append(&run.folder, &metrics)?;
        run.manifest = next;
        run.write_manifest()?;
        run.write_policy()?;
        run.remove_leftovers()?;
        Ok(metrics)
    }

    /// Writes the games of the round, and takes them into the window.
    fn keep_games(
        &mut self,
        run: &Run,
        next: &mut Manifest,
        batch: SelfPlayBatch,
        seconds: f64,
    ) -> Result<SelfPlayMetrics, RunError> {
        let metrics = SelfPlayMetrics::of(&batch, seconds);
        let path = run.shard_path(next.rounds);
        write_shard(self.game, &path, next.rounds, &batch.games)?;
        next.shards.push(ShardEntry {
            round: next.rounds,
            games: metrics.games,
            record_hash: metrics.record_hash.clone(),
        });
        next.rounds += 1;
        next.games += run.config.self_play.games;
        next.evaluations += metrics.evaluations;
        drop_old_shards(&mut next.shards, run.config.learner.window(next.games));
        self.window.push(batch.games, next.shards.len());
        memory::release();
        Ok(metrics)
    }

    /// Gradient steps such that each position of the newest round is drawn
    /// `samples_per_position` times, on average, while it stays in the window.
    fn n_steps(&self, run: &Run) -> u64 {
        let learner = &run.config.learner;
        let n_new = self.window.new_positions().len() as f64;
        let draws = f64::from(learner.samples_per_position) * n_new;
        (draws / learner.batch_size as f64).ceil() as u64
    }
}

/// The games of an assignment: taken from another run, played here, or by actors elsewhere.
fn play<G: Playable>(
    game: &G,
    run: &Run,
    plan: &Plan,
    assignment: &Assignment,
    workers: Workers,
    actors: Option<&dyn Actors>,
    observer: &impl Observer,
) -> Result<(SelfPlayBatch, f64), RunError> {
    let start = Instant::now();
    if plan.takes_given_games {
        let games = given::of_round(game, &run.folder, assignment.round)?;
        return Ok((SelfPlayBatch::taken(games), 0.0));
    }
    let new_evaluator = || -> Box<dyn Evaluator<G>> {
        match &plan.on_card {
            None => Box::new(LeafEvaluator::new(Arc::clone(&plan.network))),
            Some(network) => Box::new(DeviceEvaluator::new(Arc::clone(network))),
        }
    };
    let on_game = || observer.game_finished();
    let batch = match actors {
        None => {
            let (config, cancel) = (&run.config, &plan.cancel);
            assignment.play(game, config, workers, &new_evaluator, &on_game, cancel)
        }
        Some(actors) => assignment.play_by(game, actors, &plan.weights)?,
    };
    Ok((batch, start.elapsed().as_secs_f64()))
}

//! A training run in a folder: safe to kill at any instant, goes on where it stopped.
//!
//! ```text
//! RUN/config.toml              the resolved configuration
//! RUN/manifest.json            what is valid; written last, so nothing else is read without it
//! RUN/checkpoints/000012/      weights, their moving average, the optimizer
//! RUN/replay/000011.shard      the games of round 11
//! RUN/metrics.jsonl            one line a round
//! RUN/lock                     held while a process trains
//! ```
//! Round k plays games with the weights of checkpoint k while the learner makes checkpoint k+1
//! from the games of the rounds before: both cores are busy, and both are pure functions of what
//! is on disk, so a run that was killed and started again ends bit for bit as one that was not.

mod error;
mod manifest;
mod metrics;

pub use error::RunError;
pub use manifest::{Manifest, ShardEntry};
pub use metrics::{Observer, RoundMetrics, SelfPlayMetrics};

use crate::config::RunConfig;
use crate::learner::Learner;
use crate::record::{GameRecord, record_hash};
use crate::replay::ReplayWindow;
use crate::self_play::{Workers, play_games};
use crate::shard::{self, ShardHeader};
use crate::storage::{self, ASIDE, StorageError};
use manifest::{FORMAT, MANIFEST, VERSION};
use serde_json::{Map, Value, json};
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tablero_env::{AnyGame, BoardGame, Game, with_game};
use tablero_models::{LeafEvaluator, Policy};

const CONFIG: &str = "config.toml";
const METRICS: &str = "metrics.jsonl";

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
    /// Whether `folder` is a run.
    #[must_use]
    pub fn is_run(folder: &Path) -> bool {
        folder.join(MANIFEST).is_file()
    }

    /// Starts a run in a new or empty folder.
    ///
    /// # Errors
    /// If the folder holds other files, cannot be written, or the configuration is not valid.
    pub fn create(folder: &Path, config: RunConfig) -> Result<Run, RunError> {
        config.check()?;
        let any = AnyGame::parse(&config.game)?;
        if folder.exists() && !Self::is_unfinished_start(folder)? {
            return Err(RunError::Occupied {
                path: folder.to_owned(),
            });
        }
        for part in ["checkpoints", "replay"] {
            let path = folder.join(part);
            fs::create_dir_all(&path).map_err(StorageError::of("create", &path))?;
        }
        let lock = lock(folder)?;
        let learner = with_game!(&any, game => Learner::new(game, &config))?;
        let run = Run {
            folder: folder.to_owned(),
            config,
            manifest: Manifest {
                format: FORMAT.to_owned(),
                version: VERSION,
                checkpoint: 0,
                rounds: 0,
                learnt_rounds: 0,
                games: 0,
                steps: 0,
                shards: Vec::new(),
                metrics_bytes: 0,
            },
            _lock: lock,
        };
        run.write_config()?;
        learner.save(&run.checkpoint_path(0))?;
        run.write_manifest()?;
        Ok(run)
    }

    /// Whether the folder is empty, or holds only what [`create`](Run::create) writes before the
    /// manifest: a process was killed while it started the run.
    fn is_unfinished_start(folder: &Path) -> Result<bool, StorageError> {
        let entries = fs::read_dir(folder).map_err(StorageError::of("read", folder))?;
        for entry in entries {
            let entry = entry.map_err(StorageError::of("read", folder))?;
            let name = entry.file_name();
            let ours = ["checkpoints", "replay", "lock", CONFIG]
                .iter()
                .any(|part| name.to_string_lossy().starts_with(part));
            let leftover = Path::new(&name).extension().is_some_and(|end| end == ASIDE);
            if !ours && !leftover {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Opens a run to go on with it.
    ///
    /// # Errors
    /// If it is no run, damaged, or being trained by another process.
    pub fn open(folder: &Path) -> Result<Run, RunError> {
        let (config, manifest) = Self::read(folder)?;
        Ok(Run {
            folder: folder.to_owned(),
            config,
            manifest,
            _lock: lock(folder)?,
        })
    }

    /// Opens the run in `folder` if there is one, which must have been started with this
    /// configuration (a larger number of iterations extends it); else starts it.
    ///
    /// # Errors
    /// As [`create`](Run::create) and [`open`](Run::open).
    pub fn create_or_open(folder: &Path, config: RunConfig) -> Result<Run, RunError> {
        if !Self::is_run(folder) {
            return Self::create(folder, config);
        }
        let mut run = Self::open(folder)?;
        let differences = differences(&run.config, &config);
        if !differences.is_empty() {
            return Err(RunError::OtherConfig {
                path: folder.to_owned(),
                differences,
            });
        }
        run.extend_to(config.iterations);
        Ok(run)
    }

    /// Raises the number of iterations; a smaller number than before changes nothing. The folder
    /// learns of it when training goes on.
    pub fn extend_to(&mut self, iterations: u32) {
        self.config.iterations = iterations.max(self.config.iterations);
    }

    /// Reads configuration and manifest without locking the run.
    ///
    /// # Errors
    /// If it is no run or damaged.
    pub fn read(folder: &Path) -> Result<(RunConfig, Manifest), RunError> {
        if !Self::is_run(folder) {
            return Err(RunError::NotARun {
                path: folder.to_owned(),
            });
        }
        let path = folder.join(MANIFEST);
        let damaged = |expected: &str, got: String| RunError::Damaged {
            path: path.clone(),
            expected: expected.to_owned(),
            got,
        };
        let manifest: Manifest = serde_json::from_slice(&storage::read(&path)?)
            .map_err(|error| damaged("the manifest of a run", error.to_string()))?;
        if manifest.format != FORMAT || manifest.version != VERSION {
            return Err(damaged(
                &format!("{FORMAT} version {VERSION}"),
                format!("{} version {}", manifest.format, manifest.version),
            ));
        }
        let path = folder.join(CONFIG);
        let text = String::from_utf8_lossy(&storage::read(&path)?).into_owned();
        let config = RunConfig::from_toml(&text, &path.display().to_string())?;
        Ok((config, manifest))
    }

    /// The metrics of every finished round.
    ///
    /// # Errors
    /// If it is no run or damaged.
    pub fn read_metrics(folder: &Path) -> Result<Vec<RoundMetrics>, RunError> {
        let (_, manifest) = Self::read(folder)?;
        if manifest.metrics_bytes == 0 {
            return Ok(Vec::new());
        }
        let path = folder.join(METRICS);
        let bytes = storage::read(&path)?;
        let length = usize::try_from(manifest.metrics_bytes).unwrap_or(usize::MAX);
        let damaged = |expected: String, got: String| RunError::Damaged {
            path: path.clone(),
            expected,
            got,
        };
        let valid = bytes.get(..length).ok_or_else(|| {
            damaged(
                format!("at least {length} bytes"),
                format!("{} bytes", bytes.len()),
            )
        })?;
        valid
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| {
                serde_json::from_slice(line)
                    .map_err(|error| damaged("metrics of a round".to_owned(), error.to_string()))
            })
            .collect()
    }

    /// The policy of the latest checkpoint: its averaged weights.
    ///
    /// # Errors
    /// If it is no run or damaged.
    pub fn latest_policy(folder: &Path) -> Result<Policy, RunError> {
        let (config, manifest) = Self::read(folder)?;
        let weights = Learner::read_average(&checkpoint_path(folder, manifest.checkpoint))?;
        let summary = [
            ("checkpoint", json!(manifest.checkpoint)),
            ("games", json!(manifest.games)),
            ("steps", json!(manifest.steps)),
            ("config", json!(config)),
        ];
        let summary: Map<String, Value> = summary
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        let any = AnyGame::parse(&config.game)?;
        Ok(with_game!(&any, game => {
            Policy::new(game, &config.network, weights, summary)
        })?)
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

    /// Trains to the end of the configured iterations. A run that is at its end returns at once.
    ///
    /// # Errors
    /// If a file is damaged or cannot be written, or learning diverges; what is on disk stays
    /// valid, and the next call goes on from there.
    pub fn train(&mut self, workers: Workers, observer: &impl Observer) -> Result<(), RunError> {
        let any = AnyGame::parse(&self.config.game)?;
        with_game!(&any, game => self.train_game(game, workers, observer))
    }

    fn train_game<G: BoardGame>(
        &mut self,
        game: &G,
        workers: Workers,
        observer: &impl Observer,
    ) -> Result<(), RunError> {
        self.remove_leftovers()?;
        let mut learner = Learner::load(
            game,
            &self.config,
            &self.checkpoint_path(self.manifest.checkpoint),
        )?;
        let mut window = self.read_window(game)?;
        // Only now, when everything has been read and checked, is a file changed.
        self.write_config()?;
        while !self.is_finished() {
            self.round(game, &mut learner, &mut window, workers, observer)?;
        }
        Ok(())
    }

    /// Whether all games are played and learnt from.
    fn is_finished(&self) -> bool {
        self.manifest.is_finished(&self.config)
    }

    fn round<G: BoardGame>(
        &mut self,
        game: &G,
        learner: &mut Learner,
        window: &mut ReplayWindow,
        workers: Workers,
        observer: &impl Observer,
    ) -> Result<(), RunError> {
        let start = Instant::now();
        let round = self.manifest.checkpoint;
        let plays = self.manifest.rounds < self.config.iterations;
        let newest = self.manifest.shards.last().map_or(0, |shard| shard.round);
        let has_new_games = self.manifest.learnt_rounds < self.manifest.rounds;
        let n_steps = if !has_new_games || window.n_positions() == 0 {
            0
        } else {
            self.n_steps(window, newest)
        };
        let games = if plays {
            self.config.self_play.games
        } else {
            0
        };
        observer.round_started(round, games, n_steps);

        let network = Arc::new(learner.playing_network()?);
        let config = &self.config;
        let first_game = self.manifest.games;
        let (played, learnt) = std::thread::scope(|scope| {
            let self_play = plays.then(|| {
                scope.spawn(|| {
                    let start = Instant::now();
                    let batch = play_games(
                        game,
                        &config.self_play,
                        config.seed,
                        first_game,
                        workers,
                        &|| LeafEvaluator::new(Arc::clone(&network)),
                        &|| observer.game_finished(),
                    );
                    (batch, start.elapsed().as_secs_f64())
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

        let mut next = self.manifest.clone();
        next.checkpoint += 1;
        next.steps += n_steps;
        next.learnt_rounds = self.manifest.rounds;
        let mut self_play = None;
        if let Some((batch, seconds)) = played {
            let metrics = SelfPlayMetrics::of(&batch, seconds);
            self.write_shard(game, &batch.games, next.rounds)?;
            next.shards.push(ShardEntry {
                round: next.rounds,
                games: metrics.games,
                record_hash: metrics.record_hash.clone(),
            });
            next.rounds += 1;
            next.games += metrics.games;
            self_play = Some(metrics);
            window.extend(batch.games, self.config.learner.window_games);
        }
        drop_old_shards(&mut next.shards, self.config.learner.window_games);
        // A run of no iterations has nothing to learn from.
        learner.save(&self.checkpoint_path(next.checkpoint))?;
        let metrics = RoundMetrics {
            round,
            checkpoint: next.checkpoint,
            self_play,
            learning,
            seconds: start.elapsed().as_secs_f64(),
            weights_hash: format!("{:016x}", learner.average().hash()),
        };
        next.metrics_bytes = self.append_metrics(&metrics)?;
        self.manifest = next;
        self.write_manifest()?;
        self.remove_leftovers()?;
        observer.round_finished(&metrics);
        Ok(())
    }

    /// Gradient steps such that each position of the newest shard is drawn
    /// `samples_per_position` times, on average, while it stays in the window.
    fn n_steps(&self, window: &ReplayWindow, newest: u32) -> u64 {
        let new_games = self
            .manifest
            .shards
            .iter()
            .filter(|shard| shard.round == newest)
            .map(|shard| shard.games)
            .sum::<u64>();
        let new_positions =
            window.n_positions() as f64 * new_games as f64 / window.n_games().max(1) as f64;
        let learner = &self.config.learner;
        let draws = f64::from(learner.samples_per_position) * new_positions;
        (draws / learner.batch_size as f64).ceil() as u64
    }

    fn checkpoint_path(&self, checkpoint: u32) -> PathBuf {
        checkpoint_path(&self.folder, checkpoint)
    }

    fn shard_path(&self, round: u32) -> PathBuf {
        self.folder.join("replay").join(format!("{round:06}.shard"))
    }

    fn write_shard<G: Game>(
        &self,
        game: &G,
        games: &[GameRecord],
        round: u32,
    ) -> Result<(), StorageError> {
        let header = ShardHeader {
            game: game.spec(),
            rules_version: G::RULES_VERSION,
            iteration: round,
            n_games: games.len() as u64,
        };
        shard::write(&self.shard_path(round), &header, games)
    }

    fn read_window<G: BoardGame>(&self, game: &G) -> Result<ReplayWindow, RunError> {
        let mut window = ReplayWindow::default();
        for entry in &self.manifest.shards {
            let path = self.shard_path(entry.round);
            let (header, games) = shard::read(&path)?;
            let damaged = |expected: String, got: String| RunError::Damaged {
                path: path.clone(),
                expected,
                got,
            };
            let expected = (game.spec(), G::RULES_VERSION);
            if (&header.game, header.rules_version) != (&expected.0, expected.1) {
                return Err(damaged(
                    format!("games of {} rules {}", expected.0, expected.1),
                    format!("{} rules {}", header.game, header.rules_version),
                ));
            }
            let hash = record_hash(&games);
            if hash != entry.record_hash {
                return Err(damaged(
                    format!("games with hash {}", entry.record_hash),
                    hash,
                ));
            }
            for record in &games {
                record.verify(game).map_err(|error| RunError::Record {
                    path: path.clone(),
                    error,
                })?;
            }
            window.extend(games, self.config.learner.window_games);
        }
        Ok(window)
    }

    /// Appends a line and returns the file's length with it.
    fn append_metrics(&self, metrics: &RoundMetrics) -> Result<u64, StorageError> {
        let path = self.folder.join(METRICS);
        let append = || {
            let mut file = File::options().create(true).append(true).open(&path)?;
            // A line of a round that was killed before its manifest is dropped.
            file.set_len(self.manifest.metrics_bytes)?;
            let mut line = serde_json::to_vec(metrics)?;
            line.push(b'\n');
            file.write_all(&line)?;
            file.sync_all()?;
            Ok(self.manifest.metrics_bytes + line.len() as u64)
        };
        append().map_err(StorageError::of("write", &path))
    }

    fn write_config(&self) -> Result<(), StorageError> {
        storage::write_atomic(&self.folder.join(CONFIG), |out| {
            out.write_all(self.config.to_toml().as_bytes())
        })
    }

    fn write_manifest(&self) -> Result<(), StorageError> {
        storage::write_atomic(&self.folder.join(MANIFEST), |out| {
            let text = serde_json::to_string_pretty(&self.manifest)?;
            out.write_all(text.as_bytes())
        })
    }

    /// Deletes checkpoints beyond those kept, shards that left the window, and whatever a killed
    /// process left behind. The untrained checkpoint 0 stays, to compare with.
    fn remove_leftovers(&self) -> Result<(), StorageError> {
        let latest = self.manifest.checkpoint;
        let keep = u32::try_from(self.config.keep_checkpoints).unwrap_or(u32::MAX);
        remove_except(&self.folder.join("checkpoints"), |name| {
            let number = name.parse::<u32>();
            number.is_ok_and(|n| n == 0 || (n <= latest && n + keep > latest))
        })?;
        remove_except(&self.folder.join("replay"), |name| {
            let shards = &self.manifest.shards;
            shards
                .iter()
                .any(|entry| name == format!("{:06}.shard", entry.round))
        })?;
        Ok(())
    }
}

fn checkpoint_path(folder: &Path, checkpoint: u32) -> PathBuf {
    folder.join("checkpoints").join(format!("{checkpoint:06}"))
}

fn remove_except(folder: &Path, keep: impl Fn(&str) -> bool) -> Result<(), StorageError> {
    for entry in fs::read_dir(folder).map_err(StorageError::of("read", folder))? {
        let entry = entry.map_err(StorageError::of("read", folder))?;
        if keep(&entry.file_name().to_string_lossy()) {
            continue;
        }
        let path = entry.path();
        let removed = if path.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        removed.map_err(StorageError::of("remove", &path))?;
    }
    Ok(())
}

/// Drops the oldest shards that the window does not reach into.
fn drop_old_shards(shards: &mut Vec<ShardEntry>, window_games: u64) {
    let mut games: u64 = shards.iter().map(|shard| shard.games).sum();
    while let Some(oldest) = shards.first()
        && games - oldest.games >= window_games
    {
        games -= oldest.games;
        shards.remove(0);
    }
}

fn lock(folder: &Path) -> Result<File, RunError> {
    let path = folder.join("lock");
    let file = File::create(&path).map_err(StorageError::of("create", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunError::Locked {
            path: folder.to_owned(),
        }),
        Err(TryLockError::Error(error)) => Err(StorageError::of("lock", &path)(error).into()),
    }
}

/// The top-level fields, other than the number of iterations, in which two configurations
/// differ.
fn differences(ours: &RunConfig, theirs: &RunConfig) -> String {
    let as_map = |config: &RunConfig| match serde_json::to_value(config) {
        Ok(serde_json::Value::Object(map)) => map,
        _ => unreachable!("a configuration is a map"),
    };
    let (ours, theirs) = (as_map(ours), as_map(theirs));
    let differing: Vec<String> = ours
        .iter()
        .filter(|(field, value)| *field != "iterations" && theirs.get(*field) != Some(value))
        .map(|(field, value)| format!("{field}: {value}, asked for {}", theirs[field]))
        .collect();
    differing.join("; ")
}

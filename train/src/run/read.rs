//! Reading a run without training it.

use super::agent::Agent;
use super::folder::shard_path;
use super::manifest::{FORMAT, Header, MANIFEST, Manifest, VERSION};
use super::{CONFIG, EVALUATIONS, METRICS, RoundMetrics, Run, RunError};
use crate::config::RunConfig;
use crate::record::GameRecord;
use crate::shard;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::Path;
use tablero_models::storage::{self, StorageError};

impl Run {
    /// Whether `folder` is a run.
    #[must_use]
    pub fn is_run(folder: &Path) -> bool {
        Self::has_manifest(folder).unwrap_or(false)
    }

    /// The same, where a folder that cannot be looked at is no answer.
    pub(super) fn has_manifest(folder: &Path) -> Result<bool, StorageError> {
        Ok(look_at(&folder.join(MANIFEST))?.is_some_and(|found| found.is_file()))
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
        let bytes = storage::read(&path)?;
        let damaged_manifest =
            |error: serde_json::Error| damaged("the manifest of a run", error.to_string());
        let header: Header = serde_json::from_slice(&bytes).map_err(damaged_manifest)?;
        if header.format != FORMAT || header.version != VERSION {
            return Err(RunError::OtherVersion {
                path: folder.to_owned(),
                expected: format!("{FORMAT} version {VERSION}"),
                got: format!("{} version {}", header.format, header.version),
            });
        }
        let manifest: Manifest = serde_json::from_slice(&bytes).map_err(damaged_manifest)?;
        let path = folder.join(CONFIG);
        let text = String::from_utf8_lossy(&storage::read(&path)?).into_owned();
        let config = RunConfig::from_toml(&text, &path.display().to_string())?;
        Ok((config, manifest))
    }

    /// The metrics of every finished round, as far as `metrics.jsonl` still has them: lines that
    /// are damaged are left out, and of several of one checkpoint the last counts.
    ///
    /// # Errors
    /// If it is no run, or the file cannot be read.
    pub fn read_metrics(folder: &Path) -> Result<Vec<RoundMetrics>, RunError> {
        let (_, manifest) = Self::read(folder)?;
        // A round that was killed before its manifest is not finished.
        let bytes = read_if_there(&folder.join(METRICS))?;
        let rounds = whole_lines::<RoundMetrics>(&bytes)
            .filter(|round| round.checkpoint <= manifest.checkpoint)
            .map(|round| (round.checkpoint, round));
        Ok(rounds.collect::<BTreeMap<_, _>>().into_values().collect())
    }

    /// Keeps the result of a match or a ladder with the run of one of its players: a line of
    /// `evaluations.jsonl`. `folder` is the player's: a run or one of its checkpoints; `player`
    /// is its place among the players of the report, from 0.
    ///
    /// # Errors
    /// If it is no agent of a run, the run is damaged, or cannot be written.
    pub fn keep_evaluation(folder: &Path, player: usize, report: &Value) -> Result<(), RunError> {
        let agent = Agent::of_folder(folder)?;
        Self::keep_evaluation_of(&agent.run, agent.checkpoint, player, report)
    }

    /// The same of any checkpoint.
    pub(super) fn keep_evaluation_of(
        folder: &Path,
        checkpoint: u32,
        player: usize,
        report: &Value,
    ) -> Result<(), RunError> {
        let path = folder.join(EVALUATIONS);
        let line = json!({ "checkpoint": checkpoint, "player": player, "report": report });
        Ok(storage::append_line(&path, &line.to_string())?)
    }

    /// What [`keep_evaluation`](Run::keep_evaluation) kept, oldest first, without lines that are
    /// damaged.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read_evaluations(folder: &Path) -> Result<Vec<Value>, RunError> {
        let bytes = read_if_there(&folder.join(EVALUATIONS))?;
        Ok(whole_lines(&bytes).collect())
    }

    /// The games of the latest round; none before the first.
    ///
    /// # Errors
    /// If it is no run or damaged.
    pub fn read_latest_games(folder: &Path) -> Result<Vec<GameRecord>, RunError> {
        let (_, manifest) = Self::read(folder)?;
        match manifest.shards.last() {
            Some(entry) => Ok(shard::read(&shard_path(folder, entry.round))?.1),
            None => Ok(Vec::new()),
        }
    }
}

/// A whole file; nothing if there is none. One that cannot be looked at is no missing one.
fn read_if_there(path: &Path) -> Result<Vec<u8>, StorageError> {
    match storage::read(path) {
        Err(error) if error.source.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

/// The values of the lines that hold one each.
fn whole_lines<T: DeserializeOwned>(bytes: &[u8]) -> impl Iterator<Item = T> {
    let lines = bytes.split(|&byte| byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok())
}

/// What stands at a path, if anything does.
pub(super) fn look_at(path: &Path) -> Result<Option<Metadata>, StorageError> {
    match path.metadata() {
        Ok(found) => Ok(Some(found)),
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
            _ => Err(StorageError::of("read", path)(error)),
        },
    }
}

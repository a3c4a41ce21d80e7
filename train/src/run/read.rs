//! Reading a run without training it.

use super::agent::Agent;
use super::folder::shard_path;
use super::manifest::{FORMAT, Header, MANIFEST, Manifest, VERSION};
use super::{CONFIG, EVALUATIONS, METRICS, RoundMetrics, Run, RunError};
use crate::config::RunConfig;
use crate::record::GameRecord;
use crate::shard;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use tablero_models::storage::{self, StorageError};

impl Run {
    /// Whether `folder` is a run.
    #[must_use]
    pub fn is_run(folder: &Path) -> bool {
        folder.join(MANIFEST).is_file()
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
        let append = || {
            let mut file = File::options()
                .create(true)
                .read(true)
                .append(true)
                .open(&path)?;
            let mut before = Vec::new();
            file.read_to_end(&mut before)?;
            file.set_len(whole_lines(&before).len() as u64)?;
            // One write: lines of several processes do not mix.
            file.write_all(format!("{line}\n").as_bytes())
        };
        append().map_err(StorageError::of("write", &path))?;
        Ok(())
    }

    /// What [`keep_evaluation`](Run::keep_evaluation) kept, oldest first.
    ///
    /// # Errors
    /// If the file cannot be read or holds something else.
    pub fn read_evaluations(folder: &Path) -> Result<Vec<Value>, RunError> {
        let path = folder.join(EVALUATIONS);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let bytes = storage::read(&path)?;
        let lines = whole_lines(&bytes).split(|&byte| byte == b'\n');
        lines
            .filter(|line| !line.is_empty())
            .map(|line| {
                serde_json::from_slice(line).map_err(|error| RunError::Damaged {
                    path: path.clone(),
                    expected: "an evaluation a line".to_owned(),
                    got: error.to_string(),
                })
            })
            .collect()
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

/// Without a last line that a kill has cut off.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    &bytes[..end.map_or(0, |end| end + 1)]
}

//! Reading a run without training it.

use super::manifest::{FORMAT, MANIFEST, Manifest, VERSION};
use super::{CONFIG, METRICS, RoundMetrics, Run, RunError, checkpoint_path};
use crate::config::RunConfig;
use crate::learner::Learner;
use crate::storage;
use serde_json::{Map, Value, json};
use std::path::Path;
use tablero_env::{AnyGame, with_game};
use tablero_models::Policy;

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
}

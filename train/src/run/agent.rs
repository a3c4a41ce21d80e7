//! The agents of a run: the policies of its checkpoints.

use super::folder::{POLICY, checkpoint_path, numbered};
use super::{Manifest, Run, RunError};
use crate::learner::Learner;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use tablero_env::BoardGame;
use tablero_models::Policy;
use tablero_models::storage::StorageError;

/// An agent of a run.
pub(super) struct Agent {
    pub run: PathBuf,
    pub checkpoint: u32,
}

/// The run and the number, if `folder` has the name and the place of a checkpoint.
fn as_checkpoint(folder: &Path) -> Result<Option<(PathBuf, u32)>, StorageError> {
    let place = || {
        let folder = std::path::absolute(folder).ok()?;
        let number = numbered(folder.file_name()?.to_str()?, "")?;
        let run = folder.parent()?.parent()?.to_owned();
        (checkpoint_path(&run, number) == folder).then_some((run, number))
    };
    let Some((run, number)) = place() else {
        return Ok(None);
    };
    Ok(Run::has_manifest(&run)?.then_some((run, number)))
}

impl Agent {
    /// The agent that `folder` stands for: that of a checkpoint, or the one that plays.
    pub fn of_folder(folder: &Path) -> Result<Agent, RunError> {
        let Some((run, checkpoint)) = as_checkpoint(folder)? else {
            let (_, manifest) = Run::read(folder)?;
            return Ok(Agent {
                run: folder.to_owned(),
                checkpoint: manifest.checkpoint,
            });
        };
        let (_, manifest) = Run::read(&run)?;
        if checkpoint > manifest.checkpoint || !folder.is_dir() {
            return Err(RunError::NoCheckpoint {
                path: folder.to_owned(),
                latest: manifest.checkpoint,
            });
        }
        Ok(Agent { run, checkpoint })
    }
}

impl Run {
    /// Whether `folder` stands for an agent of a run: it is a run, or has the place of one of its
    /// checkpoints.
    ///
    /// # Errors
    /// If the folder cannot be looked at.
    pub fn is_agent(folder: &Path) -> Result<bool, RunError> {
        Ok(Self::has_manifest(folder)? || as_checkpoint(folder)?.is_some())
    }

    /// Writes the policy that plays, if it is not there yet.
    pub(super) fn write_policy(&self) -> Result<(), RunError> {
        let folder = self.folder.join(POLICY);
        let latest = json!(self.manifest.checkpoint);
        let is_there = Policy::is_policy(&folder)
            && Policy::load(&folder)?.manifest.training.get("checkpoint") == Some(&latest);
        if !is_there {
            let checkpoint = self.checkpoint_path(self.manifest.checkpoint);
            Policy::load(checkpoint)?.save(folder)?;
        }
        Ok(())
    }

    /// The learner's average as a policy that searches as the run's agents play.
    pub(super) fn policy_of<G: BoardGame>(
        &self,
        game: &G,
        learner: &Learner,
        manifest: &Manifest,
    ) -> Result<Policy, RunError> {
        let config = &self.config;
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
        let (search, weights) = (config.search_in_play()?, learner.average().clone());
        Ok(Policy::new(
            game,
            &config.network,
            weights,
            search,
            summary,
        )?)
    }
}

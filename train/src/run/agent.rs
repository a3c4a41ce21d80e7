//! The agents of a run: its checkpoints.

use super::folder::numbered;
use super::{Run, RunError, checkpoint_path};
use crate::learner::Learner;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use tablero_env::{AnyGame, with_game};
use tablero_models::Policy;

/// An agent of a run.
pub(super) struct Agent {
    pub run: PathBuf,
    pub checkpoint: u32,
}

/// The run and the number, if `folder` has the name and the place of a checkpoint.
fn as_checkpoint(folder: &Path) -> Option<(PathBuf, u32)> {
    let folder = std::path::absolute(folder).ok()?;
    let number = numbered(folder.file_name()?.to_str()?, "")?;
    let run = folder.parent()?.parent()?;
    let is_its_place = checkpoint_path(run, number) == folder;
    (is_its_place && Run::is_run(run)).then(|| (run.to_owned(), number))
}

impl Agent {
    /// The agent that `folder` stands for, as in [`Run::policy`].
    pub fn of_folder(folder: &Path) -> Result<Agent, RunError> {
        let Some((run, checkpoint)) = as_checkpoint(folder) else {
            let (_, manifest) = Run::read(folder)?;
            return Ok(Agent {
                run: folder.to_owned(),
                checkpoint: manifest.playing,
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
    #[must_use]
    pub fn is_agent(folder: &Path) -> bool {
        Self::is_run(folder) || as_checkpoint(folder).is_some()
    }

    /// The policy of a checkpoint, with its averaged weights: of that in `folder`, such as
    /// `RUN/checkpoints/000012`, or, where that is a run, of the one that plays, which is the latest
    /// but for a gate.
    ///
    /// # Errors
    /// If it is neither, was deleted, or is damaged.
    pub fn policy(folder: &Path) -> Result<Policy, RunError> {
        let Agent { run, checkpoint } = Agent::of_folder(folder)?;
        let (config, _) = Self::read(&run)?;
        let weights = Learner::read_average(&checkpoint_path(&run, checkpoint))?;
        let mut metrics = Self::read_metrics(&run)?;
        metrics.retain(|round| round.checkpoint <= checkpoint);
        let n_played = metrics.iter().filter(|round| round.self_play.is_some());
        let learnt = metrics.iter().filter_map(|round| round.learning.as_ref());
        let summary = [
            ("checkpoint", json!(checkpoint)),
            (
                "games",
                json!(n_played.count() as u64 * config.self_play.games),
            ),
            ("steps", json!(learnt.map(|l| l.steps).sum::<u64>())),
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

//! What is valid in a run's folder.

use crate::config::RunConfig;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use tablero_models::InstructionSet;

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const FORMAT: &str = "tablero-run";
pub(super) const VERSION: u32 = 4;

/// The part of a manifest that says whether the rest can be read.
#[derive(Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) version: u32,
}

/// What is valid in a run's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    pub(super) format: String,
    pub(super) version: u32,
    /// Number of the latest checkpoint, which plays: how many rounds of learning led to it.
    pub checkpoint: u32,
    /// Rounds of self-play on disk.
    pub rounds: u32,
    /// How many of the first rounds take games that other runs played.
    #[serde(default)]
    pub given_rounds: u32,
    /// Rounds of self-play that have been learnt from.
    pub learnt_rounds: u32,
    /// Games begun since the start: the number of the next one. Forks share the number of the game
    /// that they leave.
    pub games: u64,
    /// Leaves that self-play has evaluated since the start.
    #[serde(default)]
    pub evaluations: u64,
    /// Gradient steps since the start.
    pub steps: u64,
    /// The shards that make up the window, oldest first.
    pub shards: Vec<ShardEntry>,
    /// The configuration that made all this, to notice a file that was edited since; none in runs of
    /// earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) config: Option<Value>,
    /// What calculated last; none in runs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) machine: Option<Machine>,
}

/// What beside seed and configuration decides the bits of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Tablero's version.
    pub version: String,
    /// The instruction set by which networks are evaluated, as `tablero doctor` names it.
    pub instructions: String,
}

impl Machine {
    /// This program on this processor.
    pub(super) fn here() -> Machine {
        Machine {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: format!("{:?}", InstructionSet::best()),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {} with {}", self.version, self.instructions)
    }
}

/// A shard that a manifest counts on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardEntry {
    /// The round that played it.
    pub round: u32,
    /// Its games.
    pub games: u64,
    /// [`record_hash`](crate::record::record_hash) of its games.
    pub record_hash: String,
}

impl Manifest {
    /// Whether every game that the configuration asks for is played and learnt from.
    #[must_use]
    pub fn is_finished(&self, config: &RunConfig) -> bool {
        self.is_played(config) && self.learnt_rounds >= self.rounds
    }

    /// Whether every game that the configuration asks for is played.
    pub(super) fn is_played(&self, config: &RunConfig) -> bool {
        let enough = |evaluations| self.evaluations >= evaluations;
        self.rounds >= config.rounds || config.evaluations.is_some_and(enough)
    }

    /// Where the run was trained last; `None` before its first round.
    #[must_use]
    pub fn machine(&self) -> Option<&Machine> {
        self.machine.as_ref()
    }

    /// What is played of what the configuration asks for, in words.
    #[must_use]
    pub fn played(&self, config: &RunConfig) -> String {
        match config.evaluations {
            Some(evaluations) => format!(
                "{} rounds, {} of {evaluations} evaluations",
                self.rounds, self.evaluations
            ),
            None => format!("{} of {} rounds", self.rounds, config.rounds),
        }
    }

    /// The rounds that are left to play; where evaluations end the run, at the pace of those played.
    #[must_use]
    pub fn rounds_left(&self, config: &RunConfig) -> f64 {
        let by_rounds = f64::from(config.rounds.saturating_sub(self.rounds));
        let Some(evaluations) = config.evaluations else {
            return by_rounds;
        };
        let left = evaluations.saturating_sub(self.evaluations) as f64;
        let a_round = self.evaluations as f64 / f64::from(self.rounds.max(1));
        by_rounds.min(left / a_round.max(1.0))
    }

    /// How far the run has come, from 0 to 1.
    pub(super) fn progress(&self, config: &RunConfig) -> f64 {
        match config.evaluations {
            Some(evaluations) => self.evaluations as f64 / evaluations as f64,
            None => f64::from(self.checkpoint) / f64::from(config.rounds.max(1)),
        }
    }
}

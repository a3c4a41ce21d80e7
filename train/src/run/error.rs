//! Why a run cannot be started, read or continued.

use super::manifest::MANIFEST;
use crate::config::ConfigError;
use crate::learner::LearnError;
use crate::record::RecordError;
use crate::self_play::ActorError;
use crate::shard::ShardError;
use std::path::PathBuf;
use tablero_agents::memory::NotEnoughMemory;
use tablero_agents::{AgentError, PlayerError};
use tablero_env::SpecError;
use tablero_models::storage::StorageError;
use tablero_models::{PolicyError, WeightsError};

/// Why a run cannot be started, read or continued.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file operation.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The game named in the configuration.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// A replay shard.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A game in a shard that does not replay.
    #[error("{}: {error}", path.display())]
    Record {
        /// The shard.
        path: PathBuf,
        /// What is wrong.
        error: RecordError,
    },
    /// Actors that did not play.
    #[error("self-play: {0}")]
    Actors(#[from] ActorError),
    /// The settings need more memory than there is.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// Learning.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The network cannot be made from its weights.
    #[error(transparent)]
    Network(#[from] WeightsError),
    /// A player of a match on the way.
    #[error("evaluation: {0}")]
    Player(Box<PlayerError>),
    /// A match on the way that a player broke off.
    #[error("evaluation: {0}")]
    Match(#[from] AgentError),
    /// Making a policy.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The agent to start from cannot be loaded.
    #[error("start_from: {0}")]
    Start(Box<PlayerError>),
    /// The agent to start from does not have this run's network, or sees the game otherwise.
    #[error("start_from: expected an agent with {expected}, got one with {got}")]
    OtherStart {
        /// This run's.
        expected: String,
        /// The agent's.
        got: String,
    },
    /// The weights to start from do not fit this run's network.
    #[error("start_from: {0}")]
    StartWeights(WeightsError),
    /// The run to take games from played another game.
    #[error("games_from: {}: expected games of {expected}, got {got}", path.display())]
    OtherGames {
        /// The other run.
        path: PathBuf,
        /// This run's game.
        expected: String,
        /// The other run's.
        got: String,
    },
    /// The folder is no run.
    #[error("{} is not a training run: it has no {MANIFEST}", path.display())]
    NotARun {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds other files.
    #[error(
        "{} is not empty and not a training run: it contains {entry}, which is left alone; choose a new \
         folder", path.display()
    )]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// What no run has written, within the folder.
        entry: String,
    },
    /// Something stands where the run writes and deletes its own.
    #[error(
        "{} does not belong to the run, which would delete it because of its name: move it elsewhere",
        path.display()
    )]
    Foreign {
        /// The file or folder.
        path: PathBuf,
    },
    /// A part of the run is a link.
    #[error(
        "{} is a link, which a run does not follow: replace it by the file or folder itself", path.display()
    )]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// An opponent of the configuration starts a process, which nobody has allowed.
    #[error(
        "evaluation: the opponent {player} starts another program: look at the command, and allow it \
         with --allow-commands, in Python with allow_commands=True"
    )]
    Command {
        /// The player.
        player: String,
    },
    /// The configuration in the run's folder is not the one that it was started with.
    #[error(
        "{} was edited since the run was started ({differences}): undo the edit, or use the file \
         to start a new run in another folder", path.display()
    )]
    EditedRun {
        /// The file.
        path: PathBuf,
        /// Fields that differ.
        differences: String,
    },
    /// The number of rounds is to change in a file that somebody has edited.
    #[error(
        "{} was edited and is left alone: set rounds = {rounds} in it to train that far",
        path.display()
    )]
    EditedConfig {
        /// The file.
        path: PathBuf,
        /// The rounds asked for.
        rounds: u32,
    },
    /// The run was made with other settings.
    #[error(
        "{} was started with another configuration ({differences}); choose a new folder, or \
         leave the settings out to resume it", path.display()
    )]
    OtherConfig {
        /// The run.
        path: PathBuf,
        /// Fields that differ.
        differences: String,
    },
    /// A checkpoint that was deleted or not made yet.
    #[error(
        "{} does not exist: the run's latest checkpoint is {latest}, and only its last \
         keep_checkpoints are kept", path.display()
    )]
    NoCheckpoint {
        /// Where it should be.
        path: PathBuf,
        /// The number of the latest.
        latest: u32,
    },
    /// Fewer rounds than are done.
    #[error(
        "{}: {done} rounds are done, expected at least that number, got {got}; earlier agents are in {}",
        path.display(), path.join("checkpoints").display()
    )]
    TooFewRounds {
        /// The run.
        path: PathBuf,
        /// The rounds that are done.
        done: u32,
        /// The rounds asked for.
        got: u32,
    },
    /// Another version of Tablero made the run.
    #[error(
        "{} is a run of another version: expected {expected}, got {got}; train again in another \
         folder: tablero train", path.display()
    )]
    OtherVersion {
        /// The run.
        path: PathBuf,
        /// What this version writes.
        expected: String,
        /// What is there.
        got: String,
    },
    /// A file does not hold what the manifest says.
    #[error("{}: expected {expected}, got {got}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What should be there.
        expected: String,
        /// What is there.
        got: String,
    },
    /// Another process trains this run.
    #[error("{} is being trained by another process", path.display())]
    Locked {
        /// The run.
        path: PathBuf,
    },
}

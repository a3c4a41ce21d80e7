use crate::WeightsError;
use crate::storage::StorageError;
use std::path::PathBuf;
use tablero_env::SpecError;

/// A policy directory that cannot be read or written, is damaged, or is of another kind.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// A file that cannot be read or written; what was there before is unchanged.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The directory to be written exists and holds something else.
    #[error(
        "{} {found}: it is left alone; choose another folder, or move the contents elsewhere",
        directory.display()
    )]
    Occupied {
        /// The directory.
        directory: PathBuf,
        /// What is there.
        found: String,
    },
    /// The file is no JSON of the expected form.
    #[error("{}: {source}", file.display())]
    Json {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        source: serde_json::Error,
    },
    /// The policy is for another game, other rules, or another program.
    #[error(
        "the policy does not match: expected {what} {expected}, got {got}; use a bundled policy (zoo), \
         or train again with this version: tablero train"
    )]
    Foreign {
        /// What differs.
        what: &'static str,
        /// What this program has.
        expected: String,
        /// What the policy says.
        got: String,
    },
    /// This program does not know the game.
    #[error("the policy is for an unknown game: {0}")]
    Game(#[from] SpecError),
    /// The file is not the one that was written.
    #[error("{} is damaged: expected {expected}, got {got}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// Its length and checksum when it was written.
        expected: String,
        /// Those that it has.
        got: String,
    },
    /// The weights are not those of the network.
    #[error("{}: {source}", file.display())]
    Weights {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        source: WeightsError,
    },
    /// The game or the network says something else about a golden position than when the policy
    /// was written.
    #[error("golden position {position}: {what}: expected {expected}, got {got}")]
    Golden {
        /// The number of the position in `golden.json`, from 0.
        position: usize,
        /// What differs.
        what: &'static str,
        /// What `golden.json` says.
        expected: String,
        /// What this program says.
        got: String,
    },
}

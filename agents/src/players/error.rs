use super::PLAYER_FORMS;
use crate::uhp::ClientError;
use std::fs;
use std::path::{Path, PathBuf};
use tablero_minimax::SolveError;
use tablero_models::{OverlayError, PolicyError, WeightsError, ZOO};

/// A player that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// No policy for the game comes with Tablero.
    #[error(
        "there is no bundled policy for {game}, only for: {}; train your own: tablero train",
        zoo_games()
    )]
    NotInZoo {
        /// The game to be played.
        game: String,
    },
    /// There is no policy and no run.
    #[error(
        "{} is neither a training run of this version nor a policy directory: it has no policy.json \
         and no policy/policy.json; a run of an earlier version cannot be read: train again (tablero \
         train), or use a bundled policy (zoo)",
        directory.display()
    )]
    NoAgent {
        /// Where it should be.
        directory: PathBuf,
    },
    /// There is no such folder.
    #[error("there is no folder {}{}", directory.display(), beside(directory))]
    NoFolder {
        /// Where it should be.
        directory: PathBuf,
    },
    /// The text is not a player.
    #[error("not a player: {got:?}: {reason}; expected {PLAYER_FORMS}")]
    Syntax {
        /// The text.
        got: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An option of the player that cannot be taken.
    #[error(transparent)]
    Option(#[from] OverlayError),
    /// An engine speaks of another game.
    #[error("uhp engines play hive, not {game}")]
    NotHive {
        /// The game to be played.
        game: String,
    },
    /// An engine does not start, or does not introduce itself.
    #[error("the engine {command:?}: {error}")]
    Engine {
        /// Its command.
        command: String,
        /// Why not.
        error: ClientError,
    },
    /// A player of the program's own does not play the game, or cannot be made.
    #[error("the player {player:?}: {reason}")]
    Own {
        /// Its name.
        player: String,
        /// Why not.
        reason: String,
    },
    /// The player gives moves without reasons.
    #[error("{player} cannot analyse a position; expected mcts, policy, minimax or solver")]
    NoAnalyst {
        /// The player.
        player: String,
    },
    /// The board is beyond the exact solver.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// The policy cannot be loaded, or belongs to another game.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The policy's weights are not those of its network.
    #[error(transparent)]
    Network(#[from] WeightsError),
}

/// The games for which a policy comes with Tablero.
fn zoo_games() -> String {
    let games: Vec<&str> = ZOO.iter().map(|entry| entry.game).collect();
    games.join(", ")
}

/// Names what is there instead, such as the checkpoints that a run has kept.
fn beside(directory: &Path) -> String {
    let Some(parent) = directory.parent().filter(|parent| parent.is_dir()) else {
        return String::new();
    };
    let mut names: Vec<String> = fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    match &names[..] {
        [] => String::new(),
        names => format!("; in {} there are: {}", parent.display(), names.join(", ")),
    }
}

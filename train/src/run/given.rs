//! Games of other runs, from which a run learns before it plays games of its own: so a larger
//! network takes over what a smaller one has played.
//!
//! The run keeps copies until their rounds have come, as the other runs may go on or go away.

use super::folder::{GIVEN, SHARD, read_entry, read_games, write_shard};
use super::{Run, RunError};
use crate::record::GameRecord;
use std::fs;
use std::path::{Path, PathBuf};
use tablero_env::{AnyGame, BoardGame};
use tablero_models::storage::StorageError;

/// Copies the games that other runs still have, a shard for each of their rounds, and says how
/// many shards there are.
pub(super) fn copy<G: BoardGame>(
    game: &G,
    sources: &[PathBuf],
    folder: &Path,
) -> Result<u32, RunError> {
    if sources.is_empty() {
        return Ok(0);
    }
    let target = folder.join(GIVEN);
    fs::create_dir_all(&target).map_err(StorageError::of("create", &target))?;
    let mut n_copied = 0;
    for source in sources {
        let (config, manifest) = Run::read(source)?;
        // A configuration may leave parameters out.
        let theirs = AnyGame::parse(&config.game)?.spec();
        if theirs != game.spec() {
            return Err(RunError::OtherGames {
                path: source.clone(),
                expected: game.spec(),
                got: theirs,
            });
        }
        for entry in &manifest.shards {
            let games = read_entry(game, source, entry)?;
            write_shard(game, &shard_path(folder, n_copied), n_copied, &games)?;
            n_copied += 1;
        }
    }
    Ok(n_copied)
}

/// The games that are given for a round of a run.
pub(super) fn of_round<G: BoardGame>(
    game: &G,
    folder: &Path,
    round: u32,
) -> Result<Vec<GameRecord>, RunError> {
    read_games(game, &shard_path(folder, round))
}

fn shard_path(folder: &Path, round: u32) -> PathBuf {
    folder.join(GIVEN).join(format!("{round:06}{SHARD}"))
}

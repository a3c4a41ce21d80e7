//! What a run writes into its folder, reads back, and clears away.

use super::manifest::{MANIFEST, ShardEntry};
use super::{CONFIG, METRICS, RoundMetrics, Run, RunError};
use crate::config::RunConfig;
use crate::record::{GameRecord, record_hash};
use crate::replay::ReplayWindow;
use crate::shard::{self, ShardHeader};
use std::fs;
use std::path::{Path, PathBuf};
use tablero_env::{BoardGame, Game};
use tablero_models::Policy;
use tablero_models::storage::{self, StorageError, without_aside};

pub(super) const SHARD: &str = ".shard";
/// The folder of the policy that plays.
pub(super) const POLICY: &str = "policy";
/// The folder of the copies of other runs' games.
pub(super) const GIVEN: &str = "given";

impl Run {
    pub(super) fn checkpoint_path(&self, checkpoint: u32) -> PathBuf {
        checkpoint_path(&self.folder, checkpoint)
    }

    pub(super) fn shard_path(&self, round: u32) -> PathBuf {
        shard_path(&self.folder, round)
    }

    pub(super) fn read_window<G: BoardGame>(&self, game: &G) -> Result<ReplayWindow, RunError> {
        let mut window = ReplayWindow::default();
        for entry in &self.manifest.shards {
            let games = read_entry(game, &self.folder, entry)?;
            window.push(games, self.manifest.shards.len());
        }
        Ok(window)
    }

    /// Appends a line. It takes the place of an earlier one of its checkpoint: see
    /// [`read_metrics`](Run::read_metrics).
    pub(super) fn append_metrics(&self, metrics: &RoundMetrics) -> Result<(), StorageError> {
        let line = serde_json::to_string(metrics).expect("plain data");
        storage::append_line(&self.folder.join(METRICS), &line)
    }

    /// Writes the metrics of a round again if it has warnings, which came later.
    pub(super) fn keep_warnings(&self, metrics: &RoundMetrics) -> Result<(), StorageError> {
        if metrics.warnings.is_empty() {
            return Ok(());
        }
        self.append_metrics(metrics)
    }

    pub(super) fn write_config(&self) -> Result<(), StorageError> {
        storage::write_atomic(&self.folder.join(CONFIG), |out| {
            out.write_all(self.config.to_toml().as_bytes())
        })
    }

    pub(super) fn write_manifest(&self) -> Result<(), StorageError> {
        storage::write_atomic(&self.folder.join(MANIFEST), |out| {
            let text = serde_json::to_string_pretty(&self.manifest)?;
            out.write_all(text.as_bytes())
        })
    }

    /// Writes a configuration that was changed since it was read, unless somebody has edited the file:
    /// their notes are not overwritten.
    pub(super) fn update_config(&self) -> Result<(), RunError> {
        let path = self.folder.join(CONFIG);
        let text = String::from_utf8_lossy(&storage::read(&path)?).into_owned();
        let there = RunConfig::from_toml(&text, &path.display().to_string())?;
        if there.to_toml() == self.config.to_toml() {
            return Ok(());
        }
        if there.to_toml() != text {
            return Err(RunError::EditedConfig {
                path,
                rounds: self.config.rounds,
            });
        }
        Ok(self.write_config()?)
    }

    /// Checks that what [`remove_leftovers`](Run::remove_leftovers) would delete is a run's.
    pub(super) fn check_leftovers(&self) -> Result<(), RunError> {
        match self.leftovers()?.into_iter().find(|path| !is_own(path)) {
            None => Ok(()),
            Some(path) => Err(RunError::Foreign { path }),
        }
    }

    /// Deletes checkpoints beyond those kept, shards that left the window, and what a killed
    /// process left behind; nothing that a run would not have written. The untrained checkpoint
    /// 0 stays, to compare with, and the one that plays.
    pub(super) fn remove_leftovers(&self) -> Result<(), StorageError> {
        storage::clear_leftovers(&self.folder.join(POLICY))?;
        for path in self.leftovers()?.iter().filter(|path| is_own(path)) {
            if path.is_dir() {
                storage::remove_folder(path)?;
            } else {
                fs::remove_file(path).map_err(StorageError::of("remove", path))?;
            }
        }
        Ok(())
    }

    /// Everything that has the name of a checkpoint or a shard and is not to be kept.
    fn leftovers(&self) -> Result<Vec<PathBuf>, StorageError> {
        let latest = self.manifest.checkpoint;
        let keep = u32::try_from(self.config.keep_checkpoints).unwrap_or(u32::MAX);
        let mut leftovers = numbered_except(&self.folder.join("checkpoints"), "", |n| {
            n == 0 || (n <= latest && n.saturating_add(keep) > latest)
        })?;
        leftovers.extend(numbered_except(&self.folder.join("replay"), SHARD, |n| {
            self.manifest.shards.iter().any(|entry| entry.round == n)
        })?);
        let to_come = self.manifest.rounds..self.manifest.given_rounds;
        leftovers.extend(given_except(&self.folder, |n| to_come.contains(&n))?);
        Ok(leftovers)
    }
}

pub(super) fn checkpoint_path(folder: &Path, checkpoint: u32) -> PathBuf {
    folder.join("checkpoints").join(format!("{checkpoint:06}"))
}

pub(super) fn shard_path(folder: &Path, round: u32) -> PathBuf {
    folder.join("replay").join(format!("{round:06}{SHARD}"))
}

/// Writes the games of a round.
pub(super) fn write_shard<G: Game>(
    game: &G,
    path: &Path,
    round: u32,
    games: &[GameRecord],
) -> Result<(), StorageError> {
    let header = ShardHeader {
        game: game.spec(),
        rules_version: game.rules_version(),
        round,
        n_games: games.len() as u64,
    };
    shard::write(path, &header, games)
}

/// Reads the games of a shard and checks that they are games of these rules.
pub(super) fn read_games<G: BoardGame>(game: &G, path: &Path) -> Result<Vec<GameRecord>, RunError> {
    let (header, games) = shard::read(path)?;
    let expected = (game.spec(), game.rules_version());
    if (&header.game, header.rules_version) != (&expected.0, expected.1) {
        return Err(RunError::Damaged {
            path: path.to_owned(),
            expected: format!("games of {} rules {}", expected.0, expected.1),
            got: format!("{} rules {}", header.game, header.rules_version),
        });
    }
    for record in &games {
        record.verify(game).map_err(|error| RunError::Record {
            path: path.to_owned(),
            error,
        })?;
    }
    Ok(games)
}

/// The same for a shard of the window of the run in `folder`, which has to hold the games that the
/// manifest counts on.
pub(super) fn read_entry<G: BoardGame>(
    game: &G,
    folder: &Path,
    entry: &ShardEntry,
) -> Result<Vec<GameRecord>, RunError> {
    let path = shard_path(folder, entry.round);
    let games = read_games(game, &path)?;
    let hash = record_hash(&games);
    if hash == entry.record_hash {
        return Ok(games);
    }
    Err(RunError::Damaged {
        path,
        expected: format!("games with hash {}", entry.record_hash),
        got: hash,
    })
}

/// Whether a checkpoint's folder or a shard is one, whatever its name says: of a run, and nothing
/// beside it. What was written aside is.
pub(super) fn is_own(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if without_aside(&name) != name {
        return true;
    }
    match path.is_dir() {
        true => Policy::check_vacant(path).is_ok(),
        false => shard::is_shard(path),
    }
}

/// What stands in `folder` under a number that is not kept: names of six digits and `ending`; and
/// all that was written aside.
pub(super) fn numbered_except(
    folder: &Path,
    ending: &str,
    keep: impl Fn(u32) -> bool,
) -> Result<Vec<PathBuf>, StorageError> {
    let mut others = Vec::new();
    for entry in fs::read_dir(folder).map_err(StorageError::of("read", folder))? {
        let entry = entry.map_err(StorageError::of("read", folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let whole = without_aside(&name);
        let Some(number) = numbered(whole, ending) else {
            continue;
        };
        if whole != name || !keep(number) {
            others.push(entry.path());
        }
    }
    others.sort();
    Ok(others)
}

/// The number in a name of at least six digits and `ending`.
pub(super) fn numbered(name: &str, ending: &str) -> Option<u32> {
    let digits = name.strip_suffix(ending)?;
    (digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| digits.parse().ok())?
}

/// Drops the oldest shards that the window does not reach into.
pub(super) fn drop_old_shards(shards: &mut Vec<ShardEntry>, window_games: u64) {
    let mut games: u64 = shards.iter().map(|shard| shard.games).sum();
    while let Some(oldest) = shards.first()
        && games - oldest.games >= window_games
    {
        games -= oldest.games;
        shards.remove(0);
    }
}

/// The copies of other runs' games but for those that `keep` names.
fn given_except(folder: &Path, keep: impl Fn(u32) -> bool) -> Result<Vec<PathBuf>, StorageError> {
    let folder = folder.join(GIVEN);
    if !folder.exists() {
        return Ok(Vec::new());
    }
    numbered_except(&folder, SHARD, keep)
}

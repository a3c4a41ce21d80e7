//! Training runs of a folder, while they train.

use crate::error::Refusal;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tablero_train::record::GameRecord;
use tablero_train::run::{Manifest, RoundMetrics, advice};
use tablero_train::{Run, RunConfig, RunError};

/// Games of the newest round that are sent.
const N_GAMES: usize = 24;
/// Rounds that are sent: of more, evenly spread ones.
const MOST_ROUNDS: usize = 600;

/// The runs, each by the number of its folder in the order in which they were found.
pub(crate) struct Runs {
    root: PathBuf,
    found: Mutex<Vec<PathBuf>>,
}

impl Runs {
    pub(crate) fn new(root: PathBuf) -> Runs {
        Runs {
            root,
            found: Mutex::default(),
        }
    }

    /// Looks for runs: the folder itself, or those in it, by name.
    fn look(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = std::fs::read_dir(&self.root)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| Run::is_run(path))
            .collect();
        if Run::is_run(&self.root) {
            folders.push(self.root.clone());
        }
        folders.sort();
        let mut found = self.found.lock().unwrap_or_else(|lock| lock.into_inner());
        for folder in folders {
            if !found.contains(&folder) {
                found.push(folder);
            }
        }
        found.clone()
    }

    /// The folder of a run.
    pub(crate) fn folder(&self, id: usize) -> Option<PathBuf> {
        let found = self.found.lock().unwrap_or_else(|lock| lock.into_inner());
        found.get(id).cloned()
    }

    /// The runs of a game that can play, by id and name.
    pub(crate) fn policies(&self, game: &str) -> Vec<(usize, String)> {
        let runs = self.look().into_iter().enumerate();
        let of_game = runs.filter_map(|(id, folder)| {
            let (config, manifest) = Run::read(&folder).ok()?;
            let can_play = config.game == game && manifest.checkpoint > 0;
            can_play.then(|| (id, name(&folder)))
        });
        of_game.collect()
    }

    /// All runs, each with how far it has come.
    pub(crate) fn list(&self) -> Value {
        let runs = self.look().into_iter().enumerate();
        let list = runs.map(|(id, folder)| match Run::read(&folder) {
            Ok((config, manifest)) => json!({
                "id": id,
                "name": name(&folder),
                "game": config.game,
                "played": manifest.played(&config),
                "games": manifest.games,
                "steps": manifest.steps,
                "finished": manifest.is_finished(&config),
            }),
            Err(error) => json!({ "id": id, "name": name(&folder), "error": error.to_string() }),
        });
        let root = self.root.display().to_string();
        json!({ "folder": root, "runs": Vec::from_iter(list) })
    }

    /// Everything of a run.
    pub(crate) fn run(&self, id: usize) -> Result<Value, Refusal> {
        let folder = self.folder(id);
        let folder = folder.ok_or_else(|| Refusal::unknown("there is no such run"))?;
        let read = || {
            let mut run = describe(&folder)?;
            run["id"] = json!(id);
            let games = Run::read_latest_games(&folder)?;
            run["latest"] = games.iter().take(N_GAMES).map(shown).collect();
            Ok(run)
        };
        read().map_err(|error: RunError| Refusal::failed(error))
    }
}

/// Everything of a run but its games.
pub(crate) fn describe(folder: &Path) -> Result<Value, RunError> {
    let (config, manifest) = Run::read(folder)?;
    let metrics = Run::read_metrics(folder)?;
    Ok(json!({
        "name": name(folder),
        "game": config.game,
        "config": config.to_toml(),
        "played": manifest.played(&config),
        "games": manifest.games,
        "steps": manifest.steps,
        "finished": manifest.is_finished(&config),
        "machine": manifest.machine(),
        "seconds": metrics.iter().map(|round| round.seconds).sum::<f64>(),
        "seconds_left": seconds_left(&config, &manifest, &metrics),
        "warnings": advice(&metrics),
        "rounds": spread(&metrics),
        "evaluations": Run::read_evaluations(folder)?,
    }))
}

/// A game of self-play.
pub(crate) fn shown(game: &GameRecord) -> Value {
    json!({
        "id": game.id,
        "actions": Vec::from_iter(game.actions()),
        "opening": game.opening.len(),
        "outcome": game.outcome,
    })
}

fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    name.to_string_lossy().into_owned()
}

/// At the pace of the last rounds.
fn seconds_left(config: &RunConfig, manifest: &Manifest, metrics: &[RoundMetrics]) -> Option<f64> {
    let latest = &metrics[metrics.len().saturating_sub(12)..];
    if latest.is_empty() || manifest.is_finished(config) {
        return None;
    }
    let pace = latest.iter().map(|round| round.seconds).sum::<f64>() / latest.len() as f64;
    Some(pace * manifest.rounds_left(config))
}

/// All rounds, or evenly spread ones and the last.
fn spread(metrics: &[RoundMetrics]) -> Vec<&RoundMetrics> {
    let stride = metrics.len().div_ceil(MOST_ROUNDS).max(1);
    let last = metrics.len().saturating_sub(1);
    let rounds = metrics.iter().enumerate();
    rounds
        .filter(|(index, _)| (last - index).is_multiple_of(stride))
        .map(|(_, round)| round)
        .collect()
}

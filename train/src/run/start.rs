//! Starting and resuming a run.

use super::evaluate::load_opponents;
use super::folder::{GIVEN, POLICY, SHARD, is_own, numbered};
use super::given;
use super::manifest::{FORMAT, MANIFEST, Machine, Manifest, VERSION};
use super::read::look_at;
use super::tensorboard::FOLDER as TENSORBOARD;
use super::{CONFIG, EVALUATIONS, METRICS, Run, RunError};
use crate::config::RunConfig;
use crate::learner::Learner;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::Path;
use tablero_agents::load_agent;
use tablero_env::{AnyGame, BoardGame, with_game};
use tablero_models::storage::{self, StorageError, without_aside};

impl Run {
    /// Starts a run in a new or empty folder.
    ///
    /// # Errors
    /// If the folder holds other files, cannot be written, the configuration is not valid, or the
    /// agent to start from has another network.
    pub fn create(folder: &Path, config: RunConfig) -> Result<Run, RunError> {
        config.check()?;
        let any = AnyGame::parse(&config.game)?;
        // A folder that cannot be looked at may be a run.
        if look_at(folder)?.is_some()
            && let Some(entry) = foreign_to_a_start(folder, &config)?
        {
            return Err(RunError::Occupied {
                path: folder.to_owned(),
                entry,
            });
        }
        with_game!(&any, game => load_opponents(game, &config))?;
        check_links(folder)?;
        for part in ["checkpoints", "replay"] {
            let path = folder.join(part);
            fs::create_dir_all(&path).map_err(StorageError::of("create", &path))?;
        }
        let lock = lock(folder)?;
        let learner = with_game!(&any, game => new_learner(game, &config))?;
        let given_rounds = with_game!(&any, game => given::copy(game, &config.games_from, folder))?;
        let run = Run {
            folder: folder.to_owned(),
            manifest: Manifest {
                format: FORMAT.to_owned(),
                version: VERSION,
                checkpoint: 0,
                rounds: 0,
                given_rounds,
                learnt_rounds: 0,
                games: 0,
                evaluations: 0,
                steps: 0,
                shards: Vec::new(),
                config: Some(json!(config)),
                machine: Some(Machine::here()),
            },
            config,
            _lock: lock,
        };
        run.write_config()?;
        let policy = with_game!(&any, game => run.policy_of(game, &learner, &run.manifest))?;
        learner.save(&run.checkpoint_path(0), &policy)?;
        run.write_manifest()?;
        run.write_policy()?;
        Ok(run)
    }

    /// Opens a run to resume it.
    ///
    /// # Errors
    /// If it is no run, damaged, or being trained by another process.
    pub fn open(folder: &Path) -> Result<Run, RunError> {
        if !Self::is_run(folder) {
            return Err(RunError::NotARun {
                path: folder.to_owned(),
            });
        }
        // Nothing is written into a folder of another program.
        Self::read(folder)?;
        check_links(folder)?;
        let lock = lock(folder)?;
        // Again under the lock: another process could have written the next manifest.
        let (config, manifest) = Self::read(folder)?;
        if let Some(started_with) = &manifest.config {
            let edited = differences(started_with, &json!(config), FREE, "now");
            if !edited.is_empty() {
                return Err(RunError::EditedRun {
                    path: folder.join(CONFIG),
                    differences: edited,
                });
            }
        }
        Ok(Run {
            folder: folder.to_owned(),
            config,
            manifest,
            _lock: lock,
        })
    }

    /// Opens the run in `folder` if there is one, which must have been started with this
    /// configuration (a larger number of rounds extends it); else starts it.
    ///
    /// # Errors
    /// As [`create`](Run::create) and [`open`](Run::open).
    pub fn create_or_open(folder: &Path, config: RunConfig) -> Result<Run, RunError> {
        if !Self::has_manifest(folder)? {
            return Self::create(folder, config);
        }
        let mut run = Self::open(folder)?;
        let (ours, theirs) = (json!(run.config), json!(config));
        let differences = differences(&ours, &theirs, &["rounds"], "asked for");
        if !differences.is_empty() {
            return Err(RunError::OtherConfig {
                path: folder.to_owned(),
                differences,
            });
        }
        if config.rounds > run.config.rounds {
            run.set_rounds(config.rounds)?;
        }
        Ok(run)
    }
}

/// The first entry of a folder that [`create`](Run::create) did not write before the manifest; `None`
/// if it is empty, or a process was killed while it started a run there.
fn foreign_to_a_start(folder: &Path, config: &RunConfig) -> Result<Option<String>, StorageError> {
    let entries = names(folder)?;
    // Without a lock nobody has written more than empty folders.
    let was_locked = entries.iter().any(|name| name == "lock");
    for name in entries {
        let path = folder.join(&name);
        let shards_only = |name: &String| numbered(without_aside(name), SHARD).is_some();
        let is_ours = match &*name {
            "lock" => path.metadata().is_ok_and(|file| file.len() == 0),
            CONFIG => is_written_config(&path, config, was_locked),
            "replay" => is_folder_of(&path, |_| false)?,
            "checkpoints" => is_folder_of(&path, |name| without_aside(name) == "000000")?,
            GIVEN => is_folder_of(&path, shards_only)?,
            aside => [CONFIG, MANIFEST].contains(&without_aside(aside)) && aside != MANIFEST,
        };
        if !is_ours {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Whether a file holds this configuration, or in a folder that was `locked` any that was written
/// by a run: not one with somebody's comments.
fn is_written_config(path: &Path, config: &RunConfig, locked: bool) -> bool {
    let Ok(bytes) = storage::read(path) else {
        return false;
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let is_written =
        || RunConfig::from_toml(&text, CONFIG).is_ok_and(|other| other.to_toml() == text);
    text == config.to_toml() || (locked && is_written())
}

/// Whether a folder holds nothing but checkpoints or shards with names of this kind.
fn is_folder_of(folder: &Path, fits: impl Fn(&String) -> bool) -> Result<bool, StorageError> {
    let all = names(folder)?;
    Ok(all
        .iter()
        .all(|name| fits(name) && is_own(&folder.join(name))))
}

fn names(folder: &Path) -> Result<Vec<String>, StorageError> {
    let names = fs::read_dir(folder).and_then(|entries| {
        entries
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<Vec<_>, _>>()
    });
    let mut names = names.map_err(StorageError::of("read", folder))?;
    names.sort();
    Ok(names)
}

/// A learner with new weights or with those of the agent to start from. That agent may have played
/// another variant of the game with the same tensors, such as Hive with other expansions.
fn new_learner<G: BoardGame>(game: &G, config: &RunConfig) -> Result<Learner, RunError> {
    let mut learner = Learner::new(game, config)?;
    let Some(agent) = &config.start_from else {
        return Ok(learner);
    };
    let policy = load_agent(agent).map_err(|error| RunError::Start(Box::new(error)))?;
    let theirs = &policy.manifest;
    if theirs.network != config.network {
        let text = |network| serde_json::to_string(network).expect("plain data");
        return Err(RunError::OtherStart {
            expected: format!("the network {}", text(&config.network)),
            got: text(&theirs.network),
        });
    }
    if theirs.planes != game.plane_descriptions() {
        let text = |spec, version| format!("{spec}, encoding version {version}");
        return Err(RunError::OtherStart {
            expected: format!(
                "observations of {}",
                text(game.spec(), game.encoding_version())
            ),
            got: text(theirs.game.clone(), theirs.encoding_version),
        });
    }
    learner
        .start_from(&policy.weights)
        .map_err(RunError::StartWeights)?;
    Ok(learner)
}

/// Checks that nothing of a run stands elsewhere: what is written and deleted by a link could be
/// anybody's.
fn check_links(folder: &Path) -> Result<(), RunError> {
    let parts = ["checkpoints", "replay", GIVEN, POLICY, TENSORBOARD, "lock"];
    for part in parts
        .into_iter()
        .chain([CONFIG, MANIFEST, METRICS, EVALUATIONS])
    {
        let path = folder.join(part);
        if path.is_symlink() {
            return Err(RunError::Link { path });
        }
        if !path.is_dir() {
            continue;
        }
        for name in names(&path)? {
            let path = path.join(name);
            if path.is_symlink() {
                return Err(RunError::Link { path });
            }
        }
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File, RunError> {
    let path = folder.join("lock");
    let file = storage::open_own(&path, File::options().create(true).append(true));
    let file = file.map_err(StorageError::of("create", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunError::Locked {
            path: folder.to_owned(),
        }),
        Err(TryLockError::Error(error)) => Err(StorageError::of("lock", &path)(error).into()),
    }
}

/// What may be edited in the folder of a run: it changes nothing that was made by then.
const FREE: &[&str] = &["rounds", "keep_checkpoints", "evaluation", "play"];

/// The fields in which two configurations differ, with their values, but for some at the top.
/// `theirs_are` says what the second one's are.
fn differences(ours: &Value, theirs: &Value, but_for: &[&str], theirs_are: &str) -> String {
    let mut found = Vec::new();
    collect_differences("", ours, theirs, &mut found);
    let top = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
    let texts = found
        .iter()
        .filter(|(path, ..)| !but_for.contains(&&*top(path)))
        .map(|(path, ours, theirs)| format!("{path}: {ours}, {theirs_are} {theirs}"));
    texts.collect::<Vec<_>>().join("; ")
}

/// Paths of the fields that differ, with both values.
fn collect_differences<'a>(
    path: &str,
    ours: &'a Value,
    theirs: &'a Value,
    found: &mut Vec<(String, &'a Value, &'a Value)>,
) {
    let (Value::Object(our_fields), Value::Object(their_fields)) = (ours, theirs) else {
        if ours != theirs {
            found.push((path.to_owned(), ours, theirs));
        }
        return;
    };
    let keys: BTreeSet<&String> = our_fields.keys().chain(their_fields.keys()).collect();
    for key in keys {
        let path = match path {
            "" => key.clone(),
            path => format!("{path}.{key}"),
        };
        let [ours, theirs] =
            [our_fields, their_fields].map(|it| it.get(key).unwrap_or(&Value::Null));
        collect_differences(&path, ours, theirs, found);
    }
}

//! Training runs.

use crate::interrupt::{interruptible, next, raised, wait_for};
use crate::json::from_json;
use crate::{bad_input, failed};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use tablero_agents::Cancel;
use tablero_models::{InstructionSet, Weights};
use tablero_train::run::{Observer, RoundMetrics};
use tablero_train::self_play::{ActorError, Actors, Assignment, SelfPlayBatch, Workers};
use tablero_train::{PRESETS, Run, RunConfig, RunError};

/// Hands the metrics of each round to the thread of Python, and waits until it has heard them.
struct Reporter {
    rounds: Mutex<Sender<(Box<RoundMetrics>, Sender<()>)>>,
    cancel: Cancel,
}

impl Observer for Reporter {
    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }

    fn round_finished(&self, metrics: &RoundMetrics) {
        let rounds = self.rounds.lock().expect("nothing panics with it");
        let (heard, hearing) = channel();
        // Nobody listens after an interruption; then there is nothing to wait for either.
        let _ = rounds.send((Box::new(metrics.clone()), heard));
        let _ = hearing.recv();
    }
}

/// Actors behind a Python function, `play(round, first, end, weights)`, which returns a list of what
/// [`play_assignment`] gave for the parts of the games.
struct PyActors(Py<PyAny>);

impl Actors for PyActors {
    fn play(
        &self,
        assignment: &Assignment,
        weights: &Weights,
    ) -> Result<Vec<SelfPlayBatch>, ActorError> {
        let Assignment { round, games } = assignment;
        let weights = weights.to_safetensors();
        let packed: PyResult<Vec<Vec<u8>>> = Python::attach(|py| {
            let weights = PyBytes::new(py, &weights);
            let played = self
                .0
                .call1(py, (*round, games.start, games.end, weights))?;
            let parts: Vec<Bound<'_, PyBytes>> = played.extract(py)?;
            Ok(parts.iter().map(|part| part.as_bytes().to_vec()).collect())
        });
        packed
            .map_err(|error| ActorError(Box::new(error)))?
            .iter()
            .map(|part| SelfPlayBatch::from_bytes(part))
            .collect::<Result<_, _>>()
            .map_err(|error| ActorError(Box::new(error)))
    }
}

/// What went wrong in a run; an exception of the actors' Python function is that exception.
fn run_failed(error: RunError) -> PyErr {
    match error {
        RunError::Actors(ActorError(error)) => match error.downcast::<PyErr>() {
            Ok(raised) => *raised,
            Err(error) => failed(error),
        },
        error => failed(error),
    }
}

/// Plays the games numbered `first` to before `end` of a round in this process, and packs them. `config` is the
/// text of the run's configuration, `weights` are those that the actors' function gets.
#[pyfunction]
#[pyo3(signature = (config, round, first, end, weights, *, threads=1))]
pub fn play_assignment<'py>(
    py: Python<'py>,
    config: &str,
    round: u32,
    first: u64,
    end: u64,
    weights: &[u8],
    threads: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let config = RunConfig::from_toml(config, "the configuration").map_err(bad_input)?;
    let weights = Weights::from_safetensors(weights).map_err(bad_input)?;
    let assignment = Assignment {
        round,
        games: first..end,
    };
    let workers = Workers {
        threads: threads.max(1),
        ..Workers::all_cores(&config)
    };
    let batch = interruptible(py, move |cancel| {
        let batch = assignment.play_with(&config, &weights, workers, cancel)?;
        Ok::<_, ActorError>(batch.to_bytes())
    })?;
    Ok(PyBytes::new(py, &batch.map_err(failed)?))
}

/// Trains a run in the folder `out`, or resumes it; `config` is the text of a configuration file.
/// `callback(metrics)` is called after each round; the training stops where it raises. `actors` plays
/// the games, where there is one, `actors(round, first, end, weights)` in the form of `play_assignment`; it
/// is called from another thread, and told by `stop_actors()` to return at once. Opponents of the
/// configuration that start other programs are refused unless `allow_commands`.
#[pyfunction]
#[pyo3(signature = (config, out, *, threads=None, callback=None, actors=None, stop_actors=None, allow_commands=false))]
#[allow(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn train(
    py: Python<'_>,
    config: &str,
    out: PathBuf,
    threads: Option<usize>,
    callback: Option<Bound<'_, PyAny>>,
    actors: Option<Py<PyAny>>,
    stop_actors: Option<Bound<'_, PyAny>>,
    allow_commands: bool,
) -> PyResult<()> {
    let mut config = RunConfig::from_toml(config, "the configuration").map_err(bad_input)?;
    config.allow_commands = allow_commands;
    let mut workers = Workers::all_cores(&config);
    let mut run = Run::create_or_open(&out, config).map_err(bad_input)?;
    if allow_commands {
        run.allow_commands();
    }
    workers.threads = threads.unwrap_or(workers.threads).max(1);
    let (sender, receiver) = channel();
    let cancel = Cancel::new();
    let reporter = Reporter {
        rounds: Mutex::new(sender),
        cancel: cancel.clone(),
    };
    let thread = std::thread::spawn(move || -> Result<(), RunError> {
        // The observer goes with the closure: once it is gone there is nothing more to receive.
        let reporter = reporter;
        match actors {
            None => run.train(workers, &reporter),
            Some(actors) => run.train_with(&PyActors(actors), workers, &reporter),
        }
    });
    let receiver = Mutex::new(receiver);
    loop {
        let (metrics, heard) = match next(py, &receiver) {
            Ok(Some(round)) => round,
            Ok(None) => break,
            Err(signal) => {
                // What is on disk is whole at any instant. The run is let go of before the caller hears of
                // it, so that the same call can resume it.
                cancel.cancel();
                drop(receiver);
                if let Some(stop) = &stop_actors {
                    stop.call0()?;
                }
                wait_for(py, &thread, None);
                return Err(signal);
            }
        };
        let answer = callback.as_ref().map_or(Ok(()), |callback| {
            let text = serde_json::to_string(&metrics).expect("plain data");
            let metrics = from_json(py, &text)?;
            callback.call1((metrics,)).map(drop)
        });
        if let Err(error) = answer {
            // The run is let go of before the caller hears of it.
            cancel.cancel();
            drop(heard);
            let _ = py.detach(|| thread.join());
            return Err(error);
        }
    }
    match py.detach(|| thread.join()) {
        Ok(trained) => trained.map_err(run_failed),
        Err(panic) => Err(raised(panic)),
    }
}

/// What an actor must have in common with the others for the same games: the version, and the
/// instructions that evaluate leaves.
#[pyfunction]
pub fn actor_kind() -> String {
    let instructions = InstructionSet::best();
    let version = env!("CARGO_PKG_VERSION");
    format!("tablero {version} with {instructions}")
}

/// How many games a round of this configuration has.
#[pyfunction]
pub fn round_games(config: &str) -> PyResult<u64> {
    let config = RunConfig::from_toml(config, "the configuration").map_err(bad_input)?;
    Ok(config.self_play.games)
}

/// The text of a preset, a configuration file that comes with Tablero.
#[pyfunction]
pub fn preset(name: &str) -> PyResult<&'static str> {
    let known: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let preset = PRESETS.iter().find(|preset| preset.name == name);
    preset.map(|preset| preset.toml).ok_or_else(|| {
        bad_input(format!(
            "unknown preset {name:?}; there are: {}",
            known.join(", ")
        ))
    })
}

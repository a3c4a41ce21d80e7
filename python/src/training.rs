//! Training runs.

use crate::interrupt::next;
use crate::player::from_json;
use crate::{bad_input, failed};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use tablero_models::Hardware;
use tablero_train::run::{Observer, RoundMetrics};
use tablero_train::self_play::Workers;
use tablero_train::{PRESETS, Run, RunConfig, RunError};

/// Hands the metrics of each round to the thread of Python, and waits until it has heard them.
struct Reporter {
    rounds: Mutex<Sender<(Box<RoundMetrics>, Sender<()>)>>,
    is_stopped: Arc<AtomicBool>,
}

impl Observer for Reporter {
    fn goes_on(&self) -> bool {
        !self.is_stopped.load(Ordering::Relaxed)
    }

    fn round_finished(&self, metrics: &RoundMetrics) {
        let rounds = self.rounds.lock().expect("nothing panics with it");
        let (heard, hearing) = channel();
        // Nobody listens after an interruption; then there is nothing to wait for either.
        let _ = rounds.send((Box::new(metrics.clone()), heard));
        let _ = hearing.recv();
    }
}

/// Trains a run in the folder `out`, or goes on with it; `config` is the text of a configuration file.
/// `callback(metrics)` is called after each round; the training stops where it raises.
#[pyfunction]
#[pyo3(signature = (config, out, *, threads=None, callback=None))]
pub fn train(
    py: Python<'_>,
    config: &str,
    out: PathBuf,
    threads: Option<usize>,
    callback: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    let config = RunConfig::from_toml(config, "the configuration").map_err(bad_input)?;
    let mut run = Run::create_or_open(&out, config).map_err(bad_input)?;
    let mut workers = Workers::all_cores(Hardware::Cpu);
    workers.threads = threads.unwrap_or(workers.threads).max(1);
    let (sender, receiver) = channel();
    let is_stopped = Arc::new(AtomicBool::new(false));
    let reporter = Reporter {
        rounds: Mutex::new(sender),
        is_stopped: Arc::clone(&is_stopped),
    };
    let thread = std::thread::spawn(move || -> Result<(), RunError> {
        // The observer goes with the closure: once it is gone there is nothing more to receive.
        let reporter = reporter;
        run.train(workers, &reporter)
    });
    let receiver = Mutex::new(receiver);
    loop {
        let (metrics, heard) = match next(py, &receiver) {
            Ok(Some(round)) => round,
            Ok(None) => break,
            Err(signal) => {
                // The round under way ends by itself; what is on disk is whole at any instant.
                is_stopped.store(true, Ordering::Relaxed);
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
            is_stopped.store(true, Ordering::Relaxed);
            drop(heard);
            let _ = py.detach(|| thread.join());
            return Err(error);
        }
    }
    match py.detach(|| thread.join()) {
        Ok(trained) => trained.map_err(failed),
        Err(panic) => std::panic::resume_unwind(panic),
    }
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

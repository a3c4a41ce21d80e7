//! Long calls: without the interpreter's lock, and stopped by Ctrl-C.

use crate::own_game::raised;
use pyo3::prelude::*;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often Ctrl-C is asked for.
const PATIENCE: Duration = Duration::from_millis(50);

/// The next message, for which other Python threads need not wait; `None` once there are no more.
///
/// # Errors
/// Whatever a signal raises, such as `KeyboardInterrupt`.
pub fn next<T: Send>(py: Python<'_>, messages: &Mutex<Receiver<T>>) -> PyResult<Option<T>> {
    loop {
        let message = py.detach(|| {
            let messages = messages.lock().unwrap_or_else(PoisonError::into_inner);
            messages.recv_timeout(PATIENCE)
        });
        match message {
            Ok(message) => return Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
        }
    }
}

/// Runs `work` on a thread of its own while other Python threads go on.
///
/// # Errors
/// Whatever a signal raises; the work is then left to end by itself, and its answer is dropped. What a
/// game of Python raised.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let thread = std::thread::spawn(move || {
        // Nobody listens after an interruption.
        let _ = sender.send(work());
    });
    match next(py, &Mutex::new(receiver))? {
        Some(answer) => Ok(answer),
        None => match thread.join() {
            Err(panic) => Err(raised(panic)),
            Ok(()) => unreachable!("the thread sends before it ends"),
        },
    }
}

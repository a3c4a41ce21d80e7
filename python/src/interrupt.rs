//! Long calls: without the interpreter's lock, and stopped by Ctrl-C.

use pyo3::prelude::*;
use std::any::Any;
use std::cell::RefCell;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tablero_agents::Cancel;

/// How often Ctrl-C is asked for.
const PATIENCE: Duration = Duration::from_millis(50);
/// How often a thread that is to end is looked at.
const GLANCE: Duration = Duration::from_millis(2);
/// How long an interrupted call waits for its thread. Only what another program calculates takes longer.
const FAREWELL: Duration = Duration::from_secs(1);

thread_local! {
    /// Of the work that this thread was started for.
    static CANCEL: RefCell<Option<Cancel>> = const { RefCell::new(None) };
}

/// Whether the work of this thread was interrupted: a game of Python may end it wherever it is asked.
pub fn is_cancelled() -> bool {
    CANCEL.with_borrow(|cancel| cancel.as_ref().is_some_and(Cancel::is_cancelled))
}

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

/// Waits until a thread has ended, at most so long; another signal ends the waiting.
pub fn wait_for<T>(py: Python<'_>, thread: &JoinHandle<T>, most: Option<Duration>) {
    let start = Instant::now();
    while !thread.is_finished() && most.is_none_or(|most| start.elapsed() < most) {
        py.detach(|| std::thread::sleep(GLANCE));
        if py.check_signals().is_err() {
            return;
        }
    }
}

/// Does the work of a thread without the interpreter's lock. What the interpreter knows about the thread
/// is made once and not for each call that a game of Python gets.
pub fn detached(work: &mut (dyn FnMut() + Send)) {
    Python::attach(|py| py.detach(work));
}

/// Runs `work` on a thread of its own while other Python threads go on. It is asked to end by what it
/// is given.
///
/// # Errors
/// Whatever a signal raises; the work has then ended, unless another program does it, and its answer is
/// dropped. What a game of Python raised.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Cancel) -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let cancel = Cancel::new();
    let cancelled = cancel.clone();
    let thread = std::thread::spawn(move || {
        CANCEL.set(Some(cancelled.clone()));
        let mut work = Some(work);
        detached(&mut || {
            let work = work.take().expect("called once");
            // Nobody listens after an interruption.
            let _ = sender.send(work(&cancelled));
        });
    });
    match next(py, &Mutex::new(receiver)) {
        Ok(Some(answer)) => Ok(answer),
        Ok(None) => match thread.join() {
            Err(panic) => Err(raised(panic)),
            Ok(()) => unreachable!("the thread sends before it ends"),
        },
        Err(signal) => {
            cancel.cancel();
            wait_for(py, &thread, Some(FAREWELL));
            Err(signal)
        }
    }
}

/// Ends what is under way, without a word on standard error: the class raised, or answered nonsense.
/// [`raised`] makes an exception of it again.
pub fn give_up(name: &str, method: &str, error: &PyErr) -> ! {
    std::panic::resume_unwind(Box::new(format!("{name}: {method}: {error}")))
}

/// The exception that a panic of another thread becomes: a game that failed is a `RuntimeError`.
pub fn raised(panic: Box<dyn Any + Send>) -> PyErr {
    match panic.downcast::<String>() {
        Ok(text) => crate::failed(text),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

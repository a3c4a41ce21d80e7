//! Long calls: without the interpreter's lock, and stopped by Ctrl-C.

use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often Ctrl-C is asked for.
const PATIENCE: Duration = Duration::from_millis(50);

/// Runs `work` on a thread of its own while other Python threads go on.
///
/// # Errors
/// Whatever a signal raises, such as `KeyboardInterrupt`; the work is then left to end by itself, and
/// its answer is dropped.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let thread = std::thread::spawn(move || {
        // Nobody listens after an interruption.
        let _ = sender.send(work());
    });
    let receiver = std::sync::Mutex::new(receiver);
    loop {
        let answer = py.detach(|| {
            let receiver = receiver.lock().expect("used by one thread");
            receiver.recv_timeout(PATIENCE)
        });
        match answer {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("the thread sends before it ends"),
            },
        }
    }
}

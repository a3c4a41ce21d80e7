//! Ending matches early, as on Ctrl-C: what is finished by then counts.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Asks every match of this process to end. Games under way are dropped; so are matches to come. It
/// cannot be taken back. May be called by a signal handler.
pub fn request() {
    REQUESTED.store(true, Ordering::Relaxed);
}

/// Whether matches are to end.
#[must_use]
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

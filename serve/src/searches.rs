//! Searches at once, and their end.

use crate::error::Refusal;
use std::sync::Arc;
use std::time::Duration;
use tablero_agents::Cancel;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a search waits for its turn.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The searches of all clients.
pub(crate) struct Searches {
    permits: Arc<Semaphore>,
    all: std::sync::Mutex<Vec<Cancel>>,
}

/// A search that may run. It is cancelled when this is dropped: the answer of a request holds it, so
/// a search ends with its client.
pub(crate) struct Running {
    cancel: Cancel,
}

/// The place of a search among those that run. It goes with the search and not with its client, who may
/// leave before the search has ended.
pub(crate) struct Place {
    _permit: OwnedSemaphorePermit,
}

impl Searches {
    pub(crate) fn new(n_searches: usize) -> Searches {
        Searches {
            permits: Arc::new(Semaphore::new(n_searches.max(1))),
            all: std::sync::Mutex::default(),
        }
    }

    /// A place for a search, as soon as there is one.
    pub(crate) async fn begin(&self) -> Result<(Running, Place), Refusal> {
        let permits = Arc::clone(&self.permits);
        let permit = tokio::time::timeout(PATIENCE, permits.acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok).ok_or_else(Refusal::busy)?;
        let cancel = Cancel::new();
        let mut all = self.all.lock().unwrap_or_else(|lock| lock.into_inner());
        all.retain(|cancel| !cancel.is_cancelled());
        all.push(cancel.clone());
        Ok((Running { cancel }, Place { _permit: permit }))
    }

    /// Ends all searches.
    pub(crate) fn cancel_all(&self) {
        let all = self.all.lock().unwrap_or_else(|lock| lock.into_inner());
        all.iter().for_each(Cancel::cancel);
    }

    /// How many more could begin now.
    pub(crate) fn n_free(&self) -> usize {
        self.permits.available_permits()
    }
}

impl Running {
    pub(crate) fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

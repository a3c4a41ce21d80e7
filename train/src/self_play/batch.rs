//! Games that were played, and what it took.

use crate::frame::{self, Reader};
use crate::record::GameRecord;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The games of one round of self-play, or some of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SelfPlayBatch {
    /// Finished games in order of their number, each before its fork.
    pub games: Vec<GameRecord>,
    /// Games thrown away because they did not end within `max_plies`.
    pub n_unfinished: u64,
    /// Leaves evaluated.
    pub n_evaluations: u64,
    /// Time in evaluators, by the wall clock, summed over the threads.
    pub evaluation_time: Duration,
    /// Time in all, likewise.
    pub worker_time: Duration,
}

/// Bytes that hold no [`SelfPlayBatch`].
#[derive(Debug, thiserror::Error)]
#[error("expected games as an actor of this version packs them: {0}")]
pub struct BatchError(String);

impl SelfPlayBatch {
    /// All of these as one, the same whatever the parts and their order.
    #[must_use]
    pub fn join(parts: impl IntoIterator<Item = SelfPlayBatch>) -> SelfPlayBatch {
        let mut all = SelfPlayBatch::default();
        for part in parts {
            all.games.extend(part.games);
            all.n_unfinished += part.n_unfinished;
            all.n_evaluations += part.n_evaluations;
            all.evaluation_time += part.evaluation_time;
            all.worker_time += part.worker_time;
        }
        all.games.sort_by_key(|record| (record.id, record.forked));
        all
    }

    /// Games that another run played.
    pub(crate) fn taken(games: Vec<GameRecord>) -> SelfPlayBatch {
        SelfPlayBatch {
            games,
            ..SelfPlayBatch::default()
        }
    }

    /// Packed, to be sent to another process of the same version: compressed, with a checksum.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        frame::write(&mut bytes, self).expect("memory does not fail, and games stay below 4 GiB");
        bytes
    }

    /// Unpacks it.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<SelfPlayBatch, BatchError> {
        let mut reader = Reader::new(bytes, bytes.len() as u64);
        let batch: SelfPlayBatch = reader.frame().map_err(BatchError)?;
        if !reader.is_at_end() {
            return Err(BatchError("it has another form".to_owned()));
        }
        Ok(batch)
    }
}

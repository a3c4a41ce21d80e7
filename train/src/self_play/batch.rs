//! Games that were played, and what it took.

use super::odds::{Odds, Scored};
use crate::frame::{self, Reader};
use crate::record::GameRecord;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The games of one round of self-play, or some of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SelfPlayBatch {
    /// Finished games in order of their number, each before its fork.
    pub games: Vec<GameRecord>,
    /// What the teacher's searches said of the decisions of each game; nothing in self-play.
    pub(super) scores: Vec<Vec<Option<Scored>>>,
    /// Games thrown away because they did not end within `max_plies`.
    pub n_unfinished: u64,
    /// Leaves that the evaluators judged.
    pub n_evaluations: u64,
    /// What resigning would do, seen in games in which nobody may.
    pub hopeless: Hopeless,
    /// What the workers spent in evaluators, by the wall clock, all together …
    pub evaluation_time: Duration,
    /// … of so much in all.
    pub worker_time: Duration,
}

/// Games played out in which somebody would have resigned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hopeless {
    /// All of them.
    pub games: u64,
    /// Those that whoever would have resigned first did not lose: false positives.
    pub saved: u64,
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
        let mut games = Vec::new();
        for part in parts {
            games.extend(part.games.into_iter().zip(part.scores));
            all.n_unfinished += part.n_unfinished;
            all.n_evaluations += part.n_evaluations;
            all.hopeless.games += part.hopeless.games;
            all.hopeless.saved += part.hopeless.saved;
            all.evaluation_time += part.evaluation_time;
            all.worker_time += part.worker_time;
        }
        games.sort_by_key(|(record, _)| (record.id, record.forked));
        (all.games, all.scores) = games.into_iter().unzip();
        all.set_root_values();
        all
    }

    /// Games that were played elsewhere, by whom is not known.
    pub(crate) fn taken(games: Vec<GameRecord>) -> SelfPlayBatch {
        SelfPlayBatch {
            scores: vec![Vec::new(); games.len()],
            games,
            ..SelfPlayBatch::default()
        }
    }

    /// Fills in the odds that went with the teacher's scores in all these games. Where it searched
    /// nothing or proved the result, it is the game's result or the proven one that is learnt.
    fn set_root_values(&mut self) {
        let scored: Vec<Scored> = self.scores.iter().flatten().flatten().copied().collect();
        let odds = Odds::fit(&scored);
        for (game, scores) in self.games.iter_mut().zip(&self.scores) {
            for (decision, scored) in game.decisions.iter_mut().zip(scores) {
                if let Some(scored) = scored {
                    decision.root_wdl = odds.wdl(scored.score);
                }
            }
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
        let mut reader = Reader::new(bytes);
        let batch: SelfPlayBatch = reader.frame().map_err(BatchError)?;
        if !reader.is_at_end() || batch.scores.len() != batch.games.len() {
            return Err(BatchError("it has another form".to_owned()));
        }
        Ok(batch)
    }
}

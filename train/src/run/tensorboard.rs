//! The metrics of a run as event files of TensorBoard.
//!
//! A file is a sequence of records: length u64, its checksum, that many bytes, their checksum, all
//! little-endian; checksums are CRC-32C, rotated and shifted ("masked") as in TensorFlow's
//! `tfrecord`. A record holds an `Event` in protocol buffers: time, step, and a summary of scalars
//! (`event.proto` and `summary.proto` of TensorBoard).

use super::metrics::RoundMetrics;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use tablero_models::storage::{self, StorageError};

/// Where a run keeps them.
pub(crate) const FOLDER: &str = "tensorboard";
/// TensorBoard finds event files by this part of their names.
const FILE: &str = "events.out.tfevents.run";

fn path_in(run: &Path) -> PathBuf {
    run.join(FOLDER).join(FILE)
}

/// Writes the file of a run anew, from all its metrics: what a process that was killed wrote is
/// gone.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn rewrite(run: &Path, metrics: &[RoundMetrics]) -> Result<(), StorageError> {
    let folder = run.join(FOLDER);
    fs::create_dir_all(&folder).map_err(StorageError::of("create", &folder))?;
    storage::write_atomic(&path_in(run), |out| {
        let mut head = Message::default();
        head.double(1, metrics.first().map_or(0.0, |round| round.finished_at));
        head.bytes(3, b"brain.Event:2");
        out.write_all(&record(&head.0))?;
        metrics
            .iter()
            .try_for_each(|round| out.write_all(&events(round)))
    })
}

/// Adds a round to the file of a run.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn append(run: &Path, round: &RoundMetrics) -> Result<(), StorageError> {
    let path = path_in(run);
    let append = || {
        File::options()
            .append(true)
            .open(&path)?
            .write_all(&events(round))
    };
    append().map_err(StorageError::of("write", &path))
}

/// What TensorBoard shows of a round: names and values.
fn scalars(round: &RoundMetrics) -> Vec<(&'static str, f64)> {
    let mut all = vec![("time/round_seconds", round.seconds)];
    all.extend(round.memory_mib().map(|mib| ("memory/resident_mib", mib)));
    if let Some(played) = &round.self_play {
        let seconds = played.seconds.max(1e-9);
        all.extend([
            ("self_play/games", played.games as f64),
            ("self_play/distinct_games", played.distinct_games as f64),
            ("self_play/unfinished", played.unfinished as f64),
            ("self_play/mean_plies", played.mean_plies),
            ("self_play/draws", played.draws),
            ("self_play/first_player_wins", played.first_player_wins),
            ("self_play/policy_entropy", played.policy_entropy),
            ("self_play/proven_share", played.proven_share),
            (
                "speed/evaluations_a_second",
                played.evaluations as f64 / seconds,
            ),
            (
                "speed/positions_a_second",
                played.positions as f64 / seconds,
            ),
            ("speed/evaluation_share", played.evaluation_share),
            ("time/self_play_seconds", played.seconds),
        ]);
    }
    if let Some(learnt) = &round.learning {
        all.extend([
            ("loss/policy", learnt.policy_loss),
            ("loss/value", learnt.value_loss),
            ("loss/points", learnt.points_loss),
            ("learning/illegal_share", learnt.illegal_share),
            ("learning/calibration_error", learnt.calibration_error),
            ("learning/gradient_norm", learnt.gradient_norm),
            ("learning/rate", learnt.learning_rate),
            ("learning/window_positions", learnt.window_positions as f64),
            (
                "speed/steps_a_second",
                learnt.steps as f64 / learnt.seconds.max(1e-9),
            ),
            ("time/learning_seconds", learnt.seconds),
            ("time/draw_seconds", learnt.draw_seconds),
        ]);
        let new = [
            ("loss_of_new_games/policy", learnt.new_policy_loss),
            ("loss_of_new_games/value", learnt.new_value_loss),
        ];
        all.extend(new.into_iter().filter_map(|(tag, loss)| Some((tag, loss?))));
    }
    all
}

/// The record of a round.
fn events(round: &RoundMetrics) -> Vec<u8> {
    let mut summary = Message::default();
    for (tag, value) in scalars(round) {
        let mut scalar = Message::default();
        scalar.bytes(1, tag.as_bytes());
        scalar.float(2, value as f32);
        summary.bytes(1, &scalar.0);
    }
    let mut event = Message::default();
    event.double(1, round.finished_at);
    event.varint(2, u64::from(round.checkpoint));
    event.bytes(5, &summary.0);
    record(&event.0)
}

fn record(data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u64).to_le_bytes();
    let mut record = length.to_vec();
    record.extend(masked_crc(&length).to_le_bytes());
    record.extend(data);
    record.extend(masked_crc(data).to_le_bytes());
    record
}

fn masked_crc(data: &[u8]) -> u32 {
    crc32c::crc32c(data)
        .rotate_right(15)
        .wrapping_add(0xa282_ead8)
}

/// A message of protocol buffers in the making.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn key(&mut self, field: u64, wire_type: u64) {
        self.raw_varint(field << 3 | wire_type);
    }

    fn raw_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn varint(&mut self, field: u64, value: u64) {
        self.key(field, 0);
        self.raw_varint(value);
    }

    fn double(&mut self, field: u64, value: f64) {
        self.key(field, 1);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.key(field, 2);
        self.raw_varint(value.len() as u64);
        self.0.extend(value);
    }

    fn float(&mut self, field: u64, value: f32) {
        self.key(field, 5);
        self.0.extend(value.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_masked_as_tensorflow_masks_them() {
        // CRC-32C of "123456789" is 0xe3069283 (RFC 3720, B.4, and the catalogue of CRCs).
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
        let rotated = 0xe306_9283_u32.rotate_right(15);
        assert_eq!(masked_crc(b"123456789"), rotated.wrapping_add(0xa282_ead8));
    }

    #[test]
    fn messages_are_protocol_buffers() {
        let mut message = Message::default();
        message.varint(1, 150);
        message.bytes(2, b"testing");
        // The examples of the encoding's documentation.
        assert_eq!(message.0, b"\x08\x96\x01\x12\x07testing");
    }
}

//! A checkpoint's folder: files that appear together, each with a checksum.

use crate::storage::{self, StorageError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const CHECKSUMS: &str = "checksums.json";

/// A checkpoint that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file itself.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The file is not what was written.
    #[error("{}: expected {expected}, got {got}: the checkpoint is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was written.
        expected: String,
        /// What is there.
        got: String,
    },
}

/// Writes a checkpoint; the folder appears whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write(folder: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), StorageError> {
    let checksums: BTreeMap<&str, String> = files
        .iter()
        .map(|(name, bytes)| (*name, checksum(bytes)))
        .collect();
    storage::write_folder_atomic(folder, |inside| {
        for (name, bytes) in files {
            storage::write_atomic(&inside.join(name), |out| out.write_all(bytes))?;
        }
        storage::write_atomic(&inside.join(CHECKSUMS), |out| {
            Ok(serde_json::to_writer_pretty(out, &checksums)?)
        })
    })
}

/// Reads one file of a checkpoint and checks it.
///
/// # Errors
/// If it is missing or not what was written.
pub fn read(folder: &Path, name: &str) -> Result<Vec<u8>, CheckpointError> {
    let path = folder.join(CHECKSUMS);
    let checksums: BTreeMap<String, String> = serde_json::from_slice(&storage::read(&path)?)
        .map_err(|error| CheckpointError::Damaged {
            path,
            expected: "the checksums of a checkpoint".to_owned(),
            got: error.to_string(),
        })?;
    let path = folder.join(name);
    let bytes = storage::read(&path)?;
    let got = checksum(&bytes);
    match checksums.get(name) {
        Some(expected) if *expected == got => Ok(bytes),
        expected => Err(CheckpointError::Damaged {
            path,
            expected: expected.map_or_else(|| "no such file".to_owned(), Clone::clone),
            got,
        }),
    }
}

fn checksum(bytes: &[u8]) -> String {
    format!(
        "CRC-32 {:08x} of {} bytes",
        crc32fast::hash(bytes),
        bytes.len()
    )
}

//! Configuration files that a user names.

use crate::failure::Failure;
use std::path::Path;
use tablero_models::storage;
use tablero_train::RunConfig;

/// Reads a configuration file.
pub fn read_config(file: &Path) -> Result<RunConfig, Failure> {
    /// Far beyond any.
    const MOST_BYTES: u64 = 1 << 20;
    let bytes = storage::read_at_most(file, MOST_BYTES)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::bad_input(format!("{} is not text", file.display())))?;
    Ok(RunConfig::from_toml(&text, &file.display().to_string())?)
}

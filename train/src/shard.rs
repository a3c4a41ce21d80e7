//! Replay shards: the games of one round in one file.
//!
//! ```text
//! magic "TABLERO\n"   version u32
//! frame*              as [`frame`] writes them
//! ```
//! Numbers are little-endian. The first frame is a [`ShardHeader`], which tells how many games
//! follow; each other frame holds some [`GameRecord`]s. The file ends with the last game.

use crate::frame::{self, Reader};
use crate::record::GameRecord;
use serde::{Deserialize, Serialize};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use tablero_models::storage::{self, StorageError};

const MAGIC: &[u8; 8] = b"TABLERO\n";
const VERSION: u32 = 3;
const GAMES_PER_FRAME: usize = 64;

/// What a shard says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardHeader {
    /// The game's spec.
    pub game: String,
    /// `Game::rules_version` of that game.
    pub rules_version: u32,
    /// The round of the run that played these games.
    pub round: u32,
    /// Number of games in the file.
    pub n_games: u64,
}

/// A shard that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The file itself.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The content.
    #[error("{} is not a complete replay shard: at byte {offset}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the reader stood.
        offset: u64,
        /// What was expected and got.
        what: String,
    },
}

/// Writes a shard; the file appears whole or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, header: &ShardHeader, games: &[GameRecord]) -> Result<(), StorageError> {
    storage::write_atomic(path, |out| {
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        frame::write(out, header)?;
        games
            .chunks(GAMES_PER_FRAME)
            .try_for_each(|chunk| frame::write(out, chunk))
    })
}

/// Reads and checks a whole shard.
///
/// # Errors
/// If the file is missing, truncated, changed, of another version, or not a shard.
pub fn read(path: &Path) -> Result<(ShardHeader, Vec<GameRecord>), ShardError> {
    let (file, length) = storage::open(path)?;
    let mut reader = Reader::new(BufReader::new(file), length);
    read_from(&mut reader).map_err(|what| ShardError::Damaged {
        path: path.to_owned(),
        offset: reader.offset,
        what,
    })
}

/// Whether a file begins as shards of any version do.
pub fn is_shard(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    storage::open(path)
        .is_ok_and(|(mut file, _)| file.read_exact(&mut start).is_ok() && start == *MAGIC)
}

fn read_from<R: Read>(reader: &mut Reader<R>) -> Result<(ShardHeader, Vec<GameRecord>), String> {
    if reader.take(MAGIC.len() as u64, "the shard's first bytes")? != MAGIC {
        reader.offset = 0;
        return Err("expected a replay shard, got another kind of file".to_owned());
    }
    let version = reader.take_u32("the format version")?;
    if version != VERSION {
        return Err(format!("expected format version {VERSION}, got {version}"));
    }
    let header: ShardHeader = reader.frame()?;
    let mut games: Vec<GameRecord> = Vec::new();
    while !reader.is_at_end() {
        let left = header.n_games.saturating_sub(games.len() as u64);
        let most = left.min(GAMES_PER_FRAME as u64);
        games.extend(reader.frame_of::<GameRecord>(most)?);
    }
    let (expected, got) = (header.n_games, games.len());
    if got as u64 != expected {
        return Err(format!("expected {expected} games, got {got}"));
    }
    Ok((header, games))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Decision;
    use tablero_env::{ActionId, ForMover, Outcome, Player};

    fn games(n: u64) -> Vec<GameRecord> {
        (0..n)
            .map(|id| GameRecord {
                id,
                forked: id % 3 == 0,
                opening: vec![ActionId(3)],
                decisions: vec![Decision {
                    action: ActionId(id as u32),
                    policy: vec![0.25, 0.75],
                    root_wdl: ForMover([0.5, 0.25, 0.25]),
                    proven: (id % 2 == 0).then_some(ForMover(-1)),
                }],
                outcome: Outcome::won_by(Some(Player::Second)),
            })
            .collect()
    }

    fn header(n_games: u64) -> ShardHeader {
        ShardHeader {
            game: "dots-and-boxes:1x1".to_owned(),
            rules_version: 1,
            round: 4,
            n_games,
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("000004.shard");
        // More than one frame, the last one not full.
        for n in [0, 1, 64, 150] {
            write(&path, &header(n), &games(n)).unwrap();
            assert_eq!(read(&path).unwrap(), (header(n), games(n)));
        }
    }

    /// A shard with a further frame of these bytes.
    fn with_frame(path: &Path, plain: &[u8]) {
        write(path, &header(64), &[]).unwrap();
        let packed = zstd::bulk::compress(plain, 19).unwrap();
        let mut bytes = std::fs::read(path).unwrap();
        bytes.extend((packed.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&packed).to_le_bytes());
        bytes.extend(packed);
        std::fs::write(path, bytes).unwrap();
    }

    #[test]
    fn a_small_file_does_not_become_a_large_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("000004.shard");
        // 200 MiB of zeros pack into some kilobytes.
        with_frame(&path, &vec![0; 200 << 20]);
        assert!(std::fs::metadata(&path).unwrap().len() < 31_000);
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("it holds more than"), "{error}");
        // A list that says that it is long is not begun.
        let mut long = postcard::to_stdvec(&3_000_000u64).unwrap();
        long.resize(4_000_000, 0);
        with_frame(&path, &long);
        let error = read(&path).unwrap_err().to_string();
        assert!(
            error.contains("at most 64 values in a frame, got 3000000"),
            "{error}"
        );
    }

    /// A file may be far longer than what it takes on the disk.
    #[test]
    fn a_shard_full_of_nothing_is_refused_at_its_first_frame() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("000004.shard");
        write(&path, &header(3), &[]).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_len(1 << 40).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("a frame does not decode"), "{error}");
    }

    #[test]
    fn no_truncation_and_no_flipped_bit_goes_unnoticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("000004.shard");
        write(&path, &header(70), &games(70)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let damaged = folder.path().join("damaged.shard");
        let check = |bytes: &[u8], what: &str| {
            std::fs::write(&damaged, bytes).unwrap();
            let error = read(&damaged).expect_err(what);
            assert!(error.to_string().contains("damaged.shard"), "{error}");
        };
        for length in 0..whole.len() {
            check(&whole[..length], &format!("cut to {length} bytes"));
        }
        for byte in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[byte] ^= 1 << (byte % 8);
            check(&bytes, &format!("bit flipped in byte {byte}"));
        }
    }
}

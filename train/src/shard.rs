//! Replay shards: the games of one iteration in one file.
//!
//! ```text
//! magic "TABLERO\n"   version u32
//! frame*              length u32, CRC-32 u32, that many bytes of zstd-compressed postcard
//! ```
//! Numbers are little-endian. The first frame is a [`ShardHeader`], which tells how many games
//! follow; each other frame holds some [`GameRecord`]s. The file ends with the last game.

use crate::record::GameRecord;
use crate::storage::{self, StorageError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"TABLERO\n";
const VERSION: u32 = 2;
const GAMES_PER_FRAME: usize = 64;
/// Level 3 is zstd's own default.
const ZSTD_LEVEL: i32 = 3;
/// A frame of 64 games stays far below; more is damage, not data.
const MAX_FRAME_BYTES: u64 = 1 << 28;

/// What a shard says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardHeader {
    /// The game's spec.
    pub game: String,
    /// `Game::RULES_VERSION` of that game.
    pub rules_version: u32,
    /// The iteration of the run that played these games.
    pub iteration: u32,
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
    #[error("{} is not a whole replay shard: at byte {offset}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the reader stood.
        offset: usize,
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
        write_frame(out, header)?;
        games
            .chunks(GAMES_PER_FRAME)
            .try_for_each(|chunk| write_frame(out, chunk))
    })
}

fn write_frame<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    let plain = postcard::to_stdvec(value).map_err(io::Error::other)?;
    let packed = zstd::bulk::compress(&plain, ZSTD_LEVEL)?;
    let length = u32::try_from(packed.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&crc32fast::hash(&packed).to_le_bytes())?;
    out.write_all(&packed)
}

/// Reads and checks a whole shard.
///
/// # Errors
/// If the file is missing, truncated, changed, of another version, or not a shard.
pub fn read(path: &Path) -> Result<(ShardHeader, Vec<GameRecord>), ShardError> {
    let bytes = storage::read(path)?;
    let mut reader = Reader {
        path,
        bytes: &bytes,
        offset: 0,
    };
    if reader.take(MAGIC.len(), "the shard's first bytes")? != MAGIC {
        reader.offset = 0;
        return Err(reader.damaged("expected a replay shard, got another kind of file"));
    }
    let version = reader.take_u32("the format version")?;
    if version != VERSION {
        return Err(reader.damaged(&format!("expected format version {VERSION}, got {version}")));
    }
    let header: ShardHeader = reader.frame()?;
    let mut games: Vec<GameRecord> = Vec::new();
    while reader.offset < bytes.len() {
        games.extend(reader.frame::<Vec<GameRecord>>()?);
    }
    if games.len() as u64 != header.n_games {
        return Err(reader.damaged(&format!(
            "expected {} games, got {}",
            header.n_games,
            games.len()
        )));
    }
    Ok((header, games))
}

struct Reader<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn damaged(&self, what: &str) -> ShardError {
        ShardError::Damaged {
            path: self.path.to_owned(),
            offset: self.offset,
            what: what.to_owned(),
        }
    }

    fn take(&mut self, n: usize, what: &str) -> Result<&'a [u8], ShardError> {
        let left = self.bytes.len() - self.offset;
        if left < n {
            return Err(self.damaged(&format!("expected {n} bytes of {what}, got {left}")));
        }
        let taken = &self.bytes[self.offset..self.offset + n];
        self.offset += n;
        Ok(taken)
    }

    fn take_u32(&mut self, what: &str) -> Result<u32, ShardError> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    fn frame<T: DeserializeOwned>(&mut self) -> Result<T, ShardError> {
        let start = self.offset;
        let length = self.take_u32("a frame's length")? as usize;
        let expected = self.take_u32("a frame's checksum")?;
        let packed = self.take(length, "a frame")?;
        let got = crc32fast::hash(packed);
        if got != expected {
            self.offset = start;
            return Err(self.damaged(&format!(
                "expected a frame with CRC-32 {expected:08x}, got {got:08x}"
            )));
        }
        let mut plain = Vec::new();
        zstd::Decoder::new(packed)
            .and_then(|unpacker| unpacker.take(MAX_FRAME_BYTES).read_to_end(&mut plain))
            .map_err(|error| error.to_string())
            .and_then(|_| postcard::from_bytes(&plain).map_err(|error| error.to_string()))
            .map_err(|error| self.damaged(&format!("a frame does not decode: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Decision;
    use tablero_env::{ActionId, Outcome, Player};

    fn games(n: u64) -> Vec<GameRecord> {
        (0..n)
            .map(|id| GameRecord {
                id,
                forked: id % 3 == 0,
                opening: vec![ActionId(3)],
                decisions: vec![Decision {
                    action: ActionId(id as u32),
                    policy: vec![0.25, 0.75],
                    root_wdl: [0.5, 0.25, 0.25],
                    proven: (id % 2 == 0).then_some(-1),
                }],
                outcome: Outcome::won_by(Some(Player::Second)),
                resigned: id % 5 == 0,
            })
            .collect()
    }

    fn header(n_games: u64) -> ShardHeader {
        ShardHeader {
            game: "dots-and-boxes:1x1".to_owned(),
            rules_version: 1,
            iteration: 4,
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

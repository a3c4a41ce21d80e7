//! Values in frames: compressed, with a checksum.
//!
//! ```text
//! frame               length u32, CRC-32 u32, that many bytes of zstd-compressed postcard
//! ```
//! Numbers are little-endian.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};

/// Level 3 is zstd's own default.
const ZSTD_LEVEL: i32 = 3;
/// Bytes of a frame, packed or not. What is written stays far below; more is damage, not data.
const MAX_BYTES: u64 = 1 << 30;
/// The most unpacked bytes for each packed one, on average: a small file does not fill the memory.
/// Games have about ten.
const MAX_RATIO: u64 = 200;
/// What may be unpacked in any case.
const ALWAYS_BYTES: u64 = 4 << 20;

/// Appends a value.
pub(crate) fn write<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    let plain = postcard::to_stdvec(value).map_err(io::Error::other)?;
    let packed = zstd::bulk::compress(&plain, ZSTD_LEVEL)?;
    let length = u32::try_from(packed.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&crc32fast::hash(&packed).to_le_bytes())?;
    out.write_all(&packed)
}

/// A stream of known length that is read from front to back. It never holds more than a frame, and
/// what it unpacks in all is bounded by the length.
pub(crate) struct Reader<R> {
    input: R,
    /// Bytes that it has.
    length: u64,
    /// Where it stands.
    pub(crate) offset: u64,
    /// Bytes that may still be unpacked.
    budget: u64,
}

impl<R: Read> Reader<R> {
    pub(crate) fn new(input: R, length: u64) -> Self {
        Reader {
            input,
            length,
            offset: 0,
            budget: length
                .saturating_mul(MAX_RATIO)
                .saturating_add(ALWAYS_BYTES),
        }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.offset == self.length
    }

    /// The next `n` bytes, which hold `what`.
    pub(crate) fn take(&mut self, n: u64, what: &str) -> Result<Vec<u8>, String> {
        let left = self.length - self.offset;
        if left < n {
            return Err(format!("expected {n} bytes of {what}, got {left}"));
        }
        if n > MAX_BYTES {
            return Err(format!(
                "expected at most {MAX_BYTES} bytes of {what}, got {n}"
            ));
        }
        let mut taken = vec![0; n as usize];
        let read = self.input.read_exact(&mut taken);
        read.map_err(|error| format!("cannot read {what}: {error}"))?;
        self.offset += n;
        Ok(taken)
    }

    pub(crate) fn take_u32(&mut self, what: &str) -> Result<u32, String> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    /// The value in the next frame.
    pub(crate) fn frame<T: DeserializeOwned>(&mut self) -> Result<T, String> {
        let plain = self.unpacked()?;
        postcard::from_bytes(&plain).map_err(undecoded)
    }

    /// The values in the next frame, at most `most`: more are not made.
    pub(crate) fn frame_of<T: DeserializeOwned>(&mut self, most: u64) -> Result<Vec<T>, String> {
        let plain = self.unpacked()?;
        // A list begins with its length.
        let (got, _) = postcard::take_from_bytes::<u64>(&plain).map_err(undecoded)?;
        if got > most {
            return Err(format!(
                "expected at most {most} values in a frame, got {got}"
            ));
        }
        postcard::from_bytes(&plain).map_err(undecoded)
    }

    fn unpacked(&mut self) -> Result<Vec<u8>, String> {
        let start = self.offset;
        let length = self.take_u32("a frame's length")?;
        let expected = self.take_u32("a frame's checksum")?;
        let packed = self.take(length.into(), "a frame")?;
        let got = crc32fast::hash(&packed);
        if got != expected {
            self.offset = start;
            return Err(format!(
                "expected a frame with CRC-32 {expected:08x}, got {got:08x}"
            ));
        }
        let limit = self.budget.min(MAX_BYTES);
        let mut plain = Vec::new();
        zstd::Decoder::new(&packed[..])
            .and_then(|unpacker| unpacker.take(limit + 1).read_to_end(&mut plain))
            .map_err(undecoded)?;
        if plain.len() as u64 > limit {
            return Err(undecoded(format!("it holds more than {limit} bytes")));
        }
        self.budget -= plain.len() as u64;
        Ok(plain)
    }
}

fn undecoded(error: impl std::fmt::Display) -> String {
    format!("a frame does not decode: {error}")
}

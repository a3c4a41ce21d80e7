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
/// What is written stays far below; more is damage, not data.
const MAX_BYTES: u64 = 1 << 30;
/// A byte of a frame stands for no more than so many: a small file does not fill the memory.
const MAX_RATIO: u64 = 10_000;
/// Frames below this are not measured so.
const ALWAYS_BYTES: u64 = 1 << 20;

/// Appends a value.
pub(crate) fn write<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    let plain = postcard::to_stdvec(value).map_err(io::Error::other)?;
    let packed = zstd::bulk::compress(&plain, ZSTD_LEVEL)?;
    let length = u32::try_from(packed.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&crc32fast::hash(&packed).to_le_bytes())?;
    out.write_all(&packed)
}

/// Bytes that are read from front to back.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    /// Where it stands.
    pub(crate) offset: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, offset: 0 }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.offset == self.bytes.len()
    }

    /// The next `n` bytes, which hold `what`.
    pub(crate) fn take(&mut self, n: usize, what: &str) -> Result<&'a [u8], String> {
        let left = self.bytes.len() - self.offset;
        if left < n {
            return Err(format!("expected {n} bytes of {what}, got {left}"));
        }
        let taken = &self.bytes[self.offset..self.offset + n];
        self.offset += n;
        Ok(taken)
    }

    pub(crate) fn take_u32(&mut self, what: &str) -> Result<u32, String> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    /// The value in the next frame.
    pub(crate) fn frame<T: DeserializeOwned>(&mut self) -> Result<T, String> {
        let start = self.offset;
        let length = self.take_u32("a frame's length")? as usize;
        let expected = self.take_u32("a frame's checksum")?;
        let packed = self.take(length, "a frame")?;
        let got = crc32fast::hash(packed);
        if got != expected {
            self.offset = start;
            return Err(format!(
                "expected a frame with CRC-32 {expected:08x}, got {got:08x}"
            ));
        }
        let undecoded = |error: String| format!("a frame does not decode: {error}");
        let limit = (packed.len() as u64 * MAX_RATIO + ALWAYS_BYTES).min(MAX_BYTES);
        let mut plain = Vec::new();
        zstd::Decoder::new(packed)
            .and_then(|unpacker| unpacker.take(limit + 1).read_to_end(&mut plain))
            .map_err(|error| undecoded(error.to_string()))?;
        if plain.len() as u64 > limit {
            return Err(undecoded(format!("it holds more than {limit} bytes")));
        }
        postcard::from_bytes(&plain).map_err(|error| undecoded(error.to_string()))
    }
}

//! Squares.

use serde::{Serialize, Serializer};
use std::fmt;

/// A square by its number: a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub(crate) u8);

impl Square {
    /// The square of a number below 64.
    #[must_use]
    pub fn new(number: usize) -> Option<Square> {
        (number < 64).then_some(Square(number as u8))
    }

    /// 0 to 63.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this square alone.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Reads `a1` to `h8`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Square> {
        let &[file, rank] = text.as_bytes() else {
            return None;
        };
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        (file < 8 && rank < 8).then(|| Square(rank * 8 + file))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = (self.0 % 8, self.0 / 8);
        write!(f, "{}{}", char::from(b'a' + file), rank + 1)
    }
}

impl Serialize for Square {
    /// As its text, such as `"d4"`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

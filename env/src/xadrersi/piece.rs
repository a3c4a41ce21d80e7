//! Kinds of pieces, and squares.

use serde::{Serialize, Serializer};
use std::fmt;

/// The number of kinds.
pub(super) const N_KINDS: usize = 5;

/// A kind of piece, in the order of the action ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// One a side.
    King = 0,
    /// One a side.
    Queen = 1,
    /// Two a side.
    Rook = 2,
    /// Two a side, on squares of different colours.
    Bishop = 3,
    /// Two a side.
    Knight = 4,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; N_KINDS] = [
        Kind::King,
        Kind::Queen,
        Kind::Rook,
        Kind::Bishop,
        Kind::Knight,
    ];

    /// 0 to 4: the position of this kind in every `[_; 5]`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many a side has at the beginning.
    #[inline]
    #[must_use]
    pub const fn stock(self) -> u8 {
        [1, 1, 2, 2, 2][self.index()]
    }

    /// `K`, `Q`, `R`, `B` or `N`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['K', 'Q', 'R', 'B', 'N'][self.index()]
    }

    /// The kind of a letter of either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Kind> {
        let letter = letter.to_ascii_uppercase();
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["king", "queen", "rook", "bishop", "knight"][self.index()])
    }
}

/// A square by its number: a1 = 0, b1 = 1, … h8 = 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub(super) u8);

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
    pub(super) const fn bit(self) -> u64 {
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

impl Serialize for Kind {
    /// As its letter, such as `"Q"`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

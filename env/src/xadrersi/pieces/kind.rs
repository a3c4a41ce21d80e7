//! Kinds of pieces.

use serde::{Serialize, Serializer};
use std::fmt;

/// The number of kinds.
pub(crate) const N_KINDS: usize = 5;

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

impl Serialize for Kind {
    /// As its letter, such as `"Q"`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

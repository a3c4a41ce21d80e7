//! The board without its pieces: squares, sets of squares, and the symmetries.

pub(super) mod bitboard;
pub(super) mod square;
pub(super) mod symmetry;

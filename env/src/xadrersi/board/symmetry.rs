//! The symmetries of the board.

use super::bitboard::{Bitboard, squares};
use super::square::Square;

pub(crate) const N_SYMMETRIES: usize = 8;

/// Where a symmetry takes a square: transposed for the upper four, then mirrored.
pub(crate) fn image(symmetry: usize, square: Square) -> Square {
    assert!(symmetry < N_SYMMETRIES, "symmetry {symmetry} of 8");
    let (mut file, mut rank) = (square.0 % 8, square.0 / 8);
    if symmetry & 4 != 0 {
        (file, rank) = (rank, file);
    }
    if symmetry & 2 != 0 {
        rank = 7 - rank;
    }
    if symmetry & 1 != 0 {
        file = 7 - file;
    }
    Square(rank * 8 + file)
}

/// Where it takes a set of squares.
pub(crate) fn image_of_set(symmetry: usize, set: Bitboard) -> Bitboard {
    squares(set).fold(0, |images, square| images | image(symmetry, square).bit())
}

//! Sets of squares as 64 bits.

use super::square::Square;

/// Bit s: square s (a1 = 0, b1 = 1, … h8 = 63).
pub(crate) type Bitboard = u64;

const FILE_A: Bitboard = 0x0101_0101_0101_0101;
const FILE_H: Bitboard = FILE_A << 7;

/// The squares of the colour of a1.
pub(crate) const DARK: Bitboard = 0xaa55_aa55_aa55_aa55;

/// The squares that have a neighbour in the set, among their eight; not the set itself, but for
/// squares that are neighbours of each other.
#[inline]
pub(crate) const fn neighbours(set: Bitboard) -> Bitboard {
    let sideways = ((set & !FILE_H) << 1) | ((set & !FILE_A) >> 1);
    let row = set | sideways;
    sideways | (row << 8) | (row >> 8)
}

/// Whether one can go from any square of the set to any other by king's moves within it.
pub(crate) const fn is_connected(set: Bitboard) -> bool {
    let mut reached = set & set.wrapping_neg();
    loop {
        let next = reached | (neighbours(reached) & set);
        if next == reached {
            return reached == set;
        }
        reached = next;
    }
}

/// The squares of a set, ascending.
#[inline]
pub(crate) fn squares(mut set: Bitboard) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| Square(set.trailing_zeros() as u8));
        set &= set.wrapping_sub(1);
        lowest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(texts: &str) -> Bitboard {
        let squares = texts.split_whitespace().map(Square::parse);
        squares.fold(0, |set, square| set | square.unwrap().bit())
    }

    #[test]
    fn neighbours_do_not_cross_the_borders() {
        assert_eq!(neighbours(set("a1")), set("a2 b1 b2"));
        assert_eq!(neighbours(set("h4")), set("h3 h5 g3 g4 g5"));
        assert_eq!(neighbours(set("d8")), set("c8 e8 c7 d7 e7"));
        let pair = neighbours(set("a1 b1"));
        assert_eq!(pair, set("a1 b1 c1 a2 b2 c2"));
    }

    #[test]
    fn connection_counts_corners() {
        assert!(is_connected(set("a1 b2 c3 c4")));
        assert!(is_connected(0) && is_connected(set("h8")));
        assert!(!is_connected(set("a1 c3")));
        assert!(!is_connected(set("h1 a2")), "no way around the border");
    }

    #[test]
    fn dark_squares_are_those_of_a1() {
        let dark = set("a1 c1 b2 h8 g7");
        assert_eq!(dark & DARK, dark);
        assert_eq!(set("b1 a2 h1 a8") & DARK, 0);
        assert_eq!(DARK.count_ones(), 32);
    }
}

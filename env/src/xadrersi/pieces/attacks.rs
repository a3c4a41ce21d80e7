//! The moves of chess: what a piece attacks.

use super::kind::Kind;
use crate::xadrersi::board::bitboard::{Bitboard, neighbours};
use crate::xadrersi::board::square::Square;

/// The squares that a piece of this kind attacks: all in reach of its move, for bishops, rooks and
/// queens up to the first occupied square, which is included.
#[inline]
pub(crate) fn attacks(kind: Kind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::King => neighbours(square.bit()),
        Kind::Queen => straight(square, occupied) | diagonal(square, occupied),
        Kind::Rook => straight(square, occupied),
        Kind::Bishop => diagonal(square, occupied),
        Kind::Knight => KNIGHT[square.index()],
    }
}

#[inline]
fn straight(square: Square, occupied: Bitboard) -> Bitboard {
    rising(NORTH, square, occupied)
        | rising(EAST, square, occupied)
        | falling(SOUTH, square, occupied)
        | falling(WEST, square, occupied)
}

#[inline]
fn diagonal(square: Square, occupied: Bitboard) -> Bitboard {
    rising(NORTH_EAST, square, occupied)
        | rising(NORTH_WEST, square, occupied)
        | falling(SOUTH_WEST, square, occupied)
        | falling(SOUTH_EAST, square, occupied)
}

/// A ray towards higher squares, cut behind its first blocker. Without one, h8 stands in, from
/// where no such ray goes on.
#[inline]
fn rising(direction: usize, square: Square, occupied: Bitboard) -> Bitboard {
    let ray = RAYS[direction][square.index()];
    let first = ((ray & occupied) | 1 << 63).trailing_zeros();
    ray ^ RAYS[direction][first as usize]
}

/// A ray towards lower squares, cut behind its first blocker. Without one, a1 stands in.
#[inline]
fn falling(direction: usize, square: Square, occupied: Bitboard) -> Bitboard {
    let ray = RAYS[direction][square.index()];
    let first = 63 - ((ray & occupied) | 1).leading_zeros();
    ray ^ RAYS[direction][first as usize]
}

const NORTH: usize = 0;
const EAST: usize = 1;
const NORTH_EAST: usize = 2;
const NORTH_WEST: usize = 3;
const SOUTH: usize = 4;
const WEST: usize = 5;
const SOUTH_WEST: usize = 6;
const SOUTH_EAST: usize = 7;

/// (files, ranks) of one step in each direction.
const STEPS: [(i32, i32); 8] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (-1, 1),
    (0, -1),
    (-1, 0),
    (-1, -1),
    (1, -1),
];

/// `RAYS[direction][square]`: all squares in this direction, without the square itself.
static RAYS: [[Bitboard; 64]; 8] = {
    let mut rays = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut square = 0;
        while square < 64 {
            let mut target = step(square, STEPS[direction]);
            while let Some(to) = target {
                rays[direction][square as usize] |= 1 << to;
                target = step(to, STEPS[direction]);
            }
            square += 1;
        }
        direction += 1;
    }
    rays
};

/// `KNIGHT[square]`: the squares that a knight attacks from there.
static KNIGHT: [Bitboard; 64] = {
    const JUMPS: [(i32, i32); 8] = [
        (1, 2),
        (2, 1),
        (2, -1),
        (1, -2),
        (-1, -2),
        (-2, -1),
        (-2, 1),
        (-1, 2),
    ];
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut jump = 0;
        while jump < 8 {
            if let Some(to) = step(square, JUMPS[jump]) {
                table[square as usize] |= 1 << to;
            }
            jump += 1;
        }
        square += 1;
    }
    table
};

/// The square so many files and ranks away, if it is on the board.
const fn step(square: i32, (files, ranks): (i32, i32)) -> Option<i32> {
    let (file, rank) = (square % 8 + files, square / 8 + ranks);
    if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        Some(rank * 8 + file)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(texts: &str) -> Bitboard {
        let squares = texts.split_whitespace().map(Square::parse);
        squares.fold(0, |set, square| set | square.unwrap().bit())
    }

    #[test]
    fn sliders_stop_at_the_first_piece() {
        let d4 = Square::parse("d4").unwrap();
        let occupied = set("d4 d6 f4 c3 h8 d1");
        let rook = set("d5 d6 e4 f4 c4 b4 a4 d3 d2 d1");
        let bishop = set("c3 c5 b6 a7 e3 f2 g1 e5 f6 g7 h8");
        assert_eq!(attacks(Kind::Rook, d4, occupied), rook);
        assert_eq!(attacks(Kind::Bishop, d4, occupied), bishop);
        assert_eq!(attacks(Kind::Queen, d4, occupied), rook | bishop);
    }

    #[test]
    fn steppers_attack_through_everything() {
        let all = Bitboard::MAX;
        let knight = |text| attacks(Kind::Knight, Square::parse(text).unwrap(), all);
        assert_eq!(knight("a1"), set("b3 c2"));
        assert_eq!(knight("g7"), set("e8 e6 f5 h5"));
        assert_eq!(knight("d4"), set("c6 e6 f5 f3 e2 c2 b3 b5"));
        let king = attacks(Kind::King, Square::parse("h8").unwrap(), all);
        assert_eq!(king, set("g8 g7 h7"));
    }
}

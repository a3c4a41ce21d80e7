//! The number that stands for a position in the repetition rule and in tables.
//!
//! A position is taken as a polynomial in x and y over the integers modulo the prime 2^61 - 1:
//! the sum of `weight(kind, colour, level) * x^q * y^r` over its pieces, with one more term for
//! the stunned piece and a constant for the player to move. Cells count from the corner of the
//! hive's frame, so that translation makes no difference. Two different positions are two
//! different polynomials of degree 31 at most in each variable, which are equal at a random point
//! with a probability of about 2^-55 (Schwartz and Zippel).

use super::cell::{N_CELLS, SIDE};
use super::piece::{N_KINDS, N_PIECES, N_PIECES_A_SIDE, Piece};
use super::stacks::{Board, pieces_of};
use crate::Player;
use crate::random::mix;

const PRIME: u64 = (1 << 61) - 1;

/// A number below the prime, drawn once and for all.
const fn draw(index: u64) -> u64 {
    mix(mix(0x48_69_76_65) ^ index) % PRIME
}

/// x^q * y^r at `r * 32 + q`.
static POWERS: [u64; N_CELLS] = {
    const fn times(a: u64, b: u64) -> u64 {
        (a as u128 * b as u128 % PRIME as u128) as u64
    }
    let (x, y) = (draw(0), draw(1));
    let mut powers = [1; N_CELLS];
    let mut index = 1;
    while index < N_CELLS {
        powers[index] = if index < SIDE {
            times(powers[index - 1], x)
        } else {
            times(powers[index - SIDE], y)
        };
        index += 1;
    }
    powers
};

/// The highest stack has seven pieces: any bug, four beetles and two mosquitoes.
const MAX_LEVELS: usize = 8;

/// By piece, then by level; in the second half for the stunned piece. Pieces of one kind and
/// colour weigh the same.
static WEIGHTS: [[[u64; MAX_LEVELS]; N_PIECES]; 2] = {
    let mut weights = [[[0; MAX_LEVELS]; N_PIECES]; 2];
    let mut index = 0;
    while index < 2 * N_PIECES * MAX_LEVELS {
        let (level, piece) = (index % MAX_LEVELS, index / MAX_LEVELS % N_PIECES);
        let stunned = index / MAX_LEVELS / N_PIECES;
        let kind = Piece::from_index(piece).kind() as usize * 2 + piece / N_PIECES_A_SIDE;
        weights[stunned][piece][level] =
            draw((2 + level + MAX_LEVELS * (kind + 2 * N_KINDS * stunned)) as u64);
        index += 1;
    }
    weights
};

const SECOND_TO_MOVE: u64 = draw(1000);

/// The key of a position.
pub(crate) fn key(board: &Board, to_move: Player, stunned: Option<Piece>) -> u64 {
    let row = first_of(board.rows);
    let column = first_of(board.columns);
    let term = |piece: Piece, weights: &[[u64; MAX_LEVELS]; N_PIECES]| {
        let Some(cell) = board.cell_of(piece) else {
            return 0;
        };
        let place = (cell.r() + SIDE - row) % SIDE * SIDE + (cell.q() + SIDE - column) % SIDE;
        u128::from(weights[piece.index()][board.level(piece) % MAX_LEVELS])
            * u128::from(POWERS[place])
    };
    // Below 2^122 each, so that all fit before they are reduced.
    let mut sum = 0;
    for piece in pieces_of(board.pieces) {
        sum += term(piece, &WEIGHTS[0]);
    }
    sum += stunned.map_or(0, |piece| term(piece, &WEIGHTS[1]));
    sum += u128::from(SECOND_TO_MOVE) * to_move as u128;
    mix(reduce(sum))
}

/// The remainder modulo the prime, of which 2^61 is 1.
fn reduce(sum: u128) -> u64 {
    let folded = (sum & u128::from(PRIME)) + (sum >> 61);
    let folded = (folded as u64 & PRIME) + (folded >> 61) as u64;
    folded % PRIME
}

/// The first of a circular range of set bits; 0 if there is none. A hive is connected, so that
/// its rows are consecutive on the circle, and so are its columns.
pub(super) fn first_of(bits: u32) -> usize {
    (bits & !bits.rotate_left(1)).trailing_zeros() as usize % SIDE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hive::Cell;

    #[test]
    fn remainders_are_those_of_division() {
        for index in 0..1000 {
            let sum = u128::from(mix(index)) << 63 | u128::from(mix(index + 1000));
            assert_eq!(u128::from(reduce(sum)), sum % u128::from(PRIME), "{sum:x}");
        }
        for sum in [0, 1, u128::from(PRIME), u128::from(PRIME) * 7, 1 << 61] {
            assert_eq!(u128::from(reduce(sum)), sum % u128::from(PRIME));
        }
    }

    #[test]
    fn translation_changes_no_key_and_everything_else_does() {
        let queen = Piece::queen(Player::First);
        let beetle = Piece::from_index(3);
        let place = |q, r, dq, dr| {
            let mut board = Board::EMPTY;
            board.drop_on(queen, Cell::new(q, r));
            board.drop_on(beetle, Cell::new(q + dq, r + dr));
            key(&board, Player::First, None)
        };
        for shift in 0..40 {
            assert_eq!(place(0, 0, 1, 0), place(shift, -3 * shift, 1, 0));
        }
        let directions = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1), (0, 0)];
        let mut keys: Vec<u64> = directions
            .into_iter()
            .map(|(dq, dr)| place(5, 5, dq, dr))
            .collect();
        let mut board = Board::EMPTY;
        board.drop_on(queen, Cell::new(0, 0));
        board.drop_on(beetle, Cell::new(1, 0));
        keys.push(key(&board, Player::Second, None));
        keys.push(key(&board, Player::First, Some(beetle)));
        keys.push(key(&board, Player::First, Some(queen)));
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 10);
    }
}

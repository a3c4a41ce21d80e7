//! An action is a kind of piece on a square: which may be placed in a position, and where.

use super::kind::{Kind, N_KINDS};
use crate::ActionId;
use crate::bits::select;
use crate::xadrersi::board::bitboard::{Bitboard, DARK, neighbours};
use crate::xadrersi::board::square::Square;
use crate::xadrersi::state::{N_PLIES, State};

/// The number of action ids: a kind and a square.
pub(crate) const N_ACTIONS: usize = N_KINDS * 64;

/// The kind and the square of an action id below `N_ACTIONS`.
#[inline]
pub(crate) fn parts(action: ActionId) -> (Kind, Square) {
    (
        Kind::ALL[action.index() / 64],
        Square((action.0 % 64) as u8),
    )
}

/// What the player to move may place, and where.
#[derive(Clone, Copy)]
pub(crate) struct Placements {
    /// Bit k: kind k is in hand and may be placed now.
    kinds: u8,
    /// Where all of them may go but bishops.
    squares: Bitboard,
    /// Where a bishop may go.
    bishop_squares: Bitboard,
}

impl Placements {
    #[inline]
    pub(crate) fn new(state: &State) -> Placements {
        let occupied = state.occupied();
        let (kinds, squares) = match (state.n_pieces, state.anchor) {
            (0, _) => (1, Bitboard::MAX),
            (N_PLIES, _) => (0, 0),
            (_, Some(anchor)) => (1, neighbours(anchor.bit()) & !occupied),
            (n_pieces, None) => {
                let mut squares = neighbours(occupied) & !occupied;
                if n_pieces == N_PLIES - 2 {
                    squares &= neighbours(!occupied);
                }
                (placeable(state), squares)
            }
        };
        Placements {
            kinds,
            squares,
            bishop_squares: squares & bishop_colours(state),
        }
    }

    /// Where a kind may go; nowhere if it may not be placed now.
    #[inline]
    pub(crate) fn of(&self, kind: Kind) -> Bitboard {
        let squares = match kind {
            Kind::Bishop => self.bishop_squares,
            _ => self.squares,
        };
        if self.kinds >> kind.index() & 1 == 1 {
            squares
        } else {
            0
        }
    }

    #[inline]
    pub(crate) fn count(&self) -> usize {
        const BISHOP: u8 = 1 << Kind::Bishop.index();
        let n_bishop_squares = if self.kinds & BISHOP == 0 {
            0
        } else {
            self.bishop_squares.count_ones()
        };
        let n_others = (self.kinds & !BISHOP).count_ones();
        (n_others * self.squares.count_ones() + n_bishop_squares) as usize
    }

    /// The `rank`-th action in ascending order; `rank` must be below `count`.
    #[inline]
    pub(crate) fn nth(&self, rank: usize) -> (Kind, Square) {
        let mut rank = rank as u32;
        for kind in Kind::ALL {
            let squares = self.of(kind);
            let count = squares.count_ones();
            if rank < count {
                return (kind, Square(select(squares, rank) as u8));
            }
            rank -= count;
        }
        unreachable!("the rank is below the number of actions")
    }
}

/// Bit k: kind k is in hand and may be placed between the two kings.
#[inline]
fn placeable(state: &State) -> u8 {
    const QUEEN: u8 = 1 << Kind::Queen.index();
    if state.queen_called() {
        return QUEEN;
    }
    let left = &state.left[state.to_move().index()];
    (1..N_KINDS).fold(0, |kinds, kind| kinds | u8::from(left[kind] > 0) << kind)
}

/// The squares whose colour no bishop of the player to move has yet.
#[inline]
pub(crate) fn bishop_colours(state: &State) -> Bitboard {
    match own_bishops(state) {
        0 => Bitboard::MAX,
        bishops if bishops & DARK == 0 => DARK,
        _ => !DARK,
    }
}

#[inline]
pub(crate) fn own_bishops(state: &State) -> Bitboard {
    state.kinds[Kind::Bishop.index()] & state.side(state.to_move())
}

//! Actions as players talk of them: where a bug comes from and goes to, as seen from both queens.
//!
//! # Features
//! Kinds and places are those of the [features of positions](super::features). Each group one after
//! the other:
//!
//! | group | numbers | a fact |
//! |---|---|---|
//! | to | 16 * 128, thrice | kind and destination around the own queen; the enemy's; the first piece, while no queen is down |
//! | from | 16 * 128, twice | kind and source around the own queen, and the enemy's |
//! | hand | 16 | a placement, by kind |
//! | sieges | 49, 49 | occupied cells around the own queen before and after; around the enemy's |
//! | covers | 16 | the piece that the bug comes to lie on |
//! | uncovers | 16 | the piece that it lay on |
//! | touches | 16 + 49 | the one neighbour that it has at its destination; else how many own and enemy tops are around it |
//! | pass | 1 | a pass |

use super::action::Action;
use super::board::Board;
use super::cell::Cell;
use super::encoding::kind_seen_by;
use super::features::{N_SEEN, View, images_of_places};
use super::piece::Piece;
use super::places::{BEYOND_BESIDE, N_PLACES, place};
use super::state::State;
use super::steps::cells;
use crate::features::group_starts;
use crate::{ActionFeatures, ActionId, Player};
use arrayvec::ArrayVec;

const PLACED: usize = N_SEEN * N_PLACES;
const PAIRS: usize = 49;
const SIZES: [usize; 12] = [
    PLACED,
    PLACED,
    PLACED,
    PLACED,
    PLACED,
    N_SEEN,
    PAIRS,
    PAIRS,
    N_SEEN,
    N_SEEN,
    N_SEEN + PAIRS,
    1,
];

pub(super) const N_ACTION_FEATURES: usize = {
    let (mut sum, mut at) = (0, 0);
    while at < SIZES.len() {
        sum += SIZES[at];
        at += 1;
    }
    sum
};

/// Two destinations and two sources, two sieges, and one of covers, uncovers and touches each.
pub(super) const MOST_ACTIVE_OF_ACTION: usize = 9;

pub(super) fn images(symmetry: usize) -> Vec<u32> {
    images_of_places(symmetry, 5 * N_SEEN, N_ACTION_FEATURES)
}

pub(super) fn write_actions(state: &State, legal: &[ActionId], out: &mut ActionFeatures) {
    out.clear();
    let view = View::of(state);
    let starts = group_starts(0, SIZES);
    for &action in legal {
        match Action::from_id(action).expect("an action id below n_actions") {
            Action::Pass => out.push([starts[11] as u32]),
            Action::Put(piece, to) => out.push(of_move(state, view, &starts, piece, to)),
        }
    }
}

/// The features of a piece that goes to a cell.
fn of_move(
    state: &State,
    view: View,
    starts: &[usize; 12],
    piece: Piece,
    to: Cell,
) -> ArrayVec<u32, MOST_ACTIVE_OF_ACTION> {
    let board = &state.board;
    let kind = kind_seen_by(view.mover, piece);
    let from = board.cell_of(piece);
    let mut features = ArrayVec::new();
    let mut push = |group: usize, fact: usize| features.push((starts[group] + fact) as u32);
    for (group, anchor) in view.anchors().into_iter().enumerate() {
        if let Some(anchor) = anchor {
            push(group, kind * N_PLACES + place(anchor, to));
        }
    }
    match from {
        Some(from) => {
            for (side, queen) in view.queens.into_iter().enumerate() {
                if let Some(queen) = queen {
                    push(3 + side, kind * N_PLACES + place(queen, from));
                }
            }
        }
        None => push(5, kind),
    }
    let left = from.filter(|_| board.level(piece) == 0);
    for (side, queen) in view.queens.into_iter().enumerate() {
        if let Some(queen) = queen {
            push(6 + side, siege(board, queen, left, to));
        }
    }
    if let Some(top) = board.top(to) {
        push(8, kind_seen_by(view.mover, top));
    }
    if let Some(under) = from.and_then(|_| board.under(piece)) {
        push(9, kind_seen_by(view.mover, under));
    }
    push(10, touches(board, view.mover, left, to));
    features
}

/// The direction of a cell beside another, as a bit; none where there is none.
#[inline]
fn bit_of(anchor: Cell, cell: Cell) -> usize {
    match place(anchor, cell) {
        at @ 1..BEYOND_BESIDE => 1 << (at - 1),
        _ => 0,
    }
}

/// The occupied cells around a queen before and after a piece leaves a cell, which becomes empty,
/// and goes to another.
fn siege(board: &Board, queen: Cell, left: Option<Cell>, to: Cell) -> usize {
    let before = board.occupied.around(queen);
    let after = if left == Some(queen) {
        board.occupied.around(to) & !bit_of(to, queen)
    } else {
        before & !left.map_or(0, |left| bit_of(queen, left)) | bit_of(queen, to)
    };
    (before.count_ones() * 7 + after.count_ones()) as usize
}

/// The neighbour at a destination if there is one alone, else how many of each side there are.
fn touches(board: &Board, mover: Player, left: Option<Cell>, to: Cell) -> usize {
    let gone = left.map_or(0, |left| bit_of(to, left));
    let [own, enemy] =
        [mover, mover.opponent()].map(|player| board.tops_of[player.index()].around(to) & !gone);
    let both = own | enemy;
    if both.is_power_of_two()
        && let Some(top) = cells(to, both).next().and_then(|cell| board.top(cell))
    {
        return kind_seen_by(mover, top);
    }
    N_SEEN + (own.count_ones() * 7 + enemy.count_ones()) as usize
}

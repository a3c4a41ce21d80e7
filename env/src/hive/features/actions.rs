//! The facts of an action: the second table of [the features](super).

use super::places::{BEYOND_BESIDE, N_PLACES, images_of_places, place};
use super::seen::{N_SEEN, View};
use crate::features::group_starts;
use crate::hive::board::action::Action;
use crate::hive::board::cell::Cell;
use crate::hive::board::cell_set::Around;
use crate::hive::board::piece::Piece;
use crate::hive::board::stacks::Board;
use crate::hive::state::State;
use crate::{ActionFeatures, ActionId};
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

const STARTS: [usize; SIZES.len()] = group_starts(0, SIZES);
const FROM: usize = STARTS[3];
const HAND: usize = STARTS[5];
const SIEGES: usize = STARTS[6];
const COVERS: usize = STARTS[8];
const UNCOVERS: usize = STARTS[9];
const TOUCHES: usize = STARTS[10];
const PASS: usize = STARTS[11];

pub(super) const N_ACTION_FEATURES: usize = PASS + 1;

/// Two destinations and two sources, two sieges, and one of covers, uncovers and touches each.
pub(super) const MOST_ACTIVE_OF_ACTION: usize = 9;

pub(super) fn images(symmetry: usize) -> Vec<u32> {
    images_of_places(symmetry, 5 * N_SEEN, N_ACTION_FEATURES)
}

pub(crate) fn write_actions(state: &State, legal: &[ActionId], out: &mut ActionFeatures) {
    out.clear();
    let view = View::of(state);
    let mut mover: Option<Mover> = None;
    for &action in legal {
        let Action::Put(piece, to) = Action::from_id(action).expect("an action id below n_actions")
        else {
            out.push([PASS as u32]);
            continue;
        };
        // Actions of one piece follow one another.
        let mover = match &mut mover {
            Some(mover) if mover.piece == piece => mover,
            other => other.insert(Mover::new(state, view, piece)),
        };
        mover.push(state, to, out);
    }
}

/// A piece that goes somewhere, and what is the same wherever it goes.
struct Mover {
    view: View,
    piece: Piece,
    /// As the player to move sees it.
    kind: usize,
    /// Both sources, or the hand.
    source: ArrayVec<u32, 2>,
    /// The cell that becomes empty.
    left: Option<Cell>,
    /// For each queen the occupied cells around her before, and once the piece is gone.
    sieges: [[usize; 2]; 2],
    uncovers: Option<u32>,
}

impl Mover {
    fn new(state: &State, view: View, piece: Piece) -> Mover {
        let board = &state.board;
        let kind = piece.kind_seen_by(view.mover);
        let from = board.cell_of(piece);
        let left = from.filter(|_| board.level(piece) == 0);
        let mut source = ArrayVec::new();
        match from {
            None => source.push((HAND + kind) as u32),
            Some(from) => {
                for (side, queen) in view.queens.into_iter().enumerate() {
                    if let Some(queen) = queen {
                        let at = (side * N_SEEN + kind) * N_PLACES + place(queen, from);
                        source.push((FROM + at) as u32);
                    }
                }
            }
        }
        let sieges = view.queens.map(|queen| {
            let before = queen.map_or(0, |queen| board.occupied.around(queen));
            let gone = queen
                .zip(left)
                .map_or(0, |(queen, left)| bit_of(queen, left));
            [before, before & !gone]
        });
        let under = from.and_then(|_| board.under(piece));
        Mover {
            view,
            piece,
            kind,
            source,
            left,
            sieges,
            uncovers: under.map(|under| (UNCOVERS + under.kind_seen_by(view.mover)) as u32),
        }
    }

    /// Adds the features of the piece that goes to a cell.
    #[inline]
    fn push(&self, state: &State, to: Cell, out: &mut ActionFeatures) {
        let board = &state.board;
        let mut features: ArrayVec<u32, MOST_ACTIVE_OF_ACTION> = ArrayVec::new();
        let mut sieges: ArrayVec<u32, 2> = ArrayVec::new();
        for (group, anchor) in self.view.anchors().into_iter().enumerate() {
            let Some(anchor) = anchor else { continue };
            let at = place(anchor, to);
            features.push(((group * N_SEEN + self.kind) * N_PLACES + at) as u32);
            let Some(&[before, gone]) = self.sieges.get(group) else {
                continue;
            };
            let after = if self.left == Some(anchor) {
                // The queen herself.
                board.occupied.around(to) & !bit_of(to, anchor)
            } else {
                gone | bit_at(at)
            };
            let siege = SIEGES + group * PAIRS + N_BITS[before] * 7 + N_BITS[after];
            sieges.push(siege as u32);
        }
        features.extend(self.source.iter().copied());
        features.extend(sieges);
        if let Some(top) = board.top(to) {
            features.push((COVERS + top.kind_seen_by(self.view.mover)) as u32);
        }
        features.extend(self.uncovers);
        features.push((TOUCHES + self.touches(board, to)) as u32);
        out.push(features.iter().copied());
    }

    /// The neighbour at a destination if there is one alone, else how many of each side there are.
    #[inline]
    fn touches(&self, board: &Board, to: Cell) -> usize {
        let gone = self.left.map_or(0, |left| bit_of(to, left));
        let mover = self.view.mover;
        let tops = [mover, mover.opponent()].map(|player| &board.tops_of[player.index()]);
        let [own, enemy] = tops.map(|tops| tops.around(to) & !gone);
        let both = own | enemy;
        if both.is_power_of_two()
            && let Some(top) = board.top(to.neighbour_at(both.trailing_zeros() as usize))
        {
            return top.kind_seen_by(mover);
        }
        N_SEEN + N_BITS[own] * 7 + N_BITS[enemy]
    }
}

/// The number of set bits of each set of directions.
static N_BITS: [usize; 64] = {
    let mut counts = [0; 64];
    let mut set: Around = 0;
    while set < 64 {
        counts[set] = set.count_ones() as usize;
        set += 1;
    }
    counts
};

/// The direction of a place beside an anchor, as a bit; none for other places.
#[inline]
fn bit_at(at: usize) -> Around {
    match at {
        1..BEYOND_BESIDE => 1 << (at - 1),
        _ => 0,
    }
}

/// The direction of a cell beside another, as a bit; none where there is none.
#[inline]
fn bit_of(anchor: Cell, cell: Cell) -> Around {
    bit_at(place(anchor, cell))
}

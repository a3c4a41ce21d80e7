//! The facts of a position: the first table of [the features](super).

use super::places::{BEYOND_BESIDE, BEYOND_THIRD, N_PLACES, images_of_places, place};
use super::seen::{N_SEEN, View};
use crate::features::group_starts;
use crate::hive::board::action::Action;
use crate::hive::board::cell::Cell;
use crate::hive::board::piece::{Kind, N_KINDS, N_PIECES, N_PIECES_A_SIDE, Piece};
use crate::hive::board::stacks::{PieceSet, pieces_of};
use crate::hive::config::Hive;
use crate::hive::movement::moves::Moves;
use crate::hive::state::State;
use crate::{ActionId, Player};
use arrayvec::ArrayVec;

/// Layers and kinds.
const N_SLOTS: usize = 2 * N_SEEN + 2 * 4;
const N_STATUSES: usize = 3;
const N_DISTANCES: usize = 3;
/// Bugs of a kind and status are counted up to this.
const TIMES: usize = 3;
/// Two numbers of neighbours.
const PAIRS: usize = 49;

const SIZES: [usize; 16] = [
    N_SLOTS * N_PLACES,
    N_SLOTS * N_PLACES,
    N_SLOTS * N_PLACES,
    N_PLACES,
    N_PLACES,
    N_SEEN,
    N_SEEN * N_STATUSES * N_DISTANCES * TIMES,
    N_SEEN * 3,
    2 * PAIRS,
    2 * 2,
    2 * PAIRS,
    2 * 4,
    2 * 8,
    2 * (N_PIECES_A_SIDE + 1),
    1,
    3 + 6,
];

const STARTS: [usize; SIZES.len()] = group_starts(0, SIZES);

pub(super) const N_FEATURES: usize = STARTS[15] + SIZES[15];

/// Each bug in two frames and with its status; the stunned one; kinds in hands; and of each side
/// and the position what there is one of.
pub(super) const MOST_ACTIVE: usize = 3 * N_PIECES + 3 + N_SEEN + 2 * 6 + 3;

/// The number of a bug's layer and kind.
fn slot(state: &State, piece: Piece, kind: usize) -> usize {
    let covered = usize::from(state.board.covered >> piece.index() & 1 == 1);
    if state.board.level(piece) == 0 {
        return covered * N_SEEN + kind;
    }
    let side = kind / N_KINDS;
    let climber = usize::from(kind % N_KINDS != Kind::Beetle as usize);
    2 * N_SEEN + covered * 4 + side * 2 + climber
}

/// The number of the highest set bit of a count plus one, below `size`.
fn in_powers(count: usize, size: usize) -> usize {
    ((count + 1).ilog2() as usize).min(size - 1)
}

pub(crate) fn write_position(game: &Hive, state: &State, legal: &[ActionId], out: &mut Vec<u32>) {
    out.clear();
    let view = View::of(state);
    let free = state.free_pieces();
    let Bugs {
        layers,
        mut statuses,
    } = Bugs::new(state, view, free);
    for (anchor, start) in view.anchors().into_iter().zip(STARTS) {
        if let Some(anchor) = anchor {
            write_frame(anchor, &layers, start, out);
        }
    }
    if let Some(stunned) = state.stunned()
        && let Some(cell) = state.board.cell_of(stunned)
    {
        for (queen, start) in view.queens.into_iter().zip(&STARTS[3..]) {
            out.extend(queen.map(|queen| (start + place(queen, cell)) as u32));
        }
        out.push((STARTS[5] + stunned.kind_seen_by(view.mover)) as u32);
    }
    write_statuses(&mut statuses, out);
    write_hands(game, state, view, STARTS[7], out);
    write_queens(game, state, view, legal, out);
    for (side, player) in [view.mover, view.mover.opponent()].into_iter().enumerate() {
        let n_free = (free & pieces_of_side(player)).count_ones() as usize;
        out.push((STARTS[13] + side * (N_PIECES_A_SIDE + 1) + n_free) as u32);
    }
    let n_placed = (state.board.pieces & pieces_of_side(view.mover)).count_ones();
    if n_placed == 3 && view.queens[0].is_none() {
        out.push(STARTS[14] as u32);
    }
    out.push((STARTS[15] + (state.n_occurrences() - 1).min(2)) as u32);
    let plies = state.plies_since_placement();
    let bucket = [0, 4, 8, 16, 32]
        .iter()
        .filter(|&&most| plies > most)
        .count();
    out.push((STARTS[15] + 3 + bucket) as u32);
}

fn pieces_of_side(player: Player) -> PieceSet {
    ((1 << N_PIECES_A_SIDE) - 1) << (player.index() * N_PIECES_A_SIDE)
}

/// The bugs on the board, own ones first.
struct Bugs {
    /// The cell of each with the number of its layer and kind, ascending.
    layers: ArrayVec<(usize, Cell), N_PIECES>,
    /// The numbers of their statuses.
    statuses: ArrayVec<u16, N_PIECES>,
}

impl Bugs {
    fn new(state: &State, view: View, free: PieceSet) -> Bugs {
        let board = &state.board;
        let mut bugs = Bugs {
            layers: ArrayVec::new(),
            statuses: ArrayVec::new(),
        };
        // What is not on the ground and uncovered.
        let mut raised: ArrayVec<(usize, Cell), N_PIECES> = ArrayVec::new();
        for (side, player) in [view.mover, view.mover.opponent()].into_iter().enumerate() {
            let opposing = view.queens[1 - side];
            for piece in pieces_of(board.pieces & pieces_of_side(player)) {
                let Some(cell) = board.cell_of(piece) else {
                    continue;
                };
                let kind = side * N_KINDS + piece.kind() as usize;
                match slot(state, piece, kind) {
                    slot @ ..N_SEEN => bugs.layers.push((slot, cell)),
                    slot => raised.push((slot, cell)),
                }
                let has = |set: PieceSet| set >> piece.index() & 1 == 1;
                let status = match (has(board.covered), has(free)) {
                    (true, _) => 2,
                    (false, true) => 0,
                    (false, false) => 1,
                };
                let distance = match opposing.map(|queen| place(queen, cell)) {
                    Some(..BEYOND_BESIDE) => 0,
                    Some(BEYOND_BESIDE..BEYOND_THIRD) => 1,
                    _ => 2,
                };
                let number = (kind * N_STATUSES + status) * N_DISTANCES + distance;
                bugs.statuses.push(number as u16);
            }
        }
        raised.sort_unstable_by_key(|bug| bug.0);
        bugs.layers.extend(raised);
        bugs
    }
}

/// The bugs around an anchor.
fn write_frame(anchor: Cell, bugs: &[(usize, Cell)], start: usize, out: &mut Vec<u32>) {
    let mut features = [0; N_PIECES];
    let mut n = 0;
    for &(slot, cell) in bugs {
        let feature = (start + slot * N_PLACES + place(anchor, cell)) as u32;
        // Bugs of one kind come in any order, and far ones fall together.
        let above = features[..n]
            .iter()
            .rev()
            .take_while(|&&other| other > feature);
        let at = n - above.count();
        if at == 0 || features[at - 1] != feature {
            features.copy_within(at..n, at + 1);
            features[at] = feature;
            n += 1;
        }
    }
    out.extend_from_slice(&features[..n]);
}

/// At least k bugs with a status, for each k; there are no more than three bugs of a kind.
fn write_statuses(statuses: &mut [u16], out: &mut Vec<u32>) {
    statuses.sort_unstable();
    for same in statuses.chunk_by(|a, b| a == b) {
        let first = STARTS[6] + usize::from(same[0]) * TIMES;
        out.extend((0..same.len()).map(|k| (first + k) as u32));
    }
}

fn write_hands(game: &Hive, state: &State, view: View, start: usize, out: &mut Vec<u32>) {
    let hands = game.pieces() & !state.board.pieces;
    for (side, player) in [view.mover, view.mover.opponent()].into_iter().enumerate() {
        for kind in Kind::ALL {
            let first = player.index() * N_PIECES_A_SIDE + kind.first();
            let count = (hands >> first & ((1 << kind.count()) - 1)).count_ones() as usize;
            if count > 0 {
                let kind = side * N_KINDS + kind as usize;
                out.push((start + kind * 3 + count - 1) as u32);
            }
        }
    }
}

/// What a side's moves come to.
#[derive(Default)]
struct Reach {
    n_moves: usize,
    /// Cells to which the own queen can go.
    n_escapes: usize,
    /// The directions of the free cells around the opposing queen to which a bug can come that is
    /// not around her, or that leaves another behind.
    fills: u8,
}

impl Reach {
    /// Of the player to move, whose actions are known.
    fn known(state: &State, view: View, legal: &[ActionId]) -> Reach {
        let mut reach = Reach::default();
        let queen = Piece::queen(view.mover);
        for &action in legal {
            let Some(Action::Put(piece, cell)) = Action::from_id(action) else {
                continue;
            };
            reach.n_moves += 1;
            let from = state.board.cell_of(piece);
            reach.n_escapes += usize::from(piece == queen && from.is_some());
            if let Some(besieged) = view.queens[1]
                && let at @ 1..BEYOND_BESIDE = place(besieged, cell)
                && comes_from_outside(state, besieged, piece, from)
            {
                reach.fills |= 1 << (at - 1);
            }
        }
        reach
    }

    /// Of a player if it were their turn.
    fn of_side(game: &Hive, state: &State, player: Player, besieged: Option<Cell>) -> Reach {
        let mut reach = Reach::default();
        let mut moves = Moves::of_side(game, state, player);
        for piece in moves.pieces() {
            let to = moves.of(piece);
            reach.n_moves += to.len();
            let from = state.board.cell_of(piece);
            if piece == Piece::queen(player) && from.is_some() {
                reach.n_escapes = to.len();
            }
            if let Some(queen) = besieged
                && comes_from_outside(state, queen, piece, from)
            {
                reach.fills |= to.cells.around(queen) as u8;
            }
        }
        reach
    }
}

/// Whether a piece that goes to a cell beside a queen leaves none of them.
fn comes_from_outside(state: &State, queen: Cell, piece: Piece, from: Option<Cell>) -> bool {
    from.is_none_or(|from| {
        state.board.level(piece) > 0 || !(1..BEYOND_BESIDE).contains(&place(queen, from))
    })
}

/// The groups of queens, covers, sieges, escapes and moves.
fn write_queens(game: &Hive, state: &State, view: View, legal: &[ActionId], out: &mut Vec<u32>) {
    let board = &state.board;
    let players = [view.mover, view.mover.opponent()];
    let reaches = [
        Reach::known(state, view, legal),
        Reach::of_side(game, state, players[1], view.queens[0]),
    ];
    let queens = || view.queens.into_iter().enumerate();
    let placed = || queens().filter_map(|(side, queen)| Some((side, queen?)));
    for (side, queen) in placed() {
        let [own, enemy] = players.map(|player| {
            let around = board.tops_of[player.index()].around(queen);
            around.count_ones() as usize
        });
        out.push((STARTS[8] + side * PAIRS + own * 7 + enemy) as u32);
    }
    for (side, queen) in placed() {
        if let Some(top) = board.top(queen).filter(|top| top.kind() != Kind::Queen) {
            let by_other = usize::from(top.owner() != players[side]);
            out.push((STARTS[9] + side * 2 + by_other) as u32);
        }
    }
    for (side, queen) in placed() {
        let around = board.occupied.around(queen) as u8;
        let n_fills = (reaches[1 - side].fills & !around).count_ones();
        let siege = around.count_ones() * 7 + n_fills;
        out.push((STARTS[10] + side * PAIRS + siege as usize) as u32);
    }
    for (side, _) in placed() {
        out.push((STARTS[11] + side * 4 + reaches[side].n_escapes.min(3)) as u32);
    }
    for (side, reach) in reaches.iter().enumerate() {
        out.push((STARTS[12] + side * 8 + in_powers(reach.n_moves, 8)) as u32);
    }
}

/// The images of the features of a position.
pub(super) fn images(symmetry: usize) -> Vec<u32> {
    // Frames, and the places of the stunned piece, come first.
    images_of_places(symmetry, 3 * N_SLOTS + 2, N_FEATURES)
}

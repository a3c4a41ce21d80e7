//! What is counted along, shared or cut short is what it stands for, over random games.

use super::*;
use crate::hive::board::cell_set::CellSet;
use crate::hive::board::stacks::Board;
use crate::hive::movement::ants::{Ants, walk};
use crate::hive::movement::pins::Pins;
use crate::random::{positions, stream};

/// Visits the unfinished positions of random games of all types, the empty board excepted.
fn visit(mut look: impl FnMut(&State)) {
    for (index, game) in Hive::all_types().into_iter().enumerate() {
        for seed in 0..5 {
            let random = positions(&game, stream(seed, "along", index as u64));
            for state in random.skip(1).take(200) {
                look(&state);
            }
        }
    }
}

fn occupied_cells(board: &Board) -> Vec<Cell> {
    board.occupied.iter().collect()
}

#[test]
fn the_board_counts_along_what_is_there() {
    visit(|state| {
        let board = &state.board;
        let on_board = || Piece::all().filter(|&piece| board.cell_of(piece).is_some());
        let mut occupied = CellSet::EMPTY;
        let mut tops_of = [CellSet::EMPTY; 2];
        let (mut pieces, mut covered, mut rows, mut columns) = (0, 0, 0, 0);
        for piece in on_board() {
            let cell = state.cell_of(piece).unwrap();
            occupied.insert(cell);
            pieces |= 1 << piece.index();
            rows |= 1 << cell.r();
            columns |= 1 << cell.q();
            if state.top(cell) == Some(piece) {
                tops_of[piece.owner().index()].insert(cell);
            } else {
                covered |= 1 << piece.index();
            }
            let from_top = state.stack(cell).position(|other| other == piece).unwrap();
            assert_eq!(from_top + state.level(piece) + 1, state.height(cell));
        }
        assert_eq!(board.occupied, occupied);
        assert_eq!(board.tops_of, tops_of);
        assert_eq!((board.pieces, board.covered), (pieces, covered));
        assert_eq!((board.rows, board.columns), (rows, columns));
    });
}

/// The outside is one connected region of the torus; each further one is a hole.
#[test]
fn the_board_knows_whether_the_hive_has_a_hole() {
    let mut n_with_hole = 0;
    visit(|state| {
        let mut empty: Vec<Cell> = (0..1024).map(Cell::from_index).collect();
        empty.retain(|&cell| !state.is_occupied(cell));
        let mut n_regions = 0;
        while let Some(cell) = empty.pop() {
            n_regions += 1;
            let mut open = vec![cell];
            while let Some(cell) = open.pop() {
                for next in cell.neighbours() {
                    if let Some(at) = empty.iter().position(|&cell| cell == next) {
                        open.push(empty.swap_remove(at));
                    }
                }
            }
        }
        assert_eq!(state.board.has_holes(), n_regions > 1);
        n_with_hole += usize::from(n_regions > 1);
    });
    assert!(n_with_hole > 100, "{n_with_hole}");
}

#[test]
fn pins_are_the_cells_without_which_the_hive_falls_apart() {
    let mut n_pins_beside_holes = 0;
    visit(|state| {
        let board = &state.board;
        let mut pins = Pins::UNKNOWN;
        for lifted in occupied_cells(board) {
            let mut rest = occupied_cells(board);
            rest.retain(|&cell| cell != lifted);
            let mut open: Vec<Cell> = rest.pop().into_iter().collect();
            while let Some(cell) = open.pop() {
                for next in cell.neighbours() {
                    if let Some(at) = rest.iter().position(|&cell| cell == next) {
                        open.push(rest.swap_remove(at));
                    }
                }
            }
            assert_eq!(pins.splits(board, lifted), !rest.is_empty(), "{state:?}");
            n_pins_beside_holes += usize::from(board.has_holes() && !rest.is_empty());
        }
    });
    assert!(n_pins_beside_holes > 100, "{n_pins_beside_holes}");
}

#[test]
fn an_ant_that_shares_its_walk_reaches_what_it_would_reach_alone() {
    let mut n_ants = 0;
    visit(|state| {
        let board = &state.board;
        let (mut pins, mut ants) = (Pins::UNKNOWN, Ants::UNKNOWN);
        for from in occupied_cells(board) {
            if board.height(from) > 1 || pins.splits(board, from) {
                continue;
            }
            let mut alone = walk(&board.occupied.without(from), from);
            alone.remove(from);
            let mut shared = alone;
            ants.write(&board.occupied, from, &mut shared);
            assert_eq!(shared.cells, alone.cells, "{from:?} in {state:?}");
            assert_eq!(shared.len(), alone.len());
            assert_eq!(ants.count(&board.occupied, from), alone.len());
            n_ants += 1;
        }
    });
    assert!(n_ants > 10_000, "{n_ants}");
}

#[test]
fn the_legality_of_one_action_is_that_of_the_list() {
    let mut legal = Vec::new();
    visit(|state| {
        MLP.legal_actions(state, &mut legal);
        let cells = occupied_cells(&state.board).into_iter();
        let near: Vec<Cell> = cells.flat_map(|cell| cell.neighbours()).collect();
        for piece in Piece::all() {
            for &cell in near.iter().step_by(5) {
                let id = Action::Put(piece, cell).id();
                assert_eq!(MLP.is_legal(state, id), legal.contains(&id));
            }
        }
    });
}

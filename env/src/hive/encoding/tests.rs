//! What observations and slots show of hives, and where a hive is too long for the window.

use super::*;
use crate::hive::{Direction, N_CELLS, N_PIECES};
use crate::random::{positions, stream};
use std::collections::HashMap;

/// A hive put on the board piece by piece, whatever the rules say.
fn hive(pieces: impl IntoIterator<Item = (usize, Cell)>) -> State {
    let mut state = State::empty();
    for (piece, cell) in pieces {
        state.apply(Action::Put(Piece::from_index(piece), cell), true);
    }
    state
}

fn observe(state: &State) -> Vec<f32> {
    let mut observation = vec![f32::NAN; plane::N * AREA];
    Hive::default().write_observation(state, &mut observation);
    observation
}

/// All 28 pieces in a line.
fn line(start: Cell, direction: Direction) -> State {
    let mut cell = start;
    hive((0..N_PIECES).map(|piece| {
        cell = cell.neighbour(direction);
        (piece, cell)
    }))
}

/// The same everywhere, also across the seam of the torus.
#[test]
fn a_translated_hive_looks_the_same_and_has_the_same_slots() {
    // The last of them climbs.
    let at = [(0, 0, 0), (14, 1, 0), (1, -1, 1), (15, 2, -1), (3, 0, 0)];
    let shifted = |q, r| hive(at.map(|(piece, dq, dr)| (piece, Cell::new(q + dq, r + dr))));
    let here = shifted(0, 0);
    let (observation, game) = (observe(&here), Hive::default());
    let slot = |state: &State, piece, q, r| {
        let action = Action::Put(Piece::from_index(piece), Cell::new(q, r));
        game.policy_slot(state, action.id())
    };
    for index in 0..N_CELLS as i32 {
        let (q, r) = (index % 32, index / 32);
        let there = shifted(q, r);
        assert_eq!(observe(&there), observation, "{q} {r}");
        // One in the hand, one on the board, one on top of another.
        for piece in [5, 14, 3] {
            for (dq, dr) in [(2, 0), (0, -1), (-2, 1), (17, 20)] {
                let slot_there = slot(&there, piece, q + dq, r + dr);
                assert_eq!(slot_there, slot(&here, piece, dq, dr));
            }
        }
    }
}

#[test]
fn the_hive_lies_in_the_middle_of_the_window() {
    for (n, first) in [(1, 7), (2, 7), (3, 6), (4, 6), (15, 0), (16, 0)] {
        let state = hive((0..n).map(|piece| (piece, Cell::new(20 + piece as i32, 0))));
        let observation = observe(&state);
        let heights = &observation[plane::HEIGHT * AREA..][..AREA];
        let shown: Vec<usize> = (0..AREA).filter(|&at| heights[at] > 0.0).collect();
        let row = 7 * WINDOW;
        assert!(
            shown.into_iter().eq(row + first..row + first + n),
            "{n} pieces"
        );
    }
}

/// Judged by the legal actions, the enemy's after a pass.
#[test]
fn mobility_is_what_the_rules_allow() {
    let game = Hive::parse_parameters("base+mlp").unwrap();
    let mut n_seen = [0; 3];
    for index in 0..40 {
        let mut legal = Vec::new();
        for state in positions(&game, stream(2, "hive planes", index)).take(60) {
            let observation = observe(&state);
            for side in 0..2 {
                let mut view = state.clone();
                if side == 1 {
                    view.apply(Action::Pass, true);
                }
                // The pass of the enemy's view wakes a stunned piece, and ends the opening.
                let is_new = state.stunned().is_some() || state.n_plies() < 2;
                if side == 1 && (is_new || game.is_over(&view)) {
                    continue;
                }
                let frame = Frame::of(&view.board);
                let mut expected = [[0.0; AREA]; 3];
                game.legal_actions(&view, &mut legal);
                for action in legal.iter().filter_map(|&id| Action::from_id(id)) {
                    let Action::Put(piece, cell) = action else {
                        continue;
                    };
                    let to = place(frame, cell).0;
                    match view.cell_of(piece) {
                        Some(from) => {
                            expected[0][place(frame, from).0] = 1.0;
                            expected[1][to] = 1.0;
                        }
                        None => expected[2][to] = 1.0,
                    }
                }
                let first = [plane::MOVABLE, plane::IN_REACH, plane::PLACEABLE];
                for (group, first) in first.into_iter().enumerate() {
                    let shown = &observation[(first + side) * AREA..][..AREA];
                    assert_eq!(shown, expected[group], "{group} {side} {state:?}");
                    n_seen[group] += usize::from(expected[group].contains(&1.0));
                }
            }
        }
    }
    assert!(n_seen.iter().all(|&n| n > 500), "{n_seen:?}");
}

/// The window of a row of three begins six columns before it, and seven rows above.
#[test]
fn slots_are_pairs_of_source_and_destination() {
    let mut state = hive([(0, Cell::new(9, 9)), (14, Cell::new(10, 9))]);
    state.apply(Action::Put(Piece::from_index(1), Cell::new(11, 9)), true);
    assert_eq!(state.to_move(), Player::Second);
    let game = Hive::default();
    let at = |q: usize, r: usize| (r - 9 + 7) * WINDOW + (q - 9 + 6);
    let slot = |action: Action| game.policy_slot(&state, action.id());
    // Own and the enemy's pieces come from where they are.
    for (piece, q) in [(0, 9), (14, 10), (1, 11)] {
        let walk = Action::Put(Piece::from_index(piece), Cell::new(8, 10));
        assert_eq!(slot(walk), at(q, 9) * AREA + at(8, 10));
    }
    for (kind, number) in [(Kind::Ant, 1), (Kind::Ant, 2), (Kind::Pillbug, 1)] {
        let piece = Piece::new(Player::Second, kind, number).unwrap();
        let source = AREA + kind as usize;
        let placement = Action::Put(piece, Cell::new(12, 9));
        assert_eq!(slot(placement), source * AREA + at(12, 9), "{piece}");
    }
    assert_eq!(slot(Action::Pass), (AREA + 8) * AREA);
}

/// Everything that may be a source and a destination: the cells of the hive and around it.
#[test]
fn slots_are_shared_only_where_the_hive_and_its_surroundings_are_folded() {
    let game = Hive::default();
    for (len, folded) in [(1, false), (13, false), (14, false), (15, true), (20, true)] {
        let cell = |column: i32| Cell::new(25 + column, 30);
        let state = hive((0..len).map(|piece| (piece as usize, cell(piece))));
        assert_eq!(game.is_folded(&state), folded, "{len} in a row");
        let mut owners = HashMap::new();
        let mut shared = 0;
        for piece in (0..len as usize).map(Piece::from_index) {
            for (column, row) in (-1..=len).flat_map(|column| [(column, -1), (column, 1)]) {
                let to = Cell::new(25 + column, 30 + row);
                let slot = game.policy_slot(&state, Action::Put(piece, to).id());
                shared += usize::from(owners.insert(slot, (piece, to)).is_some());
            }
        }
        assert_eq!(shared > 0, folded, "{len} in a row share {shared}");
    }
    assert!(!game.is_folded(&State::empty()));
}

/// A line of 28 is 12 longer than the window: 6 at each end are shown from the other side.
#[test]
fn actions_of_the_longest_lines_share_slots_where_both_places_are_16_apart() {
    let game = Hive::default();
    for start in [Cell::ORIGIN, Cell::new(20, 25)] {
        for direction in [Direction::East, Direction::NorthEast, Direction::SouthEast] {
            let state = line(start, direction);
            let observation = observe(&state);
            let count = |plane: usize| {
                let values = &observation[plane * AREA..][..AREA];
                values.iter().filter(|&&value| value > 0.0).count()
            };
            assert_eq!(count(plane::FOLDED), 12);
            let tops: usize = (0..2 * N_KINDS).map(|kind| count(plane::TOP + kind)).sum();
            assert_eq!(tops, 28);
            let folded = |cell: Cell| (cell.q() % WINDOW, cell.r() % WINDOW);
            let mut slots = HashMap::new();
            let mut owners = HashMap::new();
            for piece in Piece::all() {
                let from = state.cell_of(piece).unwrap();
                for to in (0..N_CELLS).map(Cell::from_index) {
                    let slot = game.policy_slot(&state, Action::Put(piece, to).id());
                    assert!(slot < game.n_policy_slots());
                    let places = (folded(from), folded(to));
                    assert_eq!(*slots.entry(places).or_insert(slot), slot);
                    assert_eq!(*owners.entry(slot).or_insert(places), places);
                }
            }
        }
    }
}

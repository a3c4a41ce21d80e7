//! Where a piece may come from the hand.

use super::destinations::Destinations;
use crate::Player;
use crate::hive::board::cell::Cell;
use crate::hive::board::cell_set::Bits;
use crate::hive::state::State;

/// Adds the cells on which a player to move may place a piece: those that touch an own piece and
/// none of the enemy's, counting tops. The first two pieces of a game are exceptions.
#[inline]
pub(super) fn add_placements(state: &State, player: Player, cells: &mut Destinations) {
    let board = &state.board;
    match state.n_plies() {
        0 => cells.insert(Cell::ORIGIN),
        1 => cells.insert_around(Cell::ORIGIN, 63),
        _ => {
            let own = &board.tops_of[player.index()];
            let enemy = &board.tops_of[player.opponent().index()];
            let rows = board.rows;
            for r in Bits(rows | rows.rotate_left(1) | rows.rotate_right(1)) {
                let empty = !board.occupied.row(r);
                cells.insert_row(r, own.touching(r) & !enemy.touching(r) & empty);
            }
        }
    }
}

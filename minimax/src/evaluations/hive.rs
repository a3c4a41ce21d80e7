//! Hive, plainly: how far each queen is surrounded.
//!
//! The side whose queen has six neighbours loses, so each neighbour counts one step towards it.
//! A piece that stands on a queen counts as well: she cannot leave.

use crate::heuristic::{Baseline, Heuristic};
use tablero_env::Player;
use tablero_env::hive::{Hive, Piece, State};

/// The evaluation's unit: so many make one neighbour of a queen.
pub const UNITS_PER_NEIGHBOUR: i32 = 100;

/// The evaluation, in hundredths of a neighbour.
#[derive(Clone, Copy, Debug)]
pub struct QueensSurrounded;

impl Baseline for Hive {
    type Heuristic = QueensSurrounded;

    fn heuristic(&self) -> QueensSurrounded {
        QueensSurrounded
    }
}

/// How many pieces hold the queen of a player: her occupied neighbours, and one on top of her.
fn held(state: &State, player: Player) -> i32 {
    let queen = Piece::queen(player);
    let Some(cell) = state.cell_of(queen) else {
        return 0;
    };
    let neighbours = cell.neighbours().into_iter();
    let occupied = neighbours.filter(|&cell| state.is_occupied(cell)).count();
    occupied as i32 + i32::from(state.is_covered(queen))
}

impl Heuristic<Hive> for QueensSurrounded {
    const POSITIONS_RECUR: bool = true;

    fn evaluate(&self, _game: &Hive, state: &State) -> i32 {
        UNITS_PER_NEIGHBOUR * (held(state, Player::Second) - held(state, Player::First))
    }
}

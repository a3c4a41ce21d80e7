//! Hive: no board of it is small, and its games have no bound, so that there are no exact values;
//! but wins that are forced can be found by [`ProofNumberSearch`](crate::ProofNumberSearch).
//!
//! A player is the nearer to a win the fewer empty cells there are around the enemy's queen. This
//! guides the search, together with the moves that fill the last of them.

use crate::evaluations::hive::SiegeAndFreedom;
use crate::heuristic::Heuristic;
use crate::solver::{ActionValue, Solution, Solvable, SolveError, Solver};
use std::convert::Infallible;
use tablero_env::hive::{Hive, Piece, State};
use tablero_env::{ActionId, Game, Player};

/// How hard it looks to surround a queen with so many empty cells around her, before the one who
/// surrounds her moves, and after. Of few settings that were tried, this decided the most.
const TO_SURROUND: [[u32; 7]; 2] = [[1, 1, 4, 12, 30, 60, 100], [1, 3, 12, 30, 60, 100, 200]];
/// And how hard to save her.
const TO_SAVE: [u32; 7] = [1, 8, 4, 2, 1, 1, 1];

impl Solvable for Hive {
    type Solver = Infallible;

    fn solver(&self) -> Result<Infallible, SolveError> {
        Err(SolveError::NoSolver {
            game: self.spec(),
            reason: "its games have no bound on their length; ask solve or minimax, which tell \
                     when a result is proven",
        })
    }

    fn initial_numbers(&self, state: &State, attacker: Player) -> [u32; 2] {
        let queen = state.cell_of(Piece::queen(attacker.opponent()));
        let n_empty = queen.map_or(6, |queen| 6 - state.occupied_around(queen).count_ones());
        let n_empty = n_empty as usize;
        let after = usize::from(state.to_move() != attacker);
        [TO_SURROUND[after][n_empty], TO_SAVE[n_empty]]
    }

    fn deciding_actions(&self, state: &State, out: &mut Vec<ActionId>) {
        SiegeAndFreedom.forcing_actions(self, state, out);
    }
}

impl Solver<Hive> for Infallible {
    fn action_values(&mut self, _state: &State) -> Vec<ActionValue> {
        match *self {}
    }

    fn solve(&mut self, _state: &State) -> Solution {
        match *self {}
    }

    fn nodes(&self) -> u64 {
        match *self {}
    }
}

//! Hive has no solver: its games have no bound, and no board of it is small.

use crate::solver::{ActionValue, Solution, Solvable, SolveError, Solver};
use std::convert::Infallible;
use tablero_env::Game;
use tablero_env::hive::{Hive, State};

impl Solvable for Hive {
    type Solver = Infallible;

    fn solver(&self) -> Result<Infallible, SolveError> {
        Err(SolveError::NoSolver {
            game: self.spec(),
            reason: "its games have no bound on their length; ask minimax, which tells when a \
                     result is proven",
        })
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

//! Queens duel: the parity of the queens still to come.
//!
//! Who wins is a matter of how many queens the board takes in the end. The evaluation counts the
//! free cells down: a queen on the first of them, then on the first that is still free, to the
//! end; and once more from the last cell on. Each count votes for the player who would win, with
//! the more weight the fewer cells are free. Where the free cells fall apart into groups in which
//! every two attack each other, each group takes exactly one queen and both counts are exact.

use crate::heuristic::{Baseline, Heuristic};
use tablero_env::Player;
use tablero_env::queens::{Queens, State};

/// The vote of one count with one free cell; with n free cells it is the n-th part.
pub const UNITS_PER_VOTE: i32 = 1000;

/// The evaluation; it needs no tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountDown;

impl Baseline for Queens {
    type Heuristic = CountDown;

    fn heuristic(&self) -> CountDown {
        CountDown
    }
}

/// The return of player 0 if queens are placed on the first free cell, or on the last, to the end.
fn count_down(game: &Queens, state: &State, from_the_last: bool) -> i8 {
    let (mut free, mut n_queens) = (state.free(), state.n_queens());
    while !free.is_empty() {
        let mut cells = free.iter();
        let cell = if from_the_last {
            cells.last()
        } else {
            cells.next()
        };
        free = free.without(game.reach(cell.expect("a cell is free")));
        n_queens += 1;
    }
    game.outcome_with(n_queens).return_for(Player::First)
}

impl Heuristic<Queens> for CountDown {
    fn evaluate(&self, game: &Queens, state: &State) -> i32 {
        let votes = [false, true].map(|from_the_last| count_down(game, state, from_the_last));
        let sum: i32 = votes.into_iter().map(i32::from).sum();
        sum * UNITS_PER_VOTE / state.free().len() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, MAX_EVALUATION, Minimax, Solvable, Solver};
    use tablero_env::queens::FullBoard;
    use tablero_env::random::stream;
    use tablero_env::{Game, Notation};

    /// The unfinished positions of random games after a number of plies.
    fn random_states(game: &Queens, n_games: u64, n_plies: usize) -> Vec<State> {
        let mut states = Vec::new();
        for index in 0..n_games {
            let mut rng = stream(3, "queens evaluation", index);
            let mut state = game.initial();
            while !game.is_over(&state) {
                if state.n_queens() >= n_plies {
                    states.push(state.clone());
                }
                let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
                game.play_unchecked(&mut state, action);
            }
        }
        states
    }

    #[test]
    fn evaluations_stay_below_decided_games() {
        for side in [2, 4, 8, 16] {
            for reading in FullBoard::ALL {
                let game = Queens::new(side, reading).unwrap();
                for state in random_states(&game, 10, 0) {
                    let value = CountDown.evaluate(&game, &state);
                    assert!(value.abs() <= 2 * UNITS_PER_VOTE && value.abs() < MAX_EVALUATION);
                }
            }
        }
    }

    /// The free cells of 4x4 after 1,0 and 3,1: 0,2 and 0,3 attack each other, and 2,3 attacks
    /// 0,3. From the first cell on two queens follow, which fill the board; from the last, too.
    #[test]
    fn counts_end_as_the_reading_of_a_full_board_says() {
        for (reading, votes) in [
            (FullBoard::White, 2),
            (FullBoard::Black, -2),
            (FullBoard::Draw, 0),
        ] {
            let game = Queens::new(4, reading).unwrap();
            let state = game.parse_state(".W../...B/..../....").unwrap();
            let value = CountDown.evaluate(&game, &state);
            assert_eq!(value, votes * UNITS_PER_VOTE / 3);
        }
    }

    /// Measured on 8x8 from the fourth ply on: the votes name the winner in 72 of 100 positions, the
    /// loser in 10, and do not agree in 18.
    #[test]
    fn most_late_positions_are_judged_right() {
        let game = Queens::new(8, FullBoard::White).unwrap();
        let mut solver = game.solver().unwrap();
        let states = random_states(&game, 500, 4);
        let judged = states.iter().map(|state| {
            let value = CountDown.evaluate(&game, state).signum();
            value * i32::from(solver.solve(state).value)
        });
        let judged: Vec<i32> = judged.collect();
        let n_right = judged.iter().filter(|&&sign| sign > 0).count();
        let n_wrong = judged.iter().filter(|&&sign| sign < 0).count();
        assert!(
            n_right > 5 * n_wrong,
            "{n_right} right, {n_wrong} wrong of {}",
            judged.len()
        );
    }

    #[test]
    fn alpha_beta_to_the_end_finds_the_solvers_result() {
        for reading in FullBoard::ALL {
            let game = Queens::new(6, reading).unwrap();
            let mut solver = game.solver().unwrap();
            let mut minimax = Minimax::new(game.clone(), 1);
            for state in random_states(&game, 5, 0) {
                minimax.clear();
                let report = minimax.search(&state, &Limits::depth(6));
                assert_eq!(report.proven, Some(solver.solve(&state).value), "{state:?}");
            }
        }
    }
}

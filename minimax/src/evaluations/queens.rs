//! Queens duel: whether the number of queens still to come is odd.
//!
//! Who wins is a matter of how many queens the board takes in the end. The evaluation counts the
//! queens of two ways to go on, and each count votes for the player who would win: a queen on the
//! first free cell, then on the first that is still free, to the end; and the same from the last
//! cell on. Where the free cells fall apart into groups in which every two attack each other, each
//! group takes exactly one queen and both counts are exact.
//!
//! The last few cells are played out instead, which costs less than to search them.

use crate::heuristic::{Baseline, Heuristic, MAX_EVALUATION};
use tablero_env::queens::{Queens, State};
use tablero_env::{ForFirst, ForMover, IdSet, Player};

/// The most free cells with which a position is solved. With more the player is stronger, but its
/// upper levels play alike: see `docs/baselines.md`.
pub const MAX_SOLVED_CELLS: usize = 4;

/// The evaluation of a solved position that is won.
const DECIDED: i32 = MAX_EVALUATION - 1;

/// The evaluation; it needs no tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountDown;

impl Baseline for Queens {
    type Heuristic = CountDown;

    fn heuristic(&self) -> CountDown {
        CountDown
    }
}

fn first(cells: IdSet) -> Option<usize> {
    cells.iter().next()
}

fn last(cells: IdSet) -> Option<usize> {
    let word = cells.0.iter().rposition(|&word| word != 0)?;
    Some(word * 64 + cells.0[word].ilog2() as usize)
}

/// The return if queens are placed on the cells that `choose` takes, to the end.
fn count_down(
    game: &Queens,
    state: &State,
    choose: impl Fn(IdSet) -> Option<usize>,
) -> ForFirst<i8> {
    let (mut free, mut n_queens) = (state.free(), state.n_queens());
    while let Some(cell) = choose(free) {
        free = free.without(game.reach(cell));
        n_queens += 1;
    }
    game.outcome_with(n_queens).value()
}

/// The return of the player to move under best play.
fn solve(game: &Queens, free: IdSet, n_queens: usize) -> i32 {
    let mover = Player::BOTH[n_queens % 2];
    let return_with = |n_queens| game.outcome_with(n_queens).return_for(mover).into();
    if free.is_empty() {
        return return_with(n_queens);
    }
    // A queen on a cell that all the others attack would be the last.
    let reached_by_all = free
        .iter()
        .try_fold(free, |common, cell| {
            let common = common.and(game.reach(cell));
            (!common.is_empty()).then_some(common)
        })
        .is_some();
    if reached_by_all && return_with(n_queens + 1) == 1 {
        return 1;
    }
    let mut best = -1;
    for cell in free.iter() {
        best = best.max(-solve(game, free.without(game.reach(cell)), n_queens + 1));
        if best == 1 {
            break;
        }
    }
    best
}

impl Heuristic<Queens> for CountDown {
    /// On 12x12: the votes say next to nothing, a solved position nearly all.
    const LOG_ODDS_PER_UNIT: f64 = 1.6e-5;

    /// The sum of the two votes, from -2 to 2; of a solved position the result.
    fn evaluate(&self, game: &Queens, state: &State) -> ForFirst<i32> {
        let (free, n_queens) = (state.free(), state.n_queens());
        if free.len() <= MAX_SOLVED_CELLS {
            let mover = Player::BOTH[n_queens % 2];
            return ForMover(solve(game, free, n_queens) * DECIDED).for_first(mover);
        }
        let votes = [
            count_down(game, state, first),
            count_down(game, state, last),
        ];
        ForFirst(votes.map(|ForFirst(vote)| i32::from(vote)).iter().sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Minimax, Solvable, Solver};
    use tablero_env::queens::FullBoard;
    use tablero_env::random::{positions, stream};
    use tablero_env::{Game, Notation};

    /// The unfinished positions of random games after a number of plies.
    fn random_states(game: &Queens, n_games: u64, n_plies: usize) -> Vec<State> {
        let random = |index| positions(game, stream(3, "queens evaluation", index)).skip(n_plies);
        (0..n_games).flat_map(random).collect()
    }

    #[test]
    fn evaluations_are_votes_or_decisions() {
        for side in [2, 4, 8, 16] {
            for reading in FullBoard::ALL {
                let game = Queens::new(side, reading).unwrap();
                for state in random_states(&game, 10, 0) {
                    let ForFirst(value) = CountDown.evaluate(&game, &state);
                    assert!(value.abs() <= 2 || value.abs() == DECIDED);
                }
            }
        }
    }

    #[test]
    fn cells_are_taken_from_both_ends_of_every_word() {
        for cells in [vec![0], vec![63, 64], vec![3, 100, 191], vec![5, 192, 255]] {
            let set: IdSet = cells.iter().copied().collect();
            assert_eq!(first(set), cells.first().copied());
            assert_eq!(last(set), cells.last().copied());
        }
        assert_eq!((first(IdSet::EMPTY), last(IdSet::EMPTY)), (None, None));
    }

    /// On the empty 4x4 board, row by row from either end: 0,0, 2,1 and, as all of row 2 is
    /// attacked, 1,3. Three queens, so White.
    #[test]
    fn both_counts_vote_for_the_player_who_would_win() {
        let game = Queens::new(4, FullBoard::White).unwrap();
        assert_eq!(CountDown.evaluate(&game, &game.initial()), ForFirst(2));
    }

    /// After 1,0 and 3,1 on 4x4 White ends the game on 0,3, which attacks the other two free cells.
    /// After 0,2 instead only 2,3 is free, and fills the board.
    #[test]
    fn solved_positions_end_as_the_reading_of_a_full_board_says() {
        for (reading, full) in [
            (FullBoard::White, 1),
            (FullBoard::Black, -1),
            (FullBoard::Draw, 0),
        ] {
            let game = Queens::new(4, reading).unwrap();
            let evaluate = |text| {
                CountDown
                    .evaluate(&game, &game.parse_state(text).unwrap())
                    .0
            };
            assert_eq!(evaluate(".W../...B/..../...."), DECIDED);
            assert_eq!(evaluate(".W../...B/W.../...."), full * DECIDED);
        }
    }

    #[test]
    fn solved_positions_have_the_solvers_result() {
        for reading in FullBoard::ALL {
            let game = Queens::new(8, reading).unwrap();
            let mut solver = game.solver().unwrap();
            let mut states = random_states(&game, 200, 0);
            states.retain(|state| state.free().len() <= MAX_SOLVED_CELLS);
            assert!(states.len() > 200);
            for state in states {
                let value = i32::from(solver.solve(&state).value.0);
                let evaluation = CountDown.evaluate(&game, &state);
                assert_eq!(evaluation, ForFirst(value * DECIDED));
            }
        }
    }

    /// From the fourth ply on, on 8x8: more than five times as often right as wrong.
    #[test]
    fn most_late_positions_are_judged_right() {
        let game = Queens::new(8, FullBoard::White).unwrap();
        let mut solver = game.solver().unwrap();
        let states = random_states(&game, 500, 4);
        let judged = states.iter().map(|state| {
            let value = CountDown.evaluate(&game, state).0.signum();
            value * i32::from(solver.solve(state).value.0)
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

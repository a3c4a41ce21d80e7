//! The Queens duel, solved.
//!
//! How a game goes on depends on the free cells alone, and who wins on the number of queens at its
//! end: on its parity, so that the last player to place a queen wins (*normal play*), but for
//! the reading of a full board. Normal play is a matter of Sprague-Grundy values (`nimbers.rs`)
//! of regions of free cells up to symmetry (`regions.rs`); the positions from which the board
//! can still be filled are searched with them as leaves (`full_board.rs`).

mod full_board;
mod nimbers;
mod regions;

use crate::solver::{ActionValue, Solution, Solvable, SolveError, Solver};
use full_board::{Search, can_be_filled};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tablero_env::queens::{FullBoard, Queens, State};
use tablero_env::{ActionId, Game};

/// The largest side of a board that is solved.
pub const MAX_SIDE: usize = 14;

/// The exact solver of one board and reading of a full one.
///
/// ```
/// use tablero_env::{ForFirst, Game, queens::{FullBoard, Queens}};
/// use tablero_minimax::{Solvable, Solver};
/// let game = Queens::new(8, FullBoard::White).unwrap();
/// let mut solver = game.solver().unwrap();
/// assert_eq!(solver.solve(&game.initial()).value, ForFirst(1), "White wins");
/// assert_eq!(solver.grundy(&game.initial()), 3);
/// ```
#[derive(Clone, Debug)]
pub struct QueensSolver {
    game: Queens,
    search: Search,
}

/// Rows up to which every position is solved in about a second.
const QUICK_SIDE: usize = 10;

impl Solvable for Queens {
    type Solver = QueensSolver;

    fn solver(&self) -> Result<QueensSolver, SolveError> {
        self.solver_within(usize::MAX)
    }

    fn solver_within(&self, mib: usize) -> Result<QueensSolver, SolveError> {
        if self.side() > MAX_SIDE {
            return Err(SolveError::TooLarge {
                game: self.spec(),
                size: self.side(),
                max: MAX_SIDE,
                unit: "rows",
                practical: "an empty board of 10 rows takes a fraction of a second, 12 seconds, 14 minutes and 4 GiB",
            });
        }
        Ok(QueensSolver {
            game: self.clone(),
            search: Search::new(self, mib),
        })
    }

    fn is_quickly_solved(&self, _state: &State) -> bool {
        self.side() <= QUICK_SIDE
    }
}

impl QueensSolver {
    /// The Sprague-Grundy value of a position in normal play, where the last player to place a
    /// queen wins whatever the reading of a full board: 0 if the player to move loses. That of
    /// the empty board is OEIS A344227.
    #[must_use]
    pub fn grundy(&mut self, state: &State) -> u8 {
        self.search.nimbers.nimber(state.free())
    }
}

impl Solver<Queens> for QueensSolver {
    fn action_values(&mut self, state: &State) -> Vec<ActionValue> {
        let free = state.free();
        let values = free.iter().map(|cell| {
            let rest = free.without(self.game.reach(cell));
            ActionValue {
                action: ActionId::from(cell),
                value: self.search.value(rest, state.n_queens() + 1),
                points: None,
            }
        });
        values.collect()
    }

    fn solve(&mut self, state: &State) -> Solution {
        let nodes_before = self.nodes();
        let value = self.search.value(state.free(), state.n_queens());
        let values = self.action_values(state).into_iter();
        let best = values.filter(|action| action.value == value);
        Solution {
            value,
            points: None,
            best: best.map(|action| action.action).collect(),
            nodes: self.nodes() - nodes_before,
        }
    }

    fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    fn set_interrupt(&mut self, interrupt: Arc<AtomicBool>) {
        self.search.set_interrupt(interrupt);
    }

    fn remarks(&mut self, state: &State) -> Vec<String> {
        let mut remarks = vec![format!(
            "Sprague-Grundy value in normal play: {}",
            self.grundy(state)
        )];
        let is_normal_play = self.game.full_board() == FullBoard::Black;
        if !is_normal_play && !can_be_filled(&self.game, state.free(), state.n_queens()) {
            remarks.push(
                "the board cannot be filled: the last player to place a queen wins".to_owned(),
            );
        }
        remarks
    }
}

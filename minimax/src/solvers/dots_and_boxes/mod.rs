//! Dots and Boxes, solved.
//!
//! The rest of a game depends on the open edges alone, so the solver works out the *net* of a
//! set of open edges: the boxes that the player to move will still win minus those that the
//! opponent will. A position's points and mover turn it into an outcome.
//!
//! It asks whether that net reaches a goal (`search.rs`), with what is known of capturable boxes
//! (`offer.rs`), with one position standing for all that are equal to it (`symmetry.rs`), and
//! with a table of exact bounds (`bounds.rs`).

mod bounds;
mod endgame;
mod lines;
mod offer;
#[cfg(test)]
mod retrograde;
mod search;
mod symmetry;

use crate::solver::{ActionValue, EndgameSolver, Solution, Solvable, SolveError, Solver};
use endgame::Endgames;
use lines::{Lines, Open, edges};
use search::Search;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::{ActionId, Game, Outcome};

/// The most edges of a board that is solved from the start.
pub const MAX_EDGES: usize = 40;

/// The most undrawn edges of a position that is solved on a larger board, of up to 64 edges.
pub const MAX_UNDRAWN: usize = 36;

/// The size of the transposition table. Memory is used only as the table fills.
const fn table_mib(n_edges: usize) -> usize {
    match n_edges {
        0..=24 => 16,
        25..=31 => 128,
        32..=MAX_EDGES => 1024,
        _ => 256,
    }
}

/// The exact solver of one board, or of the endgames of a larger one.
///
/// ```
/// use tablero_env::{Game, dots_and_boxes::DotsAndBoxes};
/// use tablero_minimax::{Solvable, Solver};
/// let game = DotsAndBoxes::new(2, 2).unwrap();
/// let solution = game.solver().unwrap().solve(&game.initial());
/// assert_eq!(solution.points, Some([3, 1]), "2x2 is a win for the first player");
/// ```
#[derive(Clone, Debug)]
pub struct DotsAndBoxesSolver {
    game: DotsAndBoxes,
    search: Search,
}

/// Undrawn edges up to which a position of a board of [`Open`] is solved in about a second.
const QUICK_UNDRAWN: usize = 26;

impl Solvable for DotsAndBoxes {
    type Solver = DotsAndBoxesSolver;

    fn solver(&self) -> Result<DotsAndBoxesSolver, SolveError> {
        self.solver_within(usize::MAX)
    }

    fn solver_within(&self, mib: usize) -> Result<DotsAndBoxesSolver, SolveError> {
        let n_edges = self.n_edges();
        let lines = Lines::new(self).ok_or_else(|| SolveError::TooLarge {
            game: self.spec(),
            size: n_edges,
            max: Open::BITS as usize,
            unit: "edges",
            practical: PRACTICAL,
        })?;
        let new_search = if n_edges <= MAX_EDGES {
            Search::new
        } else {
            Search::of_endgames
        };
        Ok(DotsAndBoxesSolver {
            game: self.clone(),
            search: new_search(self, lines, table_mib(n_edges).min(mib)),
        })
    }

    fn is_quickly_solved(&self, state: &State) -> bool {
        self.n_edges() <= Open::BITS as usize && self.undrawn(state).len() <= QUICK_UNDRAWN
    }

    fn endgame_solver(&self, table_mib: usize) -> Option<Box<dyn EndgameSolver<Self>>> {
        Some(Box::new(Endgames::new(self, Lines::new(self)?, table_mib)))
    }
}

/// Which positions can be solved, and how soon.
const PRACTICAL: &str = "an empty 3x3 takes a fraction of a second, 3x4 seconds, 3x5 and 4x4 some ten minutes, \
     a position of 5x5 with 36 undrawn edges a second";

impl DotsAndBoxesSolver {
    fn open(&self, state: &State) -> Open {
        self.game.undrawn(state).0[0]
    }

    /// What remains when the mover draws an open edge, and how many boxes that completes.
    fn draw(&self, open: Open, edge: usize) -> (Open, i32) {
        let rest = open & !(1 << edge);
        (rest, self.search.lines.completed_by(edge, rest))
    }

    /// The points at the end of the game, when the mover nets `net` of the open boxes.
    fn final_points(&self, state: &State, open: Open, net: i32) -> [i32; 2] {
        let mut points = self.game.points(state).expect("Dots and Boxes has points");
        let n_open = self.search.lines.n_unfinished(open);
        let mover = self.game.player_to_move(state);
        points[mover.index()] += (n_open + net) / 2;
        points[mover.opponent().index()] += (n_open - net) / 2;
        points
    }
}

impl Solver<DotsAndBoxes> for DotsAndBoxesSolver {
    fn check(&self, state: &State) -> Result<(), SolveError> {
        let n_undrawn = self.game.undrawn(state).len();
        if self.game.n_edges() <= MAX_EDGES || n_undrawn <= MAX_UNDRAWN {
            return Ok(());
        }
        Err(SolveError::TooLarge {
            game: self.game.spec(),
            size: n_undrawn,
            max: MAX_UNDRAWN,
            unit: "undrawn edges",
            practical: PRACTICAL,
        })
    }

    fn action_values(&mut self, state: &State) -> Vec<ActionValue> {
        let open = self.open(state);
        edges(open)
            .map(|edge| {
                let net = match self.draw(open, edge) {
                    (rest, 0) => -self.search.net(rest),
                    (rest, taken) => taken + self.search.net(rest),
                };
                let points = self.final_points(state, open, net);
                ActionValue {
                    action: ActionId::from(edge),
                    value: Outcome::from_points(points).value(),
                    points: Some(points),
                }
            })
            .collect()
    }

    fn solve(&mut self, state: &State) -> Solution {
        let nodes_before = self.nodes();
        let open = self.open(state);
        let net = self.search.net(open);
        let points = self.final_points(state, open, net);
        let best = edges(open)
            .filter(|&edge| match self.draw(open, edge) {
                (rest, 0) => !self.search.reaches(rest, 1 - net),
                (rest, taken) => self.search.reaches(rest, net - taken),
            })
            .map(ActionId::from)
            .collect();
        Solution {
            value: Outcome::from_points(points).value(),
            points: Some(points),
            best,
            nodes: self.nodes() - nodes_before,
        }
    }

    fn nodes(&self) -> u64 {
        self.search.nodes.count()
    }

    fn set_interrupt(&mut self, interrupt: Arc<AtomicBool>) {
        self.search.nodes.set_interrupt(interrupt);
    }
}

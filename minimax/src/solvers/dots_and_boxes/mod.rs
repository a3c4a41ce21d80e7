//! Dots and Boxes, solved.
//!
//! The rest of a game depends on the open edges alone, so the solver works out the *net* of a
//! set of open edges: the boxes that the player to move will still win minus those that the
//! opponent will. A position's points and mover turn it into an outcome.
//!
//! - Boards of up to 24 edges (3x3): a table of all edge sets, by plain minimax from the end
//!   backwards. After that every question is a look-up.
//! - Larger boards: a search with the rules of `offer.rs` for capturable boxes, symmetries, and
//!   a transposition table of exact bounds.

mod bounds;
mod lines;
mod offer;
mod retrograde;
mod search;
mod symmetry;

use crate::solver::{ActionValue, Solution, Solvable, SolveError, Solver};
use lines::{Lines, Open, edges};
use retrograde::Retrograde;
use search::Search;
use std::sync::Arc;
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::{ActionId, Game};

/// The most edges of a board that is solved.
pub const MAX_EDGES: usize = 40;

/// The size of the transposition table of a board that is searched.
const TABLE_MIB: usize = 256;

/// The exact solver of one board.
///
/// A clone shares the table of a small board, and has a transposition table of its own for a
/// larger one.
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
    lines: Lines,
    engine: Engine,
}

#[derive(Clone, Debug)]
enum Engine {
    Table {
        table: Arc<Retrograde>,
        looked_up: u64,
    },
    Search(Box<Search>),
}

impl Engine {
    fn net(&mut self, open: Open) -> i32 {
        match self {
            Engine::Table { table, looked_up } => {
                *looked_up += 1;
                table.net(open)
            }
            Engine::Search(search) => search.net(open),
        }
    }

    fn reaches(&mut self, open: Open, goal: i32) -> bool {
        match self {
            Engine::Table { .. } => self.net(open) >= goal,
            Engine::Search(search) => search.reaches(open, goal),
        }
    }
}

impl Solvable for DotsAndBoxes {
    type Solver = DotsAndBoxesSolver;

    fn solver(&self) -> Result<DotsAndBoxesSolver, SolveError> {
        let lines = Lines::new(self).filter(|_| self.n_edges() <= MAX_EDGES);
        let Some(lines) = lines else {
            return Err(SolveError::TooLarge {
                game: self.spec(),
                size: self.n_edges(),
                max: MAX_EDGES,
                unit: "edges",
                practical: "3x3 takes a second, 3x4 some seconds",
            });
        };
        let engine = if self.n_edges() <= retrograde::MAX_EDGES {
            Engine::Table {
                table: Arc::new(Retrograde::new(&lines)),
                looked_up: 0,
            }
        } else {
            Engine::Search(Box::new(Search::new(self, lines.clone(), TABLE_MIB)))
        };
        Ok(DotsAndBoxesSolver {
            game: self.clone(),
            lines,
            engine,
        })
    }
}

impl DotsAndBoxesSolver {
    fn open(&self, state: &State) -> Open {
        self.game.undrawn(state).0[0]
    }

    /// What remains when the mover draws an open edge, and how many boxes that completes.
    fn draw(&self, open: Open, edge: usize) -> (Open, i32) {
        let rest = open & !(1 << edge);
        (rest, self.lines.completed_by(edge, rest))
    }

    /// The points at the end of the game, when the mover nets `net` of the open boxes.
    fn final_points(&self, state: &State, open: Open, net: i32) -> [i32; 2] {
        let mut points = self.game.points(state).expect("Dots and Boxes has points");
        let n_open = self.lines.n_unfinished(open);
        let mover = self.game.player_to_move(state);
        points[mover.index()] += (n_open + net) / 2;
        points[mover.opponent().index()] += (n_open - net) / 2;
        points
    }
}

fn value(points: [i32; 2]) -> i8 {
    (points[0] - points[1]).signum() as i8
}

impl Solver<DotsAndBoxes> for DotsAndBoxesSolver {
    fn action_values(&mut self, state: &State) -> Vec<ActionValue> {
        let open = self.open(state);
        edges(open)
            .map(|edge| {
                let net = match self.draw(open, edge) {
                    (rest, 0) => -self.engine.net(rest),
                    (rest, taken) => taken + self.engine.net(rest),
                };
                let points = self.final_points(state, open, net);
                ActionValue {
                    action: ActionId::from(edge),
                    value: value(points),
                    points: Some(points),
                }
            })
            .collect()
    }

    fn solve(&mut self, state: &State) -> Solution {
        let nodes_before = self.nodes();
        let open = self.open(state);
        let net = self.engine.net(open);
        let points = self.final_points(state, open, net);
        let best = edges(open)
            .filter(|&edge| match self.draw(open, edge) {
                (rest, 0) => !self.engine.reaches(rest, 1 - net),
                (rest, taken) => self.engine.reaches(rest, net - taken),
            })
            .map(ActionId::from)
            .collect();
        Solution {
            value: value(points),
            points: Some(points),
            best,
            nodes: self.nodes() - nodes_before,
        }
    }

    fn nodes(&self) -> u64 {
        match &self.engine {
            Engine::Table { looked_up, .. } => *looked_up,
            Engine::Search(search) => search.nodes,
        }
    }
}

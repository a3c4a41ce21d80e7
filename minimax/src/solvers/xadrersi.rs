//! Xadrersi, solved over its last plies.
//!
//! Alpha-beta to the end of the game with a table of exact bounds. A whole game is far out of
//! reach, so a position is accepted with [`MAX_PLIES_LEFT`] plies to go at most:
//! [`Solver::check`] says so.
//!
//! The players play for the lead in points. Many lines reach the same lead with different points;
//! so that the final points are one answer, player 0 is taken to prefer many points on the board
//! among equal leads, and player 1 few. This never costs a lead.

use super::nodes::Nodes;
use crate::solver::{ActionValue, Solution, Solvable, SolveError, Solver};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tablero_env::xadrersi::{State, Xadrersi};
use tablero_env::{ActionId, ForFirst, ForMover, Game, Outcome, Player};

/// The most plies to go in a position that is solved.
pub const MAX_PLIES_LEFT: usize = 7;

/// Before a new question a table of more positions is emptied, some 200 MiB.
const MAX_REMEMBERED: usize = 1 << 21;

/// Bytes that a position takes in a table that has just grown, at most.
const BYTES_OF_A_POSITION: usize = 256;

/// The plies of a whole game.
const N_PLIES: usize = 16;

/// What a point of lead weighs: more than all points on the board.
const LEAD: i32 = 1024;

/// Above every score.
const INFINITY: i32 = 1 << 20;

/// A final result as one number: the lead, then the sum of the points.
fn score([first, second]: [i32; 2]) -> ForFirst<i32> {
    ForFirst((first - second) * LEAD + first + second)
}

/// The points that a score stands for.
fn points(ForFirst(score): ForFirst<i32>) -> [i32; 2] {
    let (lead, sum) = (score.div_euclid(LEAD), score.rem_euclid(LEAD));
    [(sum + lead) / 2, (sum - lead) / 2]
}

/// What is known of a position's score, for the player to move.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    lower: i32,
    upper: i32,
}

impl Bounds {
    const NONE: Bounds = Bounds {
        lower: -INFINITY,
        upper: INFINITY,
    };
}

/// The exact solver of the last plies.
///
/// ```
/// use tablero_env::{Game, Notation, xadrersi::Xadrersi};
/// use tablero_minimax::{Solvable, Solver};
/// let state = Xadrersi.parse_state("8/8/8/8/8/8/qrrbbnn1/1KQRRBBN:-").unwrap();
/// let mut solver = Xadrersi.solver().unwrap();
/// assert!(solver.check(&state).is_ok(), "two plies to go");
/// assert_eq!(solver.solve(&state).points, Some([7, 39]));
/// assert!(solver.check(&Xadrersi.initial()).is_err(), "sixteen plies to go");
/// ```
#[derive(Clone, Debug)]
pub struct XadrersiSolver {
    table: FxHashMap<State, Bounds>,
    /// Positions that it holds at most.
    max_positions: usize,
    nodes: Nodes,
}

/// Plies to go up to which a position is solved in about a second.
const QUICK_PLIES: usize = 6;

impl Solvable for Xadrersi {
    type Solver = XadrersiSolver;

    fn solver(&self) -> Result<XadrersiSolver, SolveError> {
        self.solver_within(usize::MAX)
    }

    fn solver_within(&self, mib: usize) -> Result<XadrersiSolver, SolveError> {
        Ok(XadrersiSolver {
            table: FxHashMap::default(),
            max_positions: mib.saturating_mul(1 << 20) / BYTES_OF_A_POSITION,
            nodes: Nodes::default(),
        })
    }

    fn is_quickly_solved(&self, state: &State) -> bool {
        plies_left(state) <= QUICK_PLIES
    }
}

/// The state after an action, with the score of the board as it is.
struct Child {
    action: ActionId,
    state: State,
    score: ForFirst<i32>,
}

/// What each legal action leads to, ascending by action.
fn children(state: &State) -> Vec<Child> {
    let mut legal = Vec::new();
    Xadrersi.legal_actions(state, &mut legal);
    let children = legal.into_iter().map(|action| {
        let mut next = state.clone();
        Xadrersi.play_unchecked(&mut next, action);
        Child {
            action,
            score: score_of(&next),
            state: next,
        }
    });
    children.collect()
}

/// The score of the board as it is.
fn score_of(state: &State) -> ForFirst<i32> {
    score(Xadrersi.points(state).expect("Xadrersi has points"))
}

fn plies_left(state: &State) -> usize {
    N_PLIES - state.n_pieces()
}

impl XadrersiSolver {
    /// The score of a position for the player to move, exact if it lies strictly between `alpha`
    /// and `beta`, and otherwise a bound on the same side (fail-soft).
    fn search(&mut self, state: &State, alpha: i32, beta: i32) -> i32 {
        let mover = Xadrersi.player_to_move(state);
        if plies_left(state) == 0 {
            return score_of(state).seen_by(mover);
        }
        self.nodes.visit();
        if plies_left(state) == 1 {
            let results = children(state).into_iter();
            let results = results.map(|child| child.score.seen_by(mover));
            return results.max().expect("Black's king has a square");
        }
        let known = self.table.get(state).copied().unwrap_or(Bounds::NONE);
        if known.lower >= beta || known.lower == known.upper {
            return known.lower;
        }
        if known.upper <= alpha {
            return known.upper;
        }
        let (alpha, beta) = (alpha.max(known.lower), beta.min(known.upper));
        // What looks best at once is tried first.
        let mut children = children(state);
        children.sort_by_key(|child| -child.score.seen_by(mover));
        let mut best = -INFINITY;
        for child in &children {
            best = best.max(-self.search(&child.state, -beta, -alpha.max(best)));
            if best >= beta {
                break;
            }
        }
        let bounds = Bounds {
            lower: if best > alpha { best } else { known.lower },
            upper: if best < beta { best } else { known.upper },
        };
        if self.table.len() < self.max_positions || self.table.contains_key(state) {
            self.table.insert(state.clone(), bounds);
        }
        best
    }

    /// Forgets what was worked out for earlier questions, if it is too much to keep.
    fn make_room(&mut self) {
        if self.table.len() > MAX_REMEMBERED.min(self.max_positions / 2) {
            self.table.clear();
        }
    }

    /// The exact score of a position.
    fn exact(&mut self, state: &State) -> ForFirst<i32> {
        let score = ForMover(self.search(state, -INFINITY, INFINITY));
        score.for_first(Xadrersi.player_to_move(state))
    }
}

impl Solver<Xadrersi> for XadrersiSolver {
    fn check(&self, state: &State) -> Result<(), SolveError> {
        if plies_left(state) <= MAX_PLIES_LEFT {
            return Ok(());
        }
        Err(SolveError::TooLarge {
            game: Xadrersi.spec(),
            size: plies_left(state),
            max: MAX_PLIES_LEFT,
            unit: "plies to go",
            practical: "that takes about a second, and each ply more several times as long",
        })
    }

    fn action_values(&mut self, state: &State) -> Vec<ActionValue> {
        self.make_room();
        let values = children(state).into_iter().map(|child| {
            let points = points(self.exact(&child.state));
            ActionValue {
                action: child.action,
                value: Outcome::from_points(points).value(),
                points: Some(points),
            }
        });
        values.collect()
    }

    fn solve(&mut self, state: &State) -> Solution {
        self.make_room();
        let nodes_before = self.nodes();
        let points = points(self.exact(state));
        // The lowest score for the player to move that still has this lead: a lead of player 0
        // with no points at all, or of player 1 with as many as fit.
        let mover = Xadrersi.player_to_move(state);
        let lead = ForFirst((points[0] - points[1]) * LEAD).seen_by(mover);
        let goal = match mover {
            Player::First => lead,
            Player::Second => lead - (LEAD - 1),
        };
        let best = children(state)
            .into_iter()
            .filter(|child| -self.search(&child.state, -goal, -(goal - 1)) >= goal);
        Solution {
            value: Outcome::from_points(points).value(),
            points: Some(points),
            best: best.map(|child| child.action).collect(),
            nodes: self.nodes() - nodes_before,
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes.count()
    }

    fn set_interrupt(&mut self, interrupt: Arc<AtomicBool>) {
        self.nodes.set_interrupt(interrupt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::xadrersi::MAX_POINTS;

    #[test]
    fn a_score_stands_for_its_points_and_ranks_leads_first() {
        let mut by_lead: Vec<[i32; 2]> = Vec::new();
        for first in 0..=MAX_POINTS {
            for second in 0..=MAX_POINTS {
                assert_eq!(points(score([first, second])), [first, second]);
                assert!(score([first, second]).0.abs() < INFINITY);
                by_lead.push([first, second]);
            }
        }
        by_lead.sort_by_key(|&points| score(points));
        assert!(by_lead.is_sorted_by_key(|[first, second]| (first - second, first + second)));
    }
}

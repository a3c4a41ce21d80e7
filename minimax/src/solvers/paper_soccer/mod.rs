//! Paper Soccer, solved: who wins under best play.
//!
//! There are no draws and no points, so a position is won by one player or the other, and the
//! search (`search.rs`) asks just that, with make and unmake on a small graph (`graph.rs`). Three
//! things keep it small:
//!
//! - A player who can reach the attacked goal within the turn wins: the ball has to run
//!   over bouncing points only, so a flood of the graph finds out without playing a segment.
//! - The drawn segments alone tell the ball and the player to move (see
//!   [the text of a state](tablero_env::paper_soccer)), so many orders of play meet in one entry of
//!   the table. Its key is the whole set of segments, not a hash: two positions are never mixed up.
//! - A position and its mirror image are one.

mod graph;
mod search;

use crate::solver::{ActionValue, Solution, Solvable, SolveError, Solver};
use search::Search;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tablero_env::paper_soccer::{PaperSoccer, State};
use tablero_env::{ActionId, ForFirst, Game};

/// The most segments of a pitch that is solved: those of 4x4.
pub const MAX_SEGMENTS: usize = 70;

/// The exact solver of one pitch.
///
/// ```
/// use tablero_env::{ForFirst, Game, paper_soccer::PaperSoccer};
/// use tablero_minimax::{Solvable, Solver};
/// let game = PaperSoccer::new(4, 4).unwrap();
/// let solution = game.solver().unwrap().solve(&game.initial());
/// assert_eq!(solution.value, ForFirst(1), "4x4 is a win for the first player");
/// ```
#[derive(Clone, Debug)]
pub struct PaperSoccerSolver {
    game: PaperSoccer,
    search: Search,
}

/// Squares up to which every position is solved in about a second.
const QUICK_SQUARES: usize = 16;

impl Solvable for PaperSoccer {
    type Solver = PaperSoccerSolver;

    fn solver(&self) -> Result<PaperSoccerSolver, SolveError> {
        self.solver_within(usize::MAX)
    }

    fn solver_within(&self, mib: usize) -> Result<PaperSoccerSolver, SolveError> {
        if self.n_segments() > MAX_SEGMENTS {
            return Err(SolveError::TooLarge {
                game: self.spec(),
                size: self.n_segments(),
                max: MAX_SEGMENTS,
                unit: "segments",
                practical: "an empty 4x4 takes milliseconds, 2x8 a fraction of a second, \
                            and already 4x6 takes minutes",
            });
        }
        Ok(PaperSoccerSolver {
            game: self.clone(),
            search: Search::new(self, mib),
        })
    }

    fn is_quickly_solved(&self, _state: &State) -> bool {
        self.width() * self.height() <= QUICK_SQUARES
    }
}

impl PaperSoccerSolver {
    /// The return under best play.
    fn value(&mut self, state: &State) -> ForFirst<i8> {
        if let Some(outcome) = self.game.outcome(state) {
            return outcome.value();
        }
        let mover = self.game.player_to_move(state);
        let wins = self.search.mover_wins(&self.game, state);
        let winner = if wins { mover } else { mover.opponent() };
        ForFirst::from_player(1, winner)
    }
}

impl Solver<PaperSoccer> for PaperSoccerSolver {
    fn action_values(&mut self, state: &State) -> Vec<ActionValue> {
        let mut legal: Vec<ActionId> = Vec::new();
        self.game.legal_actions(state, &mut legal);
        legal
            .into_iter()
            .map(|action| {
                let mut next = state.clone();
                self.game.play_unchecked(&mut next, action);
                ActionValue {
                    action,
                    value: self.value(&next),
                    points: None,
                }
            })
            .collect()
    }

    fn solve(&mut self, state: &State) -> Solution {
        let nodes_before = self.nodes();
        let values = self.action_values(state);
        let mover = self.game.player_to_move(state);
        let for_mover = |action: &ActionValue| action.value.seen_by(mover);
        let value = match values.iter().map(for_mover).max() {
            Some(best) => ForFirst::from_player(best, mover),
            None => self.value(state),
        };
        Solution {
            value,
            points: None,
            best: values
                .iter()
                .filter(|action| action.value == value)
                .map(|action| action.action)
                .collect(),
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

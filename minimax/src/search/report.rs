//! What a search found.

use tablero_env::{ActionId, ForFirst};

/// What a search found. A deeper iteration that was given up counts as far as it found an action
/// better than the best of the iteration before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The action to play: a legal one under any limits.
    pub best: ActionId,
    /// The score: an evaluation, below [`MAX_EVALUATION`](crate::MAX_EVALUATION) in absolute value, or for a decided game
    /// [`WIN_SCORE`](crate::WIN_SCORE) times the return, plus the lead in points in games with points.
    pub score: ForFirst<i32>,
    /// The return (+1, 0, -1) under best play, where the search proves it.
    ///
    /// A proven win or loss rests on lines that end the game, whatever the table mixed up of
    /// the ways to a position: see [`Heuristic::POSITIONS_RECUR`](crate::Heuristic::POSITIONS_RECUR).
    pub proven: Option<ForFirst<i8>>,
    /// The depth of the deepest completed iteration, counted as in [`Limits::depth`](crate::Limits::depth); 0 if the
    /// limits ended the first one. Without a limit in depth, late actions were looked at less deep
    /// where the game has a [`Heuristic::LATE_REDUCTION`](crate::Heuristic::LATE_REDUCTION).
    pub depth: u32,
    /// The positions visited in all iterations, by all threads.
    pub nodes: u64,
    /// The principal variation: best play of both sides, from [`best`](Report::best) on, as far
    /// as the transposition table remembers it.
    pub pv: Vec<ActionId>,
}

//! Exact play: what every action leads to when both players make no mistake.

use crate::heuristic::Baseline;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tablero_env::{ActionId, BoardGame, ForFirst, Game, Player};

/// What one action leads to under best play of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionValue {
    /// The action.
    pub action: ActionId,
    /// The return: +1, 0 or -1.
    pub value: ForFirst<i8>,
    /// The final points of both players, in games that have points.
    pub points: Option<[i32; 2]>,
}

/// The solution of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The return under best play: +1, 0 or -1.
    pub value: ForFirst<i8>,
    /// The final points of both players under best play, in games that have points.
    pub points: Option<[i32; 2]>,
    /// Every optimal action, ascending; none if the game is over. In games with points those
    /// that reach the best points (so they also keep the result); in other games all that keep
    /// the result.
    pub best: Vec<ActionId>,
    /// The positions visited for this solution.
    pub nodes: u64,
}

/// Finds exact values. A solver remembers what it has worked out, so asking again is cheaper.
pub trait Solver<G: Game>: Send {
    /// Whether this position is within reach. A solver that takes every position of its board
    /// has nothing to refuse, which is the default.
    ///
    /// # Errors
    /// If it is too far from the end of the game. The other methods would still search it, longer
    /// than anyone waits.
    fn check(&self, _state: &G::State) -> Result<(), SolveError> {
        Ok(())
    }

    /// The exact value of every legal action, ascending by action; empty if the game is over.
    fn action_values(&mut self, state: &G::State) -> Vec<ActionValue>;

    /// The exact value of the position, and its optimal actions.
    fn solve(&mut self, state: &G::State) -> Solution;

    /// The positions visited since the solver was made.
    fn nodes(&self) -> u64;

    /// Ends the question under way, and those to come, once `interrupt` is set: within milliseconds
    /// they unwind to [`unless_interrupted`](crate::unless_interrupted), within which they must be
    /// asked. A solver that always answers soon may ignore it, which is the default.
    fn set_interrupt(&mut self, _interrupt: Arc<AtomicBool>) {}

    /// What else the solver can tell of a position in the game's own terms, a line each, such as
    /// a Sprague-Grundy value. Empty by default.
    fn remarks(&mut self, _state: &G::State) -> Vec<String> {
        Vec::new()
    }
}

/// Tells who wins an endgame within a number of nodes: for searches that ask at every leaf.
pub trait EndgameSolver<G: Game>: Debug + Send {
    /// The return (+1, 0, -1) under best play from an unfinished position. `None` if `nodes`
    /// visited positions do not decide it, and at once where so many are not likely to.
    ///
    /// Earlier questions help: those since the last [`clear`](EndgameSolver::clear) decide whether
    /// there is an answer, but never what it is.
    fn result(&mut self, state: &G::State, nodes: u64) -> Option<ForFirst<i8>>;

    /// Forgets what was found. It takes time in proportion to what there is to forget.
    fn clear(&mut self);
}

/// A game that can be solved, at least on small boards.
pub trait Solvable: Game {
    /// The solver.
    type Solver: Solver<Self>;

    /// A solver for this configuration.
    ///
    /// # Errors
    /// If the board is too large to be solved.
    fn solver(&self) -> Result<Self::Solver, SolveError>;

    /// A solver whose tables take about `mib` MiB at most; where it would fill more it is slower. By
    /// default the same as [`solver`](Self::solver), for those that need little.
    ///
    /// # Errors
    /// As [`solver`](Self::solver).
    fn solver_within(&self, _mib: usize) -> Result<Self::Solver, SolveError> {
        self.solver()
    }

    /// Whether the solver answers in about a second: for those who wait for it. Never by default.
    fn is_quickly_solved(&self, _state: &Self::State) -> bool {
        false
    }

    /// A solver of endgames with a table of about `table_mib` MiB, where there is one that proves
    /// results much sooner than [`Minimax`](crate::Minimax) does. None by default.
    fn endgame_solver(&self, _table_mib: usize) -> Option<Box<dyn EndgameSolver<Self>>> {
        None
    }

    /// The first proof and disproof number of an unfinished position: about how many positions
    /// must at least be decided, from 1, to prove that `attacker` wins, and that they do not. They
    /// guide [`ProofNumberSearch`](crate::ProofNumberSearch) and decide nothing. 1 and 1 by
    /// default.
    fn initial_numbers(&self, _state: &Self::State, _attacker: Player) -> [u32; 2] {
        [1, 1]
    }

    /// Clears `out` and fills it with legal actions of an unfinished position of which one may end
    /// the game at once in favour of the player to move, if they are found faster than by playing
    /// all. [`ProofNumberSearch`](crate::ProofNumberSearch) plays them to see. None by default.
    fn deciding_actions(&self, _state: &Self::State, out: &mut Vec<ActionId>) {
        out.clear();
    }
}

/// A game that every player can play: rules, tensors, texts, a view, an evaluation and a solver.
/// The built-in games are, and so is whatever [`OtherGame`](tablero_env::OtherGame) holds.
pub trait Playable: BoardGame + Baseline + Solvable {}

impl<G: BoardGame + Baseline + Solvable> Playable for G {}

/// Why there is no solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// No position of the game can be solved.
    #[error("there is no solver for {game}: {reason}")]
    NoSolver {
        /// The spec of the game.
        game: String,
        /// Why, and what to do instead.
        reason: &'static str,
    },
    /// The board is beyond what can be solved.
    #[error(
        "{game} is too large to be solved: {size} {unit}, but the solver accepts at most {max}; {practical}"
    )]
    TooLarge {
        /// The spec of the game.
        game: String,
        /// How large the board is.
        size: usize,
        /// The largest that is accepted.
        max: usize,
        /// What `size` and `max` count, in the plural.
        unit: &'static str,
        /// Which boards can be solved, and how soon.
        practical: &'static str,
    },
    /// The question was ended from another thread: [`Solver::set_interrupt`].
    #[error("the solver was interrupted before it had an answer")]
    Interrupted,
}

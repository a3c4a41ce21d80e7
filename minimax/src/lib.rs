//! The baseline opponent and the exact solver.
//!
//! - [`Minimax`]: alpha-beta with iterative deepening for any game with an evaluation
//!   ([`Baseline`]), limited by depth, time or nodes ([`Limits`]).
//! - [`Solver`]: the exact value of every action, for games and boards that a machine can work
//!   out ([`Solvable`]).
//! - [`Analyser`]: minimax and the solvers of endgames as what informs another search.
//!
//! Each game has one file in [`evaluations`]; each exact solver one in [`solvers`].
//!
//! The same player may move several times in a row, so no sign follows the ply number: public
//! values are [`ForFirst`](tablero_env::ForFirst), and inside a search a score is for the player
//! to move.

pub mod evaluations;
pub mod solvers;

mod analyser;
mod heuristic;
mod levels;
mod limits;
mod ordering;
mod proof_number;
mod search;
mod solver;
mod table;

pub use analyser::{Analyser, Evidence, analyser};
pub use heuristic::{Baseline, Heuristic, MAX_EVALUATION};
pub use levels::{LEVELS, Level};
pub use limits::Limits;
pub use proof_number::{
    DEFAULT_PROOF_NODES, ForcedWin, MAX_PROOF_PLIES, ProofNumberSearch, ProofReport, Verdict,
};
pub use search::{Minimax, Report, WIN_SCORE};
pub use solver::{ActionValue, EndgameSolver, Playable, Solution, Solvable, SolveError, Solver};
pub use solvers::unless_interrupted;

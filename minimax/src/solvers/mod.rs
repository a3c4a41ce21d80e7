//! Exact solvers, one file or folder a game.

mod alpha_beta;
pub mod dots_and_boxes;
pub mod hive;
mod nodes;
mod other_endgames;
pub mod other_game;
pub mod paper_soccer;
pub mod queens;
pub mod xadrersi;

pub use nodes::unless_interrupted;

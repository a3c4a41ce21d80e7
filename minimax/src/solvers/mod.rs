//! Exact solvers, one folder a game.

pub mod dots_and_boxes;
pub mod queens;
pub mod xadrersi;

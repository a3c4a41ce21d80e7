//! How each game's unfinished positions are evaluated, one file a game.

pub mod dots_and_boxes;
pub mod hive;
pub mod other_game;
pub mod paper_soccer;
pub mod queens;
pub mod xadrersi;

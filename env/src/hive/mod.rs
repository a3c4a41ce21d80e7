//! Hive, with the expansions Mosquito, Ladybug and Pillbug.

mod action;
mod cell;
mod config;
mod piece;
mod state;

pub use action::{Action, N_ACTIONS};
pub use cell::{Cell, Direction, N_CELLS, SIDE};
pub use config::{ConfigError, Hive, Opening};
pub use piece::{Kind, N_KINDS, N_PIECES, N_PIECES_A_SIDE, Piece};
pub use state::State;

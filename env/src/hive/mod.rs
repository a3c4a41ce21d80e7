//! Hive, with the expansions Mosquito, Ladybug and Pillbug.

mod action;
mod ants;
mod board;
mod cell;
mod cell_set;
mod config;
mod destinations;
mod drawing;
mod encoding;
mod frame;
mod game_string;
mod illegal;
mod key;
mod move_string;
mod moves;
mod notation;
mod piece;
mod pins;
mod placements;
mod remarks;
mod rules;
mod state;
mod steps;
mod symmetry;
mod throws;
mod walks;

pub use action::{Action, N_ACTIONS};
pub use cell::{Cell, Direction, N_CELLS, SIDE};
pub use config::{ConfigError, Hive, Opening};
pub use illegal::Illegal;
pub use piece::{Kind, N_KINDS, N_PIECES, N_PIECES_A_SIDE, Piece};
pub use rules::{Deed, Played};
pub use state::State;

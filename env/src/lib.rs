//! Exact rules, notation, tensors, masks and symmetries of Tablero's games, and Gym-style
//! environments on top of them.
//!
//! - [`Game`]: the rules. [`Encode`]: tensors and symmetries. [`Notation`]: text.
//! - [`AnyGame`]: a game by name; [`with_game!`] opens it for static dispatch.
//! - [`Env`] and [`VecEnv`]: reset and step, observations and masks as `ndarray` views.
//! - [`perft`] counts action sequences; [`conformance`] checks the laws of any game, also yours.
//!
//! This crate knows no search, no network, no clock and no files.

pub mod dots_and_boxes;
pub mod perft;
pub mod random;

mod action;
mod encoding;
mod env;
mod episode;
mod game;
mod notation;
mod outcome;
mod player;
mod registry;
mod vec_env;

pub use action::ActionId;
pub use encoding::Encode;
pub use env::{Env, Step};
pub use episode::{EnvError, EnvOptions};
pub use game::{Game, playout};
pub use notation::{BoardGame, Notation, NotationError};
pub use outcome::Outcome;
pub use player::{NotAPlayer, Player};
pub use registry::{AnyGame, GAMES, GameEntry, SpecError};
pub use vec_env::{Autoreset, VecEnv, VecEnvError, VecStep};

//! Exact rules, notation, tensors, masks and symmetries of Tablero's games, and Gym-style
//! environments on top of them.
//!
//! - [`Game`]: the rules. [`Encode`]: tensors and symmetries. [`Notation`]: text. A type with all
//!   three is a [`BoardGame`].
//! - [`AnyGame`]: a game by name; [`with_game!`] opens it for static dispatch. [`games`] lists
//!   them, and [`Games`] adds yours.
//! - [`Rules`]: a game of your own in about ten methods, which get all of the above by defaults.
//! - [`Env`] and [`VecEnv`]: reset and step, observations and masks as `ndarray` views.
//! - [`turn`] plays a list of actions as one turn.
//! - [`perft`] counts action sequences, [`census`] positions and games; [`conformance`] checks the laws of any game, also yours.
//! - [`record`]: games as text.
//! - [`random`]: seeded generators that do not depend on the order of work, and the positions of
//!   random games.
//!
//! This crate knows no search, no network, no clock and no files.
//!
//! Each of the five games is a folder with the same files: `config`, `state`, `rules`, `illegal`,
//! `encoding`, `features`, `notation`, `drawing`, `view`, and `mod`, which is its manual. What is a
//! game's own, such as the movement in Hive, stands beside them. `CONTRIBUTING.md` says what is where.
//!
//! # Three ways in
//! The rules alone, as a search uses them:
//! ```
//! use tablero_env::{Game, Notation, dots_and_boxes::DotsAndBoxes};
//!
//! let game = DotsAndBoxes::new(2, 2).unwrap();
//! let mut state = game.initial();
//! let action = game.parse_action(&state, "1-1-h").unwrap();
//! let played = game.play(&mut state, action).unwrap();
//! assert_eq!(played.to_string(), "no box, Orange to move");
//! assert_eq!(game.state_text(&state), "10/00/00:000/000:../..:1");
//! ```
//! A game by name, as a command line uses it:
//! ```
//! use tablero_env::{AnyGame, Game, perft::perft, with_game};
//!
//! let any = AnyGame::parse("dots-and-boxes:3x4").unwrap();
//! let counts = with_game!(&any, game => perft(game, &game.initial(), 3));
//! assert_eq!(counts, [31, 31 * 30, 31 * 30 * 29]);
//! ```
//! A batch of environments, as a learner uses it:
//! ```
//! use tablero_env::{
//!     ActionId, Autoreset, EnvOptions, VecEnv, dots_and_boxes::DotsAndBoxes,
//! };
//!
//! let game = DotsAndBoxes::new(5, 5).unwrap();
//! let mut envs = VecEnv::new(game, 256, EnvOptions::default(), Autoreset::SameStep);
//! envs.reset(7);
//! for _ in 0..100 {
//!     // The first legal action of each: a policy would look at `envs.observations()`.
//!     let first = |mask: &[i8]| mask.iter().position(|&entry| entry == 1).unwrap();
//!     let actions: Vec<ActionId> = (0..256)
//!         .map(|index| ActionId::from(first(envs.masks().row(index).as_slice().unwrap())))
//!         .collect();
//!     let step = envs.step(&actions).unwrap();
//!     assert_eq!(step.observations.shape(), [256, 15, 6, 6]);
//! }
//! ```
//!
//! # Conventions
//! - Player 0 moves first. Whoever is to move is asked of the game, never derived from the ply:
//!   the same player may move several times in a row.
//! - A value in a `[_; 2]` belongs to player 0 and player 1, in this order. A single value is
//!   [`ForFirst`] or [`ForMover`]. An observation is always seen by the player to move.
//! - Masks are `i8`: 1 is legal, 0 is not.
//! - Bad input is refused by a typed error and leaves things as they were.

pub mod census;
pub mod conformance;
pub mod dots_and_boxes;
pub mod hive;
pub mod paper_soccer;
pub mod perft;
pub mod queens;
pub mod random;
pub mod record;
pub mod turn;
pub mod view;
pub mod xadrersi;

mod action;
mod bits;
mod encoding;
mod env;
mod episode;
mod features;
mod game;
mod games;
mod id_set;
mod nearest;
mod notation;
mod other_game;
mod outcome;
mod player;
mod pov;
mod registry;
mod vec_env;

pub use action::ActionId;
pub use encoding::Encode;
pub use env::{Env, Step};
pub use episode::{EnvError, EnvOptions};
pub use features::{ActionFeatures, FeatureImages, FeatureSizes};
pub use game::{Game, playout, playout_up_to};
pub use games::{GameEntry, Games, games};
pub use id_set::IdSet;
pub use nearest::did_you_mean;
pub use notation::{BoardGame, Notation, NotationError};
pub use other_game::{
    ExactSolver, OtherGame, OtherIllegal, OtherPlayed, OtherState, Rules, draw_grid, lines,
};
pub use outcome::Outcome;
pub use player::{NotAPlayer, Player};
pub use pov::{Flip, ForFirst, ForMover};
pub use registry::{AnyGame, SpecError};
pub use vec_env::{Autoreset, Standing, VecEnv, VecEnvError, VecStep};

//! Games of somebody else: one small trait, and what makes a full game of it.
//!
//! [`Rules`] is what a game of your own implements. [`OtherGame`] holds such rules without their type,
//! so that programs that were compiled without it can play it: it is a
//! [`BoardGame`](crate::BoardGame) like the built-in ones, at the price of a virtual call an item
//! and a state on the heap. The built-in games stay statically dispatched.

mod erased;
mod game;
mod patterns;
mod rules;
mod state;

pub use game::{OtherGame, OtherIllegal, OtherPlayed};
pub use rules::{ExactSolver, Rules, draw_grid, lines};
pub use state::OtherState;

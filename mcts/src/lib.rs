//! Monte-Carlo tree search over an [`Evaluator`]: PUCT or Gumbel, with proven bounds, many games in
//! one batch.
//!
//! - [`Search`]: one tree. A simulation is *gather* (the forward pass to a leaf, which hands out a
//!   [`Request`]) and *apply* (which folds the [`Evaluation`] in).
//! - [`run`], [`Batch`]: many searches in lock-step, one batch of evaluations a round.
//! - [`SearchParams`]: what can be tuned, with sources. [`Selection`]: the rule by which moves are
//!   chosen. [`Budget`]: what a move is worth.
//! - [`Evaluator`]: what evaluates leaves; [`Uniform`], [`Rollout`] and [`Fake`] need no network.
//!
//! Inside the tree, every value is stored as player 0 sees it and read through the player who
//! chooses, so games in which a player moves several times in a row need no care.

mod advance;
mod apply;
mod bounds;
mod budget;
mod estimate;
mod evaluator;
mod evaluators;
mod moves;
mod params;
mod priors;
mod ranges;
mod report;
mod root;
mod run;
mod search;
mod selection;
mod temperature;
mod text;
mod transpositions;
mod tree;

pub use bounds::Bounds;
pub use budget::Budget;
pub use evaluator::{Evaluation, Evaluations, Evaluator, Request, Wdl};
pub use evaluators::{Fake, Rollout, Uniform};
pub use params::SearchParams;
pub use ranges::ParamsError;
pub use report::RootEdge;
pub use run::{Batch, run};
pub use search::{Gathered, Search};
pub use selection::{Gumbel, Puct, Selection};

//! Monte-Carlo tree search over an [`Evaluator`]: PUCT or Gumbel, with proven bounds, many games in
//! one batch.
//!
//! - [`Search`]: one tree. It is split into *gather* (walk to a leaf, hand out a [`Request`])
//!   and *apply* (fold the [`Evaluation`] in).
//! - [`run`], [`Batch`]: many searches in lock-step, one batch of evaluations a round.
//! - [`SearchParams`]: every rule that can be chosen, with its source; [`Budget`]: what a move is
//!   worth.
//! - [`Evaluator`]: what judges leaves; [`Uniform`], [`Rollout`] and [`Fake`] need no network,
//!   [`Symmetrized`] asks another through all symmetries.
//!
//! Inside the tree, every value is stored as player 0 sees it and read through the player who
//! chooses, so games in which a player moves several times in a row need no care.

mod advance;
mod apply;
mod bounds;
mod budget;
mod decision;
mod evaluator;
mod evaluators;
mod forced;
mod gumbel;
mod params;
mod priors;
mod puct;
mod report;
mod root;
mod run;
mod search;
mod symmetrized;
mod temperature;
mod text;
mod transpositions;
mod tree;
mod value;
mod walk;

pub use budget::Budget;
pub use evaluator::{Evaluation, Evaluations, Evaluator, Request, Wdl};
pub use evaluators::{Fake, Rollout, Uniform};
pub use params::{GumbelParams, ParamsError, RootNoise, RootSelection, SearchParams};
pub use report::RootEdge;
pub use run::{Batch, run};
pub use search::{Gathered, Search};
pub use symmetrized::Symmetrized;

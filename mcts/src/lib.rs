//! Monte-Carlo tree search over an [`Evaluator`].

mod evaluator;

pub use evaluator::{Evaluation, Evaluations, Evaluator, Request, Wdl};

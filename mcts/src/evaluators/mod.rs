//! Evaluators that need no network.

mod fake;
mod rollout;
mod uniform;

pub use fake::Fake;
pub use rollout::Rollout;
pub use uniform::Uniform;

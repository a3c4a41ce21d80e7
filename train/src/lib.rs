//! What makes weights: self-play, replay, learner, checkpoints, runs.
//!
//! - [`Run`]: a training run in a folder, which can be killed at any instant and is resumed by the
//!   same call.
//! - [`RunConfig`]: everything that decides a run's result; presets come with the crate.
//! - [`play_games`](self_play::play_games): games by an [`Actor`](self_play::Actor);
//!   [`Learner`]: learning from them.

pub mod config;
mod frame;
pub mod learner;
pub mod memory;
pub mod record;
pub mod replay;
pub mod run;
pub mod self_play;
pub mod shard;

pub use config::{
    ConfigError, EvaluationConfig, LearnerConfig, PRESETS, Preset, QuickMoves, RunConfig,
    SelfPlayConfig, Teacher,
};
pub use learner::{LearnError, Learner};
pub use run::{Run, RunError};

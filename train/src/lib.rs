//! Self-play, learning, checkpoints and honest evaluation.
//!
//! - [`Run`]: a training run in a folder, which can be killed at any instant and goes on.
//! - [`RunConfig`]: everything that decides a run's result; presets come with the crate.
//! - [`play_games`](self_play::play_games): self-play; [`Learner`]: learning from it.
//! - [`PlayerSpec`]: players written as text; [`mod@matches`]: paired games between them;
//!   [`ladder`]: ratings of several;
//!   [`oracle`]: their decisions against the exact solver; [`analysis`]: what they think of a
//!   position.

pub mod analysis;
pub mod checkpoint;
pub mod config;
mod decider;
mod frame;
pub mod ladder;
mod leaf_search;
pub mod learner;
pub mod matches;
pub mod memory;
pub mod oracle;
pub mod players;
pub mod record;
pub mod replay;
mod root_search;
pub mod run;
pub mod self_play;
pub mod shard;
pub mod statistics;
pub mod storage;
pub mod tensorboard;
mod traps;

pub use config::{
    ConfigError, EvaluationConfig, GateConfig, LearnerConfig, PRESETS, Preset, QuickMoves,
    Resignation, RunConfig, SelfPlayConfig, Teacher,
};
pub use leaf_search::{LeafSearch, SearchedLeaves};
pub use learner::{LearnError, Learner};
pub use players::{PlayerError, PlayerSpec, PolicyOptions, PolicySource};
pub use root_search::RootSearch;
pub use run::{Run, RunError};

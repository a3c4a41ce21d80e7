//! Who decides and who measures.
//!
//! - [`PlayerSpec`]: players written as text; [`LoadedPlayer`]: the same with their files;
//!   [`Agent`]: one of them at a board, for one game.
//! - [`Players`]: agents and evaluators of a program's own, by name.
//! - A *bare* agent is a network and a tree search. An *informed* one has an analyser beside the
//!   network: [`Informed`].
//! - [`matches`](mod@matches): paired games; [`ladder`]: ratings of several players;
//!   [`statistics`]: scores, Elo and sequential tests.
//! - [`interrupt`]: ends matches early.
//! - [`oracle`]: decisions against the exact solver; [`analysis`]: how a player rates a position.
//! - [`uhp`]: the Universal Hive Protocol, from both sides; [`engine`]: a line protocol for any game.
//! - [`spread`](spread::spread): work over threads, the same result for any number of them.

pub mod analysis;
pub mod engine;
pub mod interrupt;
pub mod ladder;
pub mod matches;
pub mod memory;
pub mod oracle;
pub mod players;
pub mod spread;
pub mod statistics;
pub mod uhp;

mod budget;
mod cancel;
mod informed;
mod lines;
mod search;
mod uhp_player;

pub use budget::{GameClock, Limit, Watch};
pub use cancel::Cancel;
pub use informed::Informed;
pub use uhp_player::UhpPlayer;

pub use players::{
    Agent, AgentError, Choice, Draw, LoadedPlayer, PLAYER_FORMS, PlayerError, PlayerSpec, Players,
    PolicySource, SearchOptions, load_agent, load_policy,
};

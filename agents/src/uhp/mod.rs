//! The Universal Hive Protocol, from both sides: lines of text between an engine and whoever
//! drives it (<https://github.com/jonthysell/Mzinga/wiki/UniversalHiveProtocol>).
//!
//! - [`Engine`] answers commands; [`serve`] connects it to a reader and a writer.
//! - [`Client`] drives the engine of another program.
//!
//! A command is one line; its answer is any number of lines, the last of which is `ok`. An
//! answer that begins with `err` or `invalidmove` tells why the command changed nothing.

mod client;
mod command_line;
mod engine;
mod options;
mod process;
mod time;

pub use client::{Client, ClientError, Fault};
pub use engine::{Engine, Thinker, serve};
pub use options::EngineOption;

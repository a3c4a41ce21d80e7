//! One file a subcommand: its arguments, and what it does.

pub mod analyze;
pub mod bench;
pub mod compare;
pub mod count;
pub mod doctor;
pub mod engine;
pub mod eval;
pub mod export;
pub mod games;
pub mod hint;
pub mod ladder;
pub mod moves;
pub mod new_game;
pub mod perft;
pub mod play;
pub mod quickstart;
pub mod replay;
pub mod report;
pub mod rules;
pub mod serve;
pub mod solve;
pub mod status;
pub mod train;
pub mod uhp;
pub mod zoo;

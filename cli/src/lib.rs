//! The command line of Tablero, as a library so that the tests can build the same binary.

// First, as its macros are for all that follow.
#[macro_use]
mod output;
mod commands;
mod config_file;
mod failure;
mod interrupt;
mod matches;
mod position;
mod progress;
mod table;

use clap::{Parser, Subcommand};
use commands::{
    analyze, bench, count, doctor, engine, eval, export, games, hint, moves, perft, play,
    quickstart, replay, rules, serve, solve, status, train, uhp, zoo,
};
use failure::Failure;
use std::process::ExitCode;

/// Exact board games, self-play training, one binary
///
/// Train, evaluate and export agents for exact two-player board games.
///
/// Start with: tablero quickstart
#[derive(Parser, Debug)]
#[command(name = "tablero", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Games(games::Arguments),
    Rules(rules::Arguments),
    Serve(serve::Arguments),
    Quickstart(quickstart::Arguments),
    Train(train::Arguments),
    Eval(eval::Arguments),
    Export(export::Arguments),
    Play(play::Arguments),
    Zoo(zoo::Arguments),
    Hint(hint::Arguments),
    Analyze(analyze::Arguments),
    Moves(moves::Arguments),
    Perft(perft::Arguments),
    Count(count::Arguments),
    Solve(solve::Arguments),
    Replay(replay::Arguments),
    Status(status::Arguments),
    Report(commands::report::Arguments),
    Uhp(uhp::Arguments),
    Engine(engine::Arguments),
    Bench(bench::Arguments),
    Doctor(doctor::Arguments),
}

/// Reads the process's arguments, does what they ask and returns the exit code: 0 fine, 1 failed,
/// 2 bad input.
#[must_use]
pub fn run() -> ExitCode {
    let result: Result<(), Failure> = match Arguments::parse().command {
        Command::Games(arguments) => games::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Quickstart(arguments) => quickstart::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Zoo(arguments) => zoo::run(&arguments),
        Command::Hint(arguments) => hint::run(&arguments),
        Command::Analyze(arguments) => analyze::run(&arguments),
        Command::Moves(arguments) => moves::run(&arguments),
        Command::Count(arguments) => count::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Report(arguments) => commands::report::run(&arguments),
        Command::Status(arguments) => status::run(&arguments),
        Command::Uhp(arguments) => uhp::run(&arguments),
        Command::Engine(arguments) => engine::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

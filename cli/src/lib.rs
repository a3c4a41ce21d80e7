//! The command line of Tablero, as a library: for programs that add games of their own, and for the
//! tests.
//!
//! A program needs only one line in [`main`](run_with) to have every command for its own games:
//! ```no_run
//! # #[derive(Clone, Debug)]
//! # struct Pass;
//! # impl tablero::Rules for Pass {
//! #     type State = ();
//! #     fn name(&self) -> &'static str { "pass" }
//! #     fn n_actions(&self) -> usize { 1 }
//! #     fn max_plies(&self) -> Option<usize> { Some(1) }
//! #     fn initial(&self) {}
//! #     fn to_move(&self, _: &()) -> tablero::Player { tablero::Player::First }
//! #     fn legal(&self, _: &()) -> impl Iterator<Item = usize> { 0..1 }
//! #     fn play(&self, _: &mut (), _: usize) {}
//! #     fn outcome(&self, _: &()) -> Option<tablero::Outcome> { None }
//! #     fn observation_shape(&self) -> [usize; 3] { [1, 1, 1] }
//! #     fn observe(&self, _: &(), _: &mut [f32]) {}
//! # }
//! # let my_rules = Pass;
//! tablero::run_with(tablero::Games::builtin().with(my_rules));
//! ```
//! [`Players`] adds agents and evaluators in the same way: matches, ladders, the oracle and the page
//! then accept them by name. `my_rules` implements [`Rules`]; `docs/your-game.md` is the tutorial.

// First, as its macros are for all that follow.
#[macro_use]
mod output;
mod commands;
mod config_file;
mod evaluations;
mod failure;
mod figures;
mod interrupt;
mod matches;
mod player;
mod position;
mod progress;
mod quoting;
mod table;

use clap::{CommandFactory, Parser, Subcommand};
use commands::{
    analyze, bench, completions, count, doctor, engine, eval, export, games, hint, man, moves,
    new_game, perft, play, quickstart, replay, rules, serve, solve, status, train, uhp, zoo,
};
use failure::{Failure, report_arguments};
use std::process::ExitCode;
pub use tablero_agents::{self as agents, Players};
pub use tablero_env::{
    self as env, ExactSolver, ForFirst, ForMover, Games, OtherGame, OtherState, Outcome, Player,
    Rules, lines,
};
pub use tablero_mcts as mcts;
pub use tablero_minimax as minimax;

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
    NewGame(new_game::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Installs these games, parses the arguments of the process, runs the command and returns the exit
/// code: 0 success, 1 failure, 2 bad input.
#[must_use]
pub fn run_with(games: Games) -> ExitCode {
    games.install();
    // Also where the arguments cannot be read.
    let as_json = std::env::args_os().any(|argument| argument == "--json");
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return report_arguments(&error, as_json),
    };
    let result: Result<(), Failure> = match arguments.command {
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
        Command::NewGame(arguments) => new_game::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, Arguments::command()),
        Command::Man(arguments) => man::run(&arguments, Arguments::command()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(as_json),
    }
}

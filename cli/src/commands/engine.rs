//! `tablero engine`.

use crate::failure::Failure;
use crate::player::player;
use std::io::{stdin, stdout};
use tablero_agents::PlayerSpec;
use tablero_agents::engine::{Engine, serve};
use tablero_env::{AnyGame, with_game};
use tablero_minimax::Playable;

/// Run any player as an engine for any game: a line protocol for other programs
///
/// Reads commands from standard input until `quit` or the end of the input, and answers each with one
/// line:
/// `new [STATE]`, `play ACTIONS`, `go MICROSECONDS` (a whole turn of the player), `moves`, `state`,
/// `name`. The player keeps its tree and tables for a whole game. docs/engine.md describes the
/// protocol.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    printf 'play 0\\ngo 100000\\nstate\\nquit\\n' | tablero engine --game dots-and-boxes:3x3 --player zoo\n  \
    printf 'go 50000\\nquit\\n' | tablero engine --game paper-soccer:8x10 --player minimax:level=3")]
pub struct Arguments {
    /// The game, such as `dots-and-boxes:3x3`; `tablero games` lists them
    #[arg(long, value_name = "GAME", value_parser = AnyGame::parse)]
    game: AnyGame,
    /// The player that chooses the moves. `go` replaces its own limits; random, solver and `sims=0` have
    /// no time limit
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    player: PlayerSpec,
    /// Threads of a minimax player for one position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// The seed of the player
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if matches!(arguments.player, PlayerSpec::Uhp { .. }) {
        return Err(Failure::bad_input(
            "an engine cannot be its own player: expected a player other than uhp",
        ));
    }
    with_game!(&arguments.game, game => speak(game, arguments))
}

fn speak<G: Playable>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let player = arguments.player.load(game)?;
    let (threads, seed) = (arguments.threads, arguments.seed);
    let mut engine = Engine::new(game.clone(), player, threads, seed);
    Ok(serve(&mut engine, stdin().lock(), stdout().lock())?)
}

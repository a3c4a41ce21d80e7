//! `tablero uhp`.

use crate::failure::Failure;
use crate::player::player;
use std::io::{stdin, stdout};
use tablero_agents::uhp::{Engine, serve};
use tablero_agents::{PlayerSpec, UhpPlayer};

/// Run a player as an engine of the Universal Hive Protocol, for MzingaViewer and other Hive programs
///
/// Reads commands from standard input until `exit` or the end of the input: info, newgame, play, pass,
/// validmoves, bestmove, undo, options. A time limit applies to every player, a depth limit to minimax;
/// with a depth, tree searches run their configured number of simulations. `options` lists the options:
/// Player, Simulations, Threads (of minimax), TableSizeMiB (of minimax) and Opening.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    printf 'newgame Base+MLP\\nplay wS1\\nbestmove depth 2\\nexit\\n' | tablero uhp\n  \
    printf 'newgame Base+MLP\\nbestmove time 00:00:01\\nexit\\n' | tablero uhp --player zoo")]
pub struct Arguments {
    /// The player that chooses the moves; default the bundled policy for the game type, or
    /// minimax:level=4 if there is none
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    player: Option<PlayerSpec>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if matches!(arguments.player, Some(PlayerSpec::Uhp { .. })) {
        return Err(Failure::bad_input(
            "an engine cannot be its own player: expected a player other than uhp",
        ));
    }
    let mut engine = Engine::new(UhpPlayer::new(arguments.player.clone()));
    Ok(serve(&mut engine, stdin().lock(), stdout().lock())?)
}

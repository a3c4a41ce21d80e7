//! `tablero uhp`.

use crate::failure::Failure;
use crate::player::player;
use std::io::{stdin, stdout};
use tablero_agents::uhp::{Engine, serve};
use tablero_agents::{PlayerSpec, UhpPlayer};

/// Speak the Universal Hive Protocol: an engine for MzingaViewer and other Hive programs
///
/// Reads commands from standard input until `exit` or its end: info, newgame, play, pass,
/// validmoves, bestmove, undo, options. A limit in time holds for every player; a depth for minimax,
/// where others take as many simulations as they are configured to. `options` lists what can be set:
/// Player, Simulations, Threads (of minimax), TableSizeMiB (of minimax) and Opening.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    printf 'newgame Base+MLP\\nplay wS1\\nbestmove depth 2\\nexit\\n' | tablero uhp\n  \
    printf 'newgame Base+MLP\\nbestmove time 00:00:01\\nexit\\n' | tablero uhp --player zoo")]
pub struct Arguments {
    /// Who finds the moves; default the policy that comes with Tablero for the type of game, and
    /// minimax:level=4 where there is none
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    player: Option<PlayerSpec>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if matches!(arguments.player, Some(PlayerSpec::Uhp { .. })) {
        return Err(Failure::bad_input(
            "an engine cannot be its own player: expected another than uhp",
        ));
    }
    let mut engine = Engine::new(UhpPlayer::new(arguments.player.clone()));
    Ok(serve(&mut engine, stdin().lock(), stdout().lock())?)
}

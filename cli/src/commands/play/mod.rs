//! `tablero play`.

mod person;
mod screen;
mod session;
mod table;

use crate::commands::zoo;
use crate::failure::Failure;
use crate::matches::game_of;
use crate::player::player;
use crate::position::{GameSource, StartArgs, check_unfinished};
use session::Session;
use tablero_agents::players::level_text;
use tablero_agents::{PlayerError, PlayerSpec};
use tablero_env::with_game;
use tablero_minimax::Playable;

/// Play in the terminal: a person against a player, or any two players
///
/// Player a moves first. `human` is you; all other players are as in `tablero eval`. At the end a record
/// of the game is printed. `replay`, `analyze` and every other command that takes a position can read
/// it from a file.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero play dots-and-boxes:3x3\n  \
                        tablero play hive:base --level beginner\n  \
                        tablero play dots-and-boxes:3x3 --a policy:runs/quickstart --b human\n  \
                        tablero play game.txt --ply 10\n  \
                        tablero play dots-and-boxes:2x2 --a random --b greedy --seed 5")]
pub struct Arguments {
    /// The game, or a file with a recorded game, which is continued; optional if a player is a policy
    #[arg(value_name = "GAME|FILE", value_parser = GameSource::parse)]
    source: Option<GameSource>,
    /// Player 0
    #[arg(long, value_name = "PLAYER", default_value = "human", value_parser = seat)]
    a: Seat,
    /// Player 1; default the bundled policy (`zoo`), or minimax:level=3 if there is none
    #[arg(long, value_name = "PLAYER", value_parser = seat)]
    b: Option<Seat>,
    /// The level of the default opponent: beginner, novice, intermediate, advanced, expert or master
    #[arg(long, value_name = "LEVEL", conflicts_with = "b")]
    level: Option<String>,
    #[command(flatten)]
    start: StartArgs,
    /// The seed of the players; default a new one for each game
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// Who sits at the board.
#[derive(Clone, Debug)]
enum Seat {
    Human,
    Player(PlayerSpec),
}

fn seat(text: &str) -> Result<Seat, PlayerError> {
    if text == "human" {
        return Ok(Seat::Human);
    }
    player(text).map(Seat::Player)
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let any = match &arguments.source {
        Some(source) => source.game.clone(),
        None => {
            let seats = [Some(&arguments.a), arguments.b.as_ref()];
            let players = seats.into_iter().flatten().filter_map(|seat| match seat {
                Seat::Human => None,
                Seat::Player(spec) => Some(spec),
            });
            game_of(players)?
        }
    };
    with_game!(&any, game => play(game, arguments))
}

fn play<G: Playable>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let record = arguments
        .source
        .as_ref()
        .and_then(|source| source.record.as_ref());
    let history = arguments.start.follow(game, record, |_, _, _| ())?;
    check_unfinished(game, &history.end)?;
    let seats = [arguments.a.clone(), opponent(game, arguments)?];
    // Only 32 random bits: a seed that a person can type again.
    let seed = arguments
        .seed
        .unwrap_or_else(|| rand::random::<u32>().into());
    Session::new(game, history, seats, seed)?.play()
}

/// Player b, or the default opponent.
fn opponent<G: Playable>(game: &G, arguments: &Arguments) -> Result<Seat, Failure> {
    if let Some(seat) = &arguments.b {
        return Ok(seat.clone());
    }
    let Some(level) = &arguments.level else {
        return Ok(Seat::Player(zoo::player_or(game, "minimax:level=3")));
    };
    let has_policy = matches!(zoo::player_or(game, "random"), PlayerSpec::Policy { .. });
    let text = level_text(level, has_policy).ok_or_else(|| {
        let names = tablero_minimax::LEVELS.map(|level| level.name).join(", ");
        Failure::bad_input(format!(
            "unknown level {level:?}; expected 1 to 6 or one of {names}"
        ))
    })?;
    Ok(Seat::Player(text.parse()?))
}

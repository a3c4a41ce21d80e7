//! `tablero play`.

use crate::commands::zoo;
use crate::failure::Failure;
use crate::matches::game_of;
use crate::position::{PositionArgs, play_turn_text};
use std::io::{BufRead, Write, stdin, stdout};
use tablero_agents::{Agent, PlayerError, PlayerSpec};
use tablero_env::random::stream;
use tablero_env::{ActionId, AnyGame, BoardGame, Player, with_game};
use tablero_minimax::Playable;

/// Play on the terminal: a person against a player, or any two players
///
/// Player a moves first. `human` asks you; all other players are as in `tablero eval`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero play dots-and-boxes:3x3\n  \
                        tablero play hive:base --b minimax:level=2\n  \
                        tablero play dots-and-boxes:3x3 --a policy:runs/quickstart --b human\n  \
                        tablero play dots-and-boxes:2x2 --a random --b greedy --seed 5")]
pub struct Arguments {
    /// The game; may be left out where a player is a policy
    #[arg(value_name = "GAME", value_parser = AnyGame::parse)]
    game: Option<AnyGame>,
    /// Player 0
    #[arg(long, value_name = "PLAYER", default_value = "human", value_parser = seat)]
    a: Seat,
    /// Player 1; default the trained policy that comes with Tablero (`zoo`), and minimax:level=3
    /// where there is none
    #[arg(long, value_name = "PLAYER", value_parser = seat)]
    b: Option<Seat>,
    #[command(flatten)]
    position: PositionArgs,
    /// Fixes the players' randomness
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
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
    text.parse().map(Seat::Player)
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let any = match &arguments.game {
        Some(any) => any.clone(),
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
    let mut state = arguments.position.resolve_unfinished(game)?;
    let mut agents: Vec<Option<Box<dyn Agent<G>>>> = Vec::new();
    let opponent = arguments.b.clone();
    let opponent =
        opponent.unwrap_or_else(|| Seat::Player(zoo::player_or(game, "minimax:level=3")));
    for seat in [&arguments.a, &opponent] {
        agents.push(match seat {
            Seat::Human => None,
            Seat::Player(spec) => Some(spec.load(game)?.agent(game)),
        });
    }
    let mut streams = [0, 1].map(|side| stream(arguments.seed, "play", side));
    let mut undo: Vec<G::State> = Vec::new();
    println!("{}, seed {}", game.spec(), arguments.seed);
    for (player, seat) in [&arguments.a, &opponent].into_iter().enumerate() {
        match seat {
            Seat::Human => println!("Player {player}: you"),
            Seat::Player(spec) => println!("Player {player}: {spec}"),
        }
    }
    if agents.iter().any(Option::is_none) {
        println!("Type a move, or a whole turn as a list, or: moves, undo, quit.");
    }
    loop {
        print!("\n{}", game.draw(&state));
        print_points(game, &state);
        if let Some(outcome) = game.outcome(&state) {
            match outcome.winner {
                None => println!("The game is a draw."),
                Some(winner) => println!("Player {winner} wins."),
            }
            return Ok(());
        }
        let mover = game.player_to_move(&state);
        match &mut agents[mover.index()] {
            Some(agent) => {
                let action = agent.choose(&state, &mut streams[mover.index()])?.action;
                let text = game.action_text(&state, action);
                match game.play(&mut state, action) {
                    Ok(played) => {
                        println!("Player {mover} plays {text}: {played}");
                        tell(&mut agents, action);
                    }
                    Err(illegal) => {
                        return Err(
                            anyhow::anyhow!("player {mover} chose {text}: {illegal}").into()
                        );
                    }
                }
            }
            None => match ask(game, &mut state, mover, &mut undo)? {
                Answer::Played(actions) => {
                    for action in actions {
                        tell(&mut agents, action);
                    }
                }
                Answer::TakenBack => {}
                Answer::Quit => return Ok(()),
            },
        }
    }
}

fn print_points<G: BoardGame>(game: &G, state: &G::State) {
    if let Some([first, second]) = game.points(state) {
        println!("Points: {first} to {second}");
    }
}

/// Lets the agents follow the game.
fn tell<G: BoardGame>(agents: &mut [Option<Box<dyn Agent<G>>>], action: ActionId) {
    for agent in agents.iter_mut().flatten() {
        agent.played(action);
    }
}

enum Answer {
    Played(Vec<ActionId>),
    TakenBack,
    Quit,
}

/// Asks a person until a move is played or the game is left.
fn ask<G: BoardGame>(
    game: &G,
    state: &mut G::State,
    mover: Player,
    undo: &mut Vec<G::State>,
) -> Result<Answer, Failure> {
    loop {
        print!("Player {mover}: ");
        stdout().flush()?;
        let mut line = String::new();
        if stdin().lock().read_line(&mut line)? == 0 {
            println!();
            return Ok(Answer::Quit);
        }
        match line.trim() {
            "" => {}
            "quit" | "exit" | "q" => return Ok(Answer::Quit),
            "moves" | "help" | "?" => {
                let mut legal: Vec<ActionId> = Vec::new();
                game.legal_actions(state, &mut legal);
                let texts: Vec<String> = legal
                    .iter()
                    .map(|&action| game.action_text(state, action))
                    .collect();
                println!("{}", texts.join("  "));
                for remark in game.remarks(state) {
                    println!("{remark}");
                }
            }
            "undo" => match undo.pop() {
                Some(before) => {
                    *state = before;
                    return Ok(Answer::TakenBack);
                }
                None => println!("There is no move of yours to take back."),
            },
            text => {
                let before = state.clone();
                match play_turn_text(game, state, text) {
                    Ok(turn) => {
                        for (_, played) in &turn {
                            println!("{played}");
                        }
                        undo.push(before);
                        let actions = turn.into_iter().map(|(action, _)| action);
                        return Ok(Answer::Played(actions.collect()));
                    }
                    Err(Failure::BadInput(error)) => println!("{error:#}"),
                    Err(failed) => return Err(failed),
                }
            }
        }
    }
}

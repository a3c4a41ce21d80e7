//! `tablero replay`.

use crate::failure::Failure;
use crate::position::{GameArg, play_text};
use serde_json::{Map, Value, json};
use tablero_env::{ActionId, BoardGame, with_game};

/// Play a list of actions by the rules and report every ply
///
/// With --json: one line a ply (`ply`, `player`, `legal`: ids, `action`, `text`, and the game's
/// own report such as `captured` and `next`), then a last line (`outcome`: the return of each
/// player, or null while the game goes on, `points`, `state`). An illegal action ends the command
/// with exit code 2 and the reason.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example:\n  tablero replay dots-and-boxes:1x1 --actions \"1-1-h 1-1-v 3 1\""
)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArg,
    /// The actions, as ids or texts, separated by spaces (or by `;`)
    #[arg(long, value_name = "ACTIONS")]
    actions: String,
    /// Print JSON lines
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(&arguments.game.game, game => replay(game, arguments))
}

fn replay<G: BoardGame>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let mut state = game.initial();
    let mut legal: Vec<ActionId> = Vec::new();
    for (ply, text) in game
        .split_actions(&state.clone(), &arguments.actions)
        .into_iter()
        .enumerate()
    {
        let before = state.clone();
        let player = game.player_to_move(&before);
        game.legal_actions(&before, &mut legal);
        let (action, played) = play_text(game, &mut state, text)?;
        let text = game.action_text(&before, action);
        if !arguments.json {
            println!("{:>3}. player {player}: {text}  ({played})", ply + 1);
            continue;
        }
        let mut line = Map::new();
        line.insert("ply".to_owned(), json!(ply));
        line.insert("player".to_owned(), json!(player));
        line.insert("legal".to_owned(), json!(legal));
        line.insert("action".to_owned(), json!(action));
        line.insert("text".to_owned(), json!(text));
        if let Value::Object(report) = serde_json::to_value(&played)? {
            line.extend(report);
        }
        println!("{}", Value::Object(line));
    }
    let outcome = game.outcome(&state);
    let points = game.points(&state);
    if arguments.json {
        println!(
            "{}",
            json!({
                "outcome": outcome.map(|outcome| outcome.returns()),
                "points": points,
                "state": game.state_text(&state),
            })
        );
        return Ok(());
    }
    print!("{}", game.draw(&state));
    if let Some([first, second]) = points {
        println!("Points: {first} to {second}");
    }
    match outcome.map(|outcome| outcome.winner) {
        None => println!("Player {} to move", game.player_to_move(&state)),
        Some(None) => println!("The game is a draw"),
        Some(Some(winner)) => println!("Player {winner} has won"),
    }
    println!("State: {}", game.state_text(&state));
    Ok(())
}

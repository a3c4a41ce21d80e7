//! `tablero replay`.

use crate::failure::Failure;
use crate::position::PositionArgs;
use serde_json::{Map, Value, json};
use tablero_env::record::Ending;
use tablero_env::{ActionId, BoardGame, with_game};

/// Play a recorded game or a list of actions by the rules and report every ply
///
/// With --json: one line per ply (`ply` from 1, `player`, `legal`: ids, `action`, `text`, and the game's
/// own report such as `captured` and `next`), then a last line (`outcome`: the return of each
/// player, or null if the game is unfinished, `points`, `state`). An illegal action ends the command
/// with exit code 2 and the reason.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
                        tablero replay dots-and-boxes:1x1 --moves \"1-1-h 1-1-v 3 1\"\n  \
                        tablero replay game.txt")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,
    /// Print JSON lines
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(arguments.position.game(), game => replay(game, arguments))
}

fn replay<G: BoardGame>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let mut ply = 0;
    let history = arguments.position.follow(game, |before, action, played| {
        ply += 1;
        print_ply(game, ply, before, action, played, arguments.json);
    })?;
    let state = history.end;
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
    match Ending::from(outcome) {
        Ending::Open => println!("{} to move", game.side(game.player_to_move(&state))),
        Ending::Draw => println!("The game is a draw"),
        Ending::Won(winner) => println!("{} has won", game.side(winner)),
    }
    println!("State: {}", game.state_text(&state));
    Ok(())
}

/// Reports what was played in a position.
fn print_ply<G: BoardGame>(
    game: &G,
    ply: usize,
    before: &G::State,
    action: ActionId,
    played: &G::Played,
    as_json: bool,
) {
    let player = game.player_to_move(before);
    let text = game.action_text(before, action);
    if !as_json {
        let side = game.side(player);
        return println!("{ply:>3}. {side}: {text}  ({played})");
    }
    let mut legal: Vec<ActionId> = Vec::new();
    game.legal_actions(before, &mut legal);
    let mut line = Map::new();
    line.insert("ply".to_owned(), json!(ply));
    line.insert("player".to_owned(), json!(player));
    line.insert("legal".to_owned(), json!(legal));
    line.insert("action".to_owned(), json!(action));
    line.insert("text".to_owned(), json!(text));
    if let Value::Object(report) = json!(played) {
        line.extend(report);
    }
    println!("{}", Value::Object(line));
}

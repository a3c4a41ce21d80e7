//! `tablero moves`.

use crate::failure::Failure;
use crate::position::PositionArgs;
use crate::table::WIDTH;
use serde_json::json;
use tablero_env::turn::{Progress, check_prefix};
use tablero_env::view::Position;
use tablero_env::{ActionId, BoardGame, with_game};

/// List the legal moves of a position, or check a move or a turn and say why it is illegal
///
/// Shows the board, what counts for the score, which pieces cannot move and why, and each legal move
/// with its id.
///
/// With --check, the actions are checked as the beginning of one turn: whether they are legal, and
/// whether the turn is then complete. The first illegal one ends the command with exit code 2 and the
/// reason.
///
/// The JSON form is described by docs/position.schema.json: board, turn, and each legal action with
/// what it affects; with --check it is {"complete", "state", "player"}.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero moves xadrersi --moves Kd4\n  \
                        tablero moves paper-soccer:4x4 --check \"N\"\n  \
                        tablero moves hive --moves \"wS1; bS1 wS1-\" --check \"wA1 bS1-\"")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,
    /// Check these actions, as ids or texts separated by spaces (or by `;`), as one turn
    #[arg(long, value_name = "ACTIONS", allow_hyphen_values = true)]
    check: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(arguments.position.game(), game => moves(game, arguments))
}

fn moves<G: BoardGame>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let state = arguments.position.resolve(game)?;
    match &arguments.check {
        Some(list) => check(game, &state, list, arguments.json),
        None => list(game, &state, arguments.json),
    }
}

fn list<G: BoardGame>(game: &G, state: &G::State, as_json: bool) -> Result<(), Failure> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let text = |action: ActionId| game.action_text(state, action);
    if as_json {
        println!("{}", serde_json::to_string(&Position::of(game, state))?);
        return Ok(());
    }
    print!("{}", game.draw(state));
    if let Some([first, second]) = game.points(state) {
        println!("Points: {first} to {second}");
    }
    for remark in game.remarks(state) {
        println!("{remark}");
    }
    if legal.is_empty() {
        println!("The game is over.");
        return Ok(());
    }
    println!(
        "{} to move, {} legal:",
        game.side(game.player_to_move(state)),
        legal.len()
    );
    // In columns, so that a hundred moves stay on one screen.
    let cells: Vec<String> = legal
        .iter()
        .map(|&action| format!("{action}={}", text(action)))
        .collect();
    let width = cells.iter().map(|cell| cell.chars().count()).max();
    let width = width.unwrap_or(0) + 2;
    for row in cells.chunks(((WIDTH - 2) / width).max(1)) {
        let row: String = row.iter().map(|cell| format!("{cell:<width$}")).collect();
        println!("  {}", row.trim_end());
    }
    Ok(())
}

fn check<G: BoardGame>(
    game: &G,
    state: &G::State,
    list: &str,
    as_json: bool,
) -> Result<(), Failure> {
    // Read one by one: what a text means may depend on the position.
    let mut actions = Vec::new();
    let (mut after, mut progress) = check_prefix(game, state, &actions)
        .map_err(|error| Failure::bad_input(error.to_string()))?;
    for text in game.split_actions(state, list) {
        actions.push(game.parse_id_or_action(&after, text)?);
        (after, progress) = check_prefix(game, state, &actions)
            .map_err(|error| Failure::bad_input(format!("{text}: {error}")))?;
    }
    let complete = progress == Progress::Complete;
    if as_json {
        println!(
            "{}",
            json!({
                "complete": complete,
                "state": game.state_text(&after),
                "player": game.player_to_move(&after),
            })
        );
        return Ok(());
    }
    print!("{}", game.draw(&after));
    let mover = game.side(game.player_to_move(state));
    if game.is_over(&after) {
        println!("Legal; the game is over.");
    } else if complete {
        println!("Legal, and the turn of {mover} is complete.");
    } else {
        println!("Legal so far; {mover} must continue.");
    }
    Ok(())
}

//! `tablero solve`.

use crate::failure::Failure;
use crate::position::PositionArgs;
use serde_json::json;
use std::time::Instant;
use tablero_env::{ActionId, BoardGame, Player, with_game};
use tablero_minimax::{
    DEFAULT_PROOF_NODES, Playable, ProofNumberSearch, Solution, SolveError, Solver, Verdict,
};

/// The size of the table of the search for a forced win.
const PROOF_TABLE_MIB: usize = 128;

/// Solve a position exactly: result, final points and every optimal action
///
/// The value is player 0's result under best play: 1, 0 or -1. The JSON form is {"value",
/// "points", "best", "nodes", "remarks", "seconds"}; remarks add information in the game's own terms,
/// such as a Sprague-Grundy value.
///
/// Hive is too large to be solved, but a forced win can be proven. Proof-number search looks for a
/// forced win of either player, always in Hive and in other games with --nodes. "best" then lists the
/// actions that are proven to win, and the JSON form also has "plies", the maximum number of plies to
/// the win, and "line". The value is null if the nodes are not enough to decide.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero solve dots-and-boxes:3x3\n  \
                        tablero solve queens:10\n  \
                        tablero solve dots-and-boxes:2x3 --moves \"0 1 2 3 4 5 6 7 8 9 10\"\n  \
                        tablero solve hive:base --nodes 20000 --from \"$GAME_STRING\"")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,
    /// Only look for a forced win, within this number of nodes [default in Hive: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(arguments.position.game(), game => solve(game, arguments))
}

fn solve<G: Playable>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let state = arguments.position.resolve(game)?;
    if let Some(nodes) = arguments.nodes {
        prove(game, &state, nodes, arguments.json);
        return Ok(());
    }
    let start = Instant::now();
    let mut solver = match game.solver() {
        Err(SolveError::NoSolver { .. }) => {
            prove(game, &state, DEFAULT_PROOF_NODES, arguments.json);
            return Ok(());
        }
        solver => solver?,
    };
    solver.check(&state)?;
    let solution = solver.solve(&state);
    let seconds = start.elapsed().as_secs_f64();
    let remarks = solver.remarks(&state);
    print_solution(game, &state, &solution, &remarks, seconds, arguments.json);
    Ok(())
}

fn print_solution<G: BoardGame>(
    game: &G,
    state: &G::State,
    solution: &Solution,
    remarks: &[String],
    seconds: f64,
    as_json: bool,
) {
    let best = texts(game, state, &solution.best);
    if as_json {
        println!(
            "{}",
            json!({
                "value": solution.value.0,
                "points": solution.points,
                "best": best,
                "nodes": solution.nodes,
                "remarks": remarks,
                "seconds": seconds,
            })
        );
        return;
    }
    print!("{}", game.draw(state));
    match solution.value.0 {
        0 => println!("Under best play: a draw."),
        value => println!("Under best play: {} wins.", game.side(winner(value))),
    }
    if let Some([first, second]) = solution.points {
        println!("Final points: {first} to {second}.");
    }
    if !best.is_empty() {
        println!(
            "Optimal actions for {}: {}",
            game.side(game.player_to_move(state)),
            best.join(" ")
        );
    }
    for remark in remarks {
        println!("{remark}");
    }
    println!("{} nodes in {seconds:.3} s, exact", solution.nodes);
}

/// Who has a result of 1 or -1 for player 0.
fn winner(value: i8) -> Player {
    Player::BOTH[usize::from(value < 0)]
}

/// Looks for a forced win, and prints what is found.
fn prove<G: Playable>(game: &G, state: &G::State, nodes: u64, as_json: bool) {
    let start = Instant::now();
    let report = ProofNumberSearch::new(game.clone(), PROOF_TABLE_MIB).search(state, nodes);
    let seconds = start.elapsed().as_secs_f64();
    let value = report.verdict.value();
    let win = match &report.verdict {
        Verdict::Win(win) => Some(win),
        Verdict::Draw | Verdict::Undecided => None,
    };
    let best = win.map_or(Vec::new(), |win| texts(game, state, &win.winning));
    let line = win.map_or(Vec::new(), |win| game.line_texts(state, &win.line));
    if as_json {
        println!(
            "{}",
            json!({
                "value": value,
                "points": null,
                "best": best,
                "plies": win.map(|win| win.plies),
                "line": line,
                "nodes": report.nodes,
                "remarks": [],
                "seconds": seconds,
            })
        );
        return;
    }
    print!("{}", game.draw(state));
    match (win, value) {
        (Some(win), _) if win.plies == 0 => println!("{} has won.", game.side(win.winner)),
        (Some(win), _) => {
            println!(
                "Forced win for {} in {} plies.",
                game.side(win.winner),
                win.plies
            );
            if best.is_empty() {
                println!(
                    "Every action of {} loses.",
                    game.side(game.player_to_move(state))
                );
            } else {
                println!("Proven to win: {}", best.join(", "));
            }
            println!("Line: {}", line.join(", "));
        }
        (None, Some(_)) => println!("A draw: neither player can force a win."),
        (None, None) => println!("Not decided within {} nodes.", report.nodes),
    }
    println!("{} nodes in {seconds:.3} s", report.nodes);
}

fn texts<G: BoardGame>(game: &G, state: &G::State, actions: &[ActionId]) -> Vec<String> {
    let texts = actions
        .iter()
        .map(|&action| game.action_text(state, action));
    texts.collect()
}

//! `tablero bench`.

use crate::failure::Failure;
use crate::table::Table;
use serde_json::{Value, json};
use std::time::Instant;
use tablero_env::random::{mix, stream};
use tablero_env::{AnyGame, BoardGame, games, with_game};
use tablero_mcts::{Batch, Search, SearchParams, Uniform, run as run_searches};
use tablero_minimax::{Limits, Minimax, Playable};

/// Positions of each game, after 0, 4, 8, … random plies.
const POSITIONS: usize = 4;
const PLIES_APART: usize = 4;
/// The depth of minimax in each position.
const DEPTH: u32 = 3;
/// MiB of minimax's table.
const TABLE_MIB: usize = 16;
/// Simulations of the tree search in each position.
const SIMULATIONS: u32 = 1000;

/// Search fixed positions of every game: a signature of behaviour, and speeds
///
/// The signature is computed from the nodes and scores of minimax, and from the visits of the tree
/// search with a uniform evaluator, with fixed seeds. It is the same on every machine and changes
/// only if rules or search behave differently. Compare it before and after a change that should
/// affect only speed. Uses one thread. Speeds are those of this run; the JSON form has both.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  tablero bench")]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What the searches of one game did.
struct Measured {
    game: String,
    nodes: u64,
    minimax_seconds: f64,
    simulations: u64,
    mcts_seconds: f64,
    signature: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut all = Vec::new();
    for entry in games() {
        let any = AnyGame::parse(entry.name)?;
        all.push(with_game!(&any, game => measure(game)));
    }
    let signature = all
        .iter()
        .fold(0, |signature, one| mix(signature ^ one.signature));
    if arguments.json {
        let games: Vec<Value> = all
            .iter()
            .map(|one| {
                json!({
                    "game": one.game,
                    "signature": format!("{:016x}", one.signature),
                    "minimax_nodes": one.nodes,
                    "minimax_seconds": one.minimax_seconds,
                    "simulations": one.simulations,
                    "mcts_seconds": one.mcts_seconds,
                })
            })
            .collect();
        println!(
            "{}",
            json!({ "signature": format!("{signature:016x}"), "games": games })
        );
        return Ok(());
    }
    let mut table = Table::new(&[
        "game",
        ">minimax nodes",
        ">nodes/s",
        ">simulations/s",
        "signature",
    ]);
    for one in &all {
        table.row([
            one.game.clone(),
            one.nodes.to_string(),
            format!("{:.0}", one.nodes as f64 / one.minimax_seconds),
            format!("{:.0}", one.simulations as f64 / one.mcts_seconds),
            format!("{:016x}", one.signature),
        ]);
    }
    table.print();
    println!("\nSignature: {signature:016x}");
    Ok(())
}

fn measure<G: Playable>(game: &G) -> Measured {
    let mut measured = Measured {
        game: game.spec(),
        nodes: 0,
        minimax_seconds: 0.0,
        simulations: 0,
        mcts_seconds: 0.0,
        signature: 0,
    };
    let mut note = |fact: u64| measured.signature = mix(measured.signature ^ mix(fact));
    for (index, state) in positions(game).into_iter().enumerate() {
        let mut minimax = Minimax::new(game.clone(), TABLE_MIB);
        let start = Instant::now();
        let report = minimax.search(&state, &Limits::depth(DEPTH));
        measured.minimax_seconds += start.elapsed().as_secs_f64();
        measured.nodes += report.nodes;
        note(report.nodes);
        note(report.score.0 as u64);

        let start = Instant::now();
        let mut search = Search::new(
            game.clone(),
            state,
            SearchParams {
                transpositions: false,
                ..SearchParams::default()
            },
            stream(1, "bench search", index as u64),
        );
        let one = std::slice::from_mut(&mut search);
        run_searches(one, SIMULATIONS, &mut Uniform, &mut Batch::new());
        measured.mcts_seconds += start.elapsed().as_secs_f64();
        measured.simulations += u64::from(search.n_simulations());
        for edge in search.root_edges() {
            note(u64::from(edge.visits));
        }
    }
    measured
}

/// Unfinished positions of one random game; fewer if it ends early.
fn positions<G: BoardGame>(game: &G) -> Vec<G::State> {
    let mut rng = stream(1, "bench positions", 0);
    let mut buffer = Vec::new();
    let mut state = game.initial();
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        positions.push(state.clone());
        for _ in 0..PLIES_APART {
            let action = game.sample_action(&state, &mut buffer, &mut rng);
            game.play_unchecked(&mut state, action);
            if game.is_over(&state) {
                return positions;
            }
        }
    }
    positions
}

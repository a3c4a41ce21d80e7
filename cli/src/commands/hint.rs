//! `tablero hint`.

use crate::commands::eval::percent;
use crate::failure::Failure;
use crate::position::{GameArg, PositionArgs};
use crate::table::Table;
use serde_json::{Value, json};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use tablero_env::random::stream;
use tablero_env::{ActionId, BoardGame, with_game};
use tablero_mcts::{
    Batch, Evaluator, Rollout, RootEdge, Search, SearchParams, run as run_searches,
};
use tablero_minimax::{Baseline, Limits, Minimax};
use tablero_models::LeafEvaluator;
use tablero_train::PlayerSpec;
use tablero_train::players::{TABLE_MIB, load_policy};

/// Show the best moves of a position with visits, prior and value
///
/// By tree search (`mcts:sims=N` or `policy:DIR,sims=N`), with one line a move; or by
/// `minimax:depth=N`, with its score and line. Values are the expected result of the player to
/// move, -1 to 1; a proven one is marked.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero hint dots-and-boxes:3x3\n  \
                        tablero hint dots-and-boxes:3x3 --moves \"1-1-h 2-2-v\" --player \
                        policy:runs/quickstart,sims=400")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    position: PositionArgs,
    /// Who is asked
    #[arg(long, value_name = "PLAYER", default_value = "mcts:sims=2000")]
    player: PlayerSpec,
    /// Show at most this many moves
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Fixes the search's randomness
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print JSON, with all moves
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    with_game!(&arguments.game.game, game => hint(game, arguments))
}

fn hint<G: BoardGame + Baseline>(game: &G, arguments: &Arguments) -> Result<(), Failure> {
    let state = arguments.position.resolve_unfinished(game)?;
    if !arguments.json {
        print!("{}", game.draw(&state));
        println!(
            "Player {} to move; asked: {}, seed {}",
            game.player_to_move(&state),
            arguments.player,
            arguments.seed
        );
    }
    match &arguments.player {
        PlayerSpec::Policy { directory, sims } => {
            let policy = load_policy(directory)?;
            policy.check_game(game)?;
            let network = Arc::new(policy.leaf_network()?);
            let mut evaluator = LeafEvaluator::new(network);
            by_search(game, &state, *sims, &mut evaluator, arguments)
        }
        PlayerSpec::Mcts { sims } => {
            let mut evaluator = Rollout::new(NonZeroU32::MIN);
            by_search(game, &state, *sims, &mut evaluator, arguments)
        }
        PlayerSpec::Minimax { depth, ms, nodes } => {
            let limits = Limits {
                depth: *depth,
                time: ms.map(Duration::from_millis),
                nodes: *nodes,
            };
            by_minimax(game, &state, &limits, arguments)
        }
        PlayerSpec::Random | PlayerSpec::Greedy | PlayerSpec::Uhp { .. } => {
            Err(Failure::bad_input(format!(
                "{} has no hints to give; expected mcts, policy or minimax",
                arguments.player
            )))
        }
    }
}

fn by_search<G: BoardGame>(
    game: &G,
    state: &G::State,
    sims: u32,
    evaluator: &mut impl Evaluator<G>,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let mut search = Search::new(
        game.clone(),
        state.clone(),
        SearchParams::default(),
        stream(arguments.seed, "hint", 0),
    );
    // One simulation evaluates the root: without it there are no priors to show.
    let searches = std::slice::from_mut(&mut search);
    run_searches(searches, sims.max(1), evaluator, &mut Batch::new());
    let wdl = search.root_wdl();
    let line = line_text(game, state, &search.principal_variation());
    let mut edges = search.root_edges();
    let best = search.best();
    edges.sort_by(|x, y| {
        let first = |edge: &RootEdge| (edge.action == best, edge.visits);
        first(y)
            .cmp(&first(x))
            .then(y.raw_prior.total_cmp(&x.raw_prior))
    });
    if arguments.json {
        let moves: Vec<Value> = edges
            .iter()
            .map(|edge| {
                json!({
                    "action": edge.action,
                    "text": game.action_text(state, edge.action),
                    "visits": edge.visits,
                    "prior": edge.raw_prior,
                    "value": edge.value,
                    "proven": edge.proven,
                })
            })
            .collect();
        println!(
            "{}",
            json!({
                "player": game.player_to_move(state),
                "win": wdl.win,
                "draw": wdl.draw,
                "loss": wdl.loss,
                "proven": search.root_proven(),
                "visits": search.root_visits(),
                "line": line,
                "moves": moves,
            })
        );
        return Ok(());
    }
    println!(
        "win {}, draw {}, loss {}{}",
        percent(f64::from(wdl.win)),
        percent(f64::from(wdl.draw)),
        percent(f64::from(wdl.loss)),
        if search.root_proven().is_some() {
            " (proven)"
        } else {
            ""
        }
    );
    let mut table = Table::new(&["move", ">visits", ">prior", ">value", "proven"]);
    for edge in edges.iter().take(arguments.top) {
        table.row([
            game.action_text(state, edge.action),
            edge.visits.to_string(),
            percent(f64::from(edge.raw_prior)),
            edge.value
                .map_or_else(|| "-".to_owned(), |value| format!("{value:+.3}")),
            match edge.proven {
                Some(1) => "win",
                Some(0) => "draw",
                Some(_) => "loss",
                None => "",
            }
            .to_owned(),
        ]);
    }
    table.print();
    if edges.len() > arguments.top {
        println!("… and {} more", edges.len() - arguments.top);
    }
    println!("Line: {}", line.join(" "));
    Ok(())
}

fn by_minimax<G: BoardGame + Baseline>(
    game: &G,
    state: &G::State,
    limits: &Limits,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let report = Minimax::new(game.clone(), TABLE_MIB).search(state, limits);
    let line = line_text(game, state, &report.pv);
    let best = game.action_text(state, report.best);
    if arguments.json {
        println!(
            "{}",
            json!({
                "player": game.player_to_move(state),
                "best": best,
                "action": report.best,
                "score_for_player_0": report.score,
                "proven_for_player_0": report.proven,
                "depth": report.depth,
                "nodes": report.nodes,
                "line": line,
            })
        );
        return Ok(());
    }
    println!("Best: {best}");
    println!("Score for player 0: {}", report.score);
    if let Some(value) = report.proven {
        println!("Proven result for player 0: {value:+}");
    }
    println!("Depth {}, {} nodes", report.depth, report.nodes);
    println!("Line: {}", line.join(" "));
    Ok(())
}

fn line_text<G: BoardGame>(game: &G, state: &G::State, line: &[ActionId]) -> Vec<String> {
    let mut state = state.clone();
    line.iter()
        .map(|&action| {
            let text = game.action_text(&state, action);
            game.play_unchecked(&mut state, action);
            text
        })
        .collect()
}

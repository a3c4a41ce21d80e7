//! `tablero doctor`.

use crate::failure::Failure;
use crate::progress::bar;
use crate::table::{Table, duration};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use tablero_agents::spread::all_cores;
use tablero_agents::{Cancel, PlayerError};
use tablero_env::{AnyGame, BoardGame, with_game};
use tablero_mcts::{Evaluations, Evaluator, Request};
use tablero_minimax::Playable;
use tablero_models::{
    InstructionSet, LeafEvaluator, LeafNetwork, NetworkShape, NoGpu, Weights, ZooEntry,
    graphics_card_name,
};
use tablero_train::learner::Learner;
use tablero_train::replay::ReplayWindow;
use tablero_train::self_play::{Assignment, Workers};
use tablero_train::{PRESETS, RunConfig};

/// Show what this machine supports: cores, vector instructions, evaluations per second, and the time
/// that each preset will take
///
/// The times are measured in a few seconds, with the policy that comes with Tablero where it has the
/// preset's network, else with an untrained network. So take them as estimates.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  tablero doctor\n  tablero doctor --preset quickstart")]
pub struct Arguments {
    /// Measure this preset only; may be given several times
    #[arg(long, value_name = "NAME")]
    preset: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let configs = configs(&arguments.preset)?;
    let instructions = InstructionSet::best();
    if !arguments.json {
        println!("tablero {}", env!("CARGO_PKG_VERSION"));
        println!("cores: {}", all_cores());
        println!("leaf evaluation: {instructions}");
        match graphics_card_name() {
            Ok(name) => println!("graphics card: {name}"),
            Err(NoGpu::NotFound) => println!("graphics card: none found"),
            Err(NoGpu::NotBuilt) => println!("graphics card: not in this build (--features gpu)"),
        }
        println!();
    }
    let mut table = Table::new(&[
        "preset",
        "game",
        ">evaluations/s of a thread",
        ">games/s of all cores",
        ">steps/s",
        ">time",
    ]);
    let mut list = Vec::new();
    let bar = bar(configs.len() as u64, "presets measured");
    for (name, config) in configs {
        let any = AnyGame::parse(&config.game)?;
        let pace = with_game!(&any, game => measure(game, &config, Workers::all_cores(&config)))?;
        table.row([
            name.to_owned(),
            config.game.clone(),
            format!("{:.0}", pace.evaluations_a_second),
            format!("{:.1}", pace.games_a_second),
            format!("{:.0}", pace.steps_a_second),
            duration(pace.seconds),
        ]);
        list.push(json!({
            "preset": name,
            "game": config.game,
            "evaluations_a_second": pace.evaluations_a_second,
            "games_a_second": pace.games_a_second,
            "steps_a_second": pace.steps_a_second,
            "seconds": pace.seconds,
        }));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if arguments.json {
        println!(
            "{}",
            json!({
                "version": env!("CARGO_PKG_VERSION"),
                "cores": all_cores(),
                "vector_instructions": instructions.to_string(),
                "presets": Value::Array(list),
            })
        );
    } else {
        table.print();
    }
    Ok(())
}

/// The configurations of these presets, or of all if none is named.
fn configs(named: &[String]) -> Result<Vec<(&str, RunConfig)>, Failure> {
    let names: Vec<&str> = match named.is_empty() {
        true => PRESETS.iter().map(|preset| preset.name).collect(),
        false => named.iter().map(String::as_str).collect(),
    };
    let configs = names.into_iter();
    configs
        .map(|name| Ok((name, RunConfig::preset(name)?)))
        .collect()
}

/// Games of each preset that are measured.
const GAMES_A_THREAD: usize = 4;
const N_STEPS: u64 = 4;
/// Positions evaluated at once.
const BATCH: usize = 32;

struct Pace {
    evaluations_a_second: f64,
    games_a_second: f64,
    steps_a_second: f64,
    seconds: f64,
}

/// Games and steps are measured one after the other; a run does both at once, so its time is
/// that of all the work spread over the cores.
fn measure<G: Playable>(game: &G, config: &RunConfig, workers: Workers) -> Result<Pace, Failure> {
    let network = network(game, config)?;
    let evaluations_a_second = evaluation_speed(game, &network);

    let play = &config.self_play;
    let n_games = (workers.threads * GAMES_A_THREAD) as u64;
    let sample = |round| {
        let games = 0..n_games;
        let assignment = Assignment { round, games };
        let evaluator = || LeafEvaluator::new(Arc::clone(&network));
        let start = Instant::now();
        let cancel = Cancel::new();
        let batch = assignment.play(game, config, workers, &evaluator, &|| {}, &cancel);
        (batch, start.elapsed().as_secs_f64() / n_games as f64)
    };
    let (mut batch, game_seconds) = sample(u32::MAX);
    let mut taught_rounds = 0;
    let mut taught_seconds = 0.0;
    if let Some(teacher) = &play.teacher {
        taught_rounds = teacher.rounds.min(config.rounds);
        // The games of a new network may all be too long to be learnt from.
        (batch, taught_seconds) = sample(0);
    }

    let mut window = ReplayWindow::default();
    window.push(batch.games, 1);
    let positions_a_game = window.n_positions() as f64 / n_games as f64;
    let mut learner = Learner::new(game, config).map_err(tablero_train::RunError::from)?;
    let report = learner
        .learn(game, &window, 0, N_STEPS, 0.0, &|| {})
        .map_err(tablero_train::RunError::from)?;
    let step_seconds = report.seconds / N_STEPS as f64;

    let games_a_round = play.games as f64;
    let games = games_a_round * f64::from(config.rounds);
    let playing = games_a_round
        * (f64::from(taught_rounds) * taught_seconds
            + f64::from(config.rounds - taught_rounds) * game_seconds);
    let draws = games * positions_a_game * f64::from(config.learner.samples_per_position);
    let steps = draws / config.learner.batch_size as f64;
    let learning = steps * step_seconds;
    let together = playing + learning / workers.threads as f64;
    Ok(Pace {
        evaluations_a_second,
        games_a_second: 1.0 / game_seconds,
        steps_a_second: 1.0 / step_seconds,
        // The learner has one thread: it can be what takes longest.
        seconds: together.max(learning),
    })
}

/// The bundled policy where it has the preset's network, as games of an untrained one last longer or
/// shorter; else an untrained network.
fn network<G: BoardGame>(game: &G, config: &RunConfig) -> Result<Arc<LeafNetwork>, Failure> {
    if let Some(entry) = ZooEntry::of_game(&config.game) {
        let policy = entry.load().map_err(PlayerError::from)?;
        if policy.manifest.network == config.network {
            let network = policy.leaf_network();
            let network = network.map_err(tablero_train::RunError::from)?;
            return Ok(Arc::new(network));
        }
    }
    let shape = NetworkShape::of_network(game, &config.network);
    let weights = Weights::init(&config.network, &shape, config.seed)
        .map_err(tablero_train::ConfigError::from)?;
    let network = LeafNetwork::new(&config.network, &shape, &weights)
        .map_err(tablero_train::RunError::from)?;
    Ok(Arc::new(network))
}

fn evaluation_speed<G: BoardGame>(game: &G, network: &Arc<LeafNetwork>) -> f64 {
    let state = game.initial();
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    let request = Request {
        state: &state,
        legal: &legal,
        nonce: 0,
    };
    let requests = vec![request; BATCH];
    let mut evaluator = LeafEvaluator::new(Arc::clone(network));
    let mut evaluations = Evaluations::new();
    let start = Instant::now();
    let mut n = 0;
    while start.elapsed().as_millis() < 200 {
        evaluator.evaluate(game, &requests, &mut evaluations);
        n += BATCH;
    }
    n as f64 / start.elapsed().as_secs_f64()
}

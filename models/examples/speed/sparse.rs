//! Leaf evaluation of small sparse networks, one position at a time.

use crate::leaf::repeat;
use crate::networks::weights;
use serde_json::{Map, json};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use tablero_env::random::{positions as random_positions, stream};
use tablero_env::{ActionFeatures, ActionId, AnyGame, BoardGame, Encode, with_game};
use tablero_mcts::{Evaluations, Evaluator, Request};
use tablero_models::{LeafEvaluator, NetworkConfig, NetworkShape, Policy, SearchConfig};

/// Name and game of each network.
const NETWORKS: [(&str, &str); 3] = [
    ("dots-and-boxes-5x5", "dots-and-boxes:5x5"),
    ("paper-soccer-8x10", "paper-soccer:8x10"),
    ("hive-base+mlp", "hive:base+mlp"),
];

/// Random games, and the most positions of each.
const N_GAMES: u64 = 20;
const N_PLIES: usize = 60;

fn policy<G: BoardGame>(game: &G) -> Result<Policy, Box<dyn Error>> {
    let config = NetworkConfig::Sparse {
        width: 256,
        hidden: vec![64],
    };
    let weights = weights(&config, &NetworkShape::of_network(game, &config))?;
    let policy = Policy::new(game, &config, weights, SearchConfig::default(), Map::new());
    Ok(policy?)
}

/// The game of a network.
pub fn find(name: &str) -> Result<&'static str, Box<dyn Error>> {
    let found = NETWORKS.into_iter().find(|(each, _)| *each == name);
    let (_, spec) = found.ok_or_else(|| format!("no network is called {name:?}"))?;
    Ok(spec)
}

/// Unfinished positions of random games, with their legal actions.
pub fn positions<G: BoardGame>(game: &G) -> Vec<(G::State, Vec<ActionId>)> {
    (0..N_GAMES)
        .flat_map(|index| random_positions(game, stream(1, "positions", index)).take(N_PLIES))
        .map(|state| {
            let mut legal = Vec::new();
            game.legal_actions(&state, &mut legal);
            (state, legal)
        })
        .collect()
}

/// Writes each network as ONNX, with its inputs and logits for the positions.
pub fn write(directory: &Path) -> Result<String, Box<dyn Error>> {
    for (name, spec) in NETWORKS {
        with_game!(&AnyGame::parse(spec)?, game => {
            let policy = policy(game)?;
            std::fs::write(directory.join(format!("{name}.onnx")), policy.to_onnx())?;
            let mut evaluator = LeafEvaluator::new(Arc::new(policy.leaf_network()?));
            let (mut features, mut actions) = (Vec::new(), ActionFeatures::new());
            let answers = positions(game).into_iter().map(|(state, legal)| {
                game.write_features(&state, &legal, &mut features, &mut actions);
                let logits = evaluator.position(game, &state, &legal);
                let actions: Vec<_> = actions.iter().collect();
                json!({ "features": features, "actions": actions, "policy": logits.policy, "wdl": logits.wdl })
            });
            let answers = serde_json::to_vec(&answers.collect::<Vec<_>>())?;
            std::fs::write(directory.join(format!("{name}.json")), answers)?;
        });
    }
    Ok(NETWORKS.map(|(name, _)| name).join(" "))
}

/// Positions a second of processor time: features, network and softmax.
pub fn time(name: &str, seconds: f64) -> Result<f64, Box<dyn Error>> {
    with_game!(&AnyGame::parse(find(name)?)?, game => {
        let mut evaluator = LeafEvaluator::new(Arc::new(policy(game)?.leaf_network()?));
        let positions = positions(game);
        let mut out = Evaluations::new();
        let (n_calls, time) = repeat(seconds, || {
            for (state, legal) in &positions {
                let request = Request { state, legal, nonce: 0 };
                evaluator.evaluate(game, &[request], &mut out);
                black_box(&out);
            }
        });
        Ok((n_calls * positions.len() as u64) as f64 / time.as_secs_f64())
    })
}

//! Evaluation by burn, in batches filled up, says what leaf evaluation says.

use burn::tensor::Device;
use std::sync::Arc;
use tablero_env::BoardGame;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::hive::Hive;
use tablero_env::random::stream;
use tablero_mcts::Evaluator;
use tablero_models::{
    DeviceEvaluator, Hardware, LeafEvaluator, LeafNetwork, NetworkConfig, NetworkShape, NoGpu,
    Weights,
};

/// Unfinished positions of random games.
fn positions<G: BoardGame>(game: &G, n: usize) -> Vec<G::State> {
    let mut positions = Vec::new();
    for index in 0.. {
        let mut rng = stream(3, "device", index);
        let mut state = game.initial();
        for _ in 0..40 {
            if game.is_over(&state) {
                break;
            }
            positions.push(state.clone());
            if positions.len() == n {
                return positions;
            }
            let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
            game.play_unchecked(&mut state, action);
        }
    }
    unreachable!("there are always more games")
}

fn compare<G: BoardGame>(game: &G, config: &NetworkConfig, n: usize) {
    let shape = NetworkShape::of(game);
    let weights = Weights::init(config, &shape, 5).unwrap();
    let network =
        tablero_models::Network::from_weights(config, &shape, &weights, &Device::flex()).unwrap();
    let mut on_device = DeviceEvaluator::new(Arc::new(network));
    let leaf = LeafNetwork::new(config, &shape, &weights).unwrap();
    let mut leaf = LeafEvaluator::new(Arc::new(leaf));

    let positions = positions(game, n);
    let states: Vec<&G::State> = positions.iter().collect();
    let expected = leaf.evaluate_states(game, &states);
    for batch in [1, 9, n] {
        let got = on_device.evaluate_states(game, &states[..batch]);
        assert_eq!(got.len(), batch);
        for index in 0..batch {
            let close = |a: f32, b: f32| (a - b).abs() < 1e-4;
            let (got, expected) = (got.get(index), expected.get(index));
            assert_eq!(got.priors.len(), expected.priors.len());
            for (a, b) in got.priors.iter().zip(expected.priors) {
                assert!(
                    close(*a, *b),
                    "prior {a}, not {b}, position {index} of {batch}"
                );
            }
            let (a, b) = (got.wdl.0, expected.wdl.0);
            assert!(close(a.win, b.win) && close(a.loss, b.loss), "{a:?} {b:?}");
            match (got.points_lead, expected.points_lead) {
                (Some(a), Some(b)) => assert!(close(a.0, b.0), "lead {a:?}, not {b:?}"),
                (a, b) => assert_eq!(a, b),
            }
        }
    }
}

#[test]
fn evaluation_on_a_device_agrees_with_leaf_evaluation() {
    let boxes = DotsAndBoxes::new(3, 3).unwrap();
    let mlp = NetworkConfig::Mlp { hidden: vec![40] };
    // More than fit into the largest batch.
    compare(&boxes, &mlp, 600);
    let residual = NetworkConfig::Residual {
        blocks: 2,
        channels: 24,
    };
    compare(&boxes, &residual, 40);
    compare(&Hive::default(), &residual, 40);
}

/// Only builds for cards compute on them; and these find none where there is none.
#[test]
fn a_missing_card_is_an_error() {
    let is_built = cfg!(any(feature = "gpu", feature = "cuda"));
    let error = Hardware::Gpu.device().err();
    assert_eq!(error == Some(NoGpu::NotBuilt), !is_built, "{error:?}");
    assert!(Hardware::Cpu.device().is_ok());
}

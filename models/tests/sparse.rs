//! Networks of features learn, and go on as if never interrupted.

use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, Tensor};
use rand::RngExt;
use std::sync::Arc;
use tablero_env::random::{positions, stream};
use tablero_env::{ActionFeatures, AnyGame, BoardGame, FeatureSizes, with_game};
use tablero_models::{
    LeafEvaluator, LeafNetwork, Network, NetworkConfig, NetworkShape, Optimizer, OptimizerConfig,
    PolicyLogits, SparseBatch, Weights,
};

const SHAPE: NetworkShape = NetworkShape {
    observation: [1, 2, 2],
    policy_planes: 1,
    points: true,
    features: Some(FeatureSizes {
        features: 6,
        most_active: 3,
        action_features: 4,
        most_active_of_action: 2,
    }),
};

fn network(seed: u64) -> Network {
    let config = NetworkConfig::Sparse {
        width: 32,
        hidden: vec![12, 8],
    };
    config
        .init(&SHAPE, seed, &Device::flex().autodiff())
        .unwrap()
}

/// Four positions: two actions each, of which the first is right where feature 0 is there. Row 5 of
/// the features is in every third batch.
fn batch(step: u64) -> SparseBatch {
    let last = if step.is_multiple_of(3) { 5 } else { 4 };
    SparseBatch {
        n_actions: 2,
        features: vec![0, 2, 1, 2, 0, 3, last, 1, 3, last],
        ends: vec![2, 4, 7, 10],
        action_features: vec![0, 2, 1, 2, 0, 1, 0, 3, 1, 3, 0, 1],
        action_ends: vec![2, 4, 5, 6, 8, 10, 11, 12],
    }
}

/// The loss of the batch: policy, result and lead as feature 0 says.
fn loss(network: &Network, step: u64) -> Tensor<1> {
    let output = network.forward_sparse(batch(step));
    let PolicyLogits::Listed(logits) = output.policy else {
        panic!("logits of listed actions");
    };
    let device = network.device();
    let target = |rows: [[f32; 2]; 4]| Tensor::<2>::from_data(rows, &device);
    let policy = target([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]);
    let wdl = [
        [1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let wdl = Tensor::<2>::from_data(wdl, &device);
    let lead = Tensor::<1>::from_data([0.5, -0.5, 0.5, -0.5], &device);
    let error = output.points_lead.unwrap() - lead;
    let policy = policy.mul(log_softmax(logits, 1)).sum();
    let value = wdl.mul(log_softmax(output.wdl_logits, 1)).sum();
    error.powi_scalar(2).sum() - policy - value
}

fn train(network: &mut Network, optimizer: &mut Optimizer, steps: std::ops::Range<u64>) -> f32 {
    let mut last = 0.0;
    for step in steps {
        let loss = loss(network, step);
        last = loss.clone().into_scalar::<f32>();
        optimizer.step(network, loss.backward(), 0.01).unwrap();
    }
    last
}

#[test]
fn a_network_of_features_learns() {
    let mut network = network(1);
    let mut optimizer = Optimizer::new(OptimizerConfig::default(), &network).unwrap();
    let first = train(&mut network, &mut optimizer, 0..1);
    // Chances are equal at first: 4 ln 2, 4 ln 3, and 1 for the lead.
    let expected = 4.0 * (2.0f32.ln() + 3.0f32.ln()) + 1.0;
    assert!((first - expected).abs() < 1e-4, "{first}");
    let last = train(&mut network, &mut optimizer, 1..300);
    assert!(last < 0.2, "{last}");
}

#[test]
fn training_goes_on_from_saved_bytes_as_if_never_interrupted() {
    let mut network = network(2);
    let mut optimizer = Optimizer::new(OptimizerConfig::default(), &network).unwrap();
    train(&mut network, &mut optimizer, 0..7);
    let average = optimizer.average(&network);
    let (weights, state) = (network.to_weights(), optimizer.to_bytes());
    train(&mut network, &mut optimizer, 7..12);

    let mut resumed =
        Network::from_weights(network.config(), &SHAPE, &weights, &network.device()).unwrap();
    let config = OptimizerConfig::default();
    let mut resumed_optimizer = Optimizer::from_bytes(config, &resumed, &state, average).unwrap();
    assert_eq!(resumed_optimizer.to_bytes(), state);
    train(&mut resumed, &mut resumed_optimizer, 7..12);
    assert_eq!(resumed.to_weights(), network.to_weights());
    assert_eq!(
        resumed_optimizer.average(&resumed),
        optimizer.average(&network)
    );
    assert_eq!(resumed_optimizer.to_bytes(), optimizer.to_bytes());
}

/// The average is `decay * average + (1 - decay) * weights` of all weights after each step, also of
/// rows that a step does not see.
#[test]
fn the_average_is_that_of_all_weights_after_each_step() {
    let mut network = network(3);
    let mut optimizer = Optimizer::new(OptimizerConfig::default(), &network).unwrap();
    let mut expected = network.to_weights();
    for step in 0..10 {
        train(&mut network, &mut optimizer, step..step + 1);
        let weights = network.to_weights();
        for (name, average) in expected.iter_mut() {
            let values = &weights.get(name).unwrap().values;
            for (average, value) in average.values.iter_mut().zip(values) {
                *average = 0.99 * *average + 0.01 * value;
            }
        }
    }
    let close = |a: &Weights, b: &Weights| {
        a.iter().zip(b.iter()).all(|((name, a), (_, b))| {
            let close = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
            assert_eq!(a.shape, b.shape, "{name}");
            a.values.iter().zip(&b.values).all(close)
        })
    };
    let average = optimizer.average(&network);
    assert!(close(&average, &expected));
    assert!(!close(&average, &network.to_weights()));
}

/// A row that no batch sees stays as it is, to the bit.
#[test]
fn rows_that_no_batch_sees_do_not_change() {
    let mut network = network(4);
    let mut optimizer = Optimizer::new(OptimizerConfig::default(), &network).unwrap();
    let before = network.to_weights();
    train(&mut network, &mut optimizer, 1..3);
    let after = network.to_weights();
    let row = |weights: &Weights, row: usize| {
        weights.get("features.weight").unwrap().values[row * 32..(row + 1) * 32].to_vec()
    };
    assert_eq!(row(&before, 5), row(&after, 5));
    assert_ne!(row(&before, 4), row(&after, 4));
}

/// No position brings a unit into the range: it learns by the slope outside alone.
#[test]
fn units_out_of_range_learn_by_the_slope_that_was_set() {
    let mut weights = network(1).to_weights();
    let mut rng = stream(2, "weights", 0);
    for (name, tensor) in weights.iter_mut() {
        match name {
            "features.bias" => tensor.values.fill(-9.0),
            _ => tensor.values.fill_with(|| rng.random_range(-0.5..0.5)),
        }
    }
    let mut network = network(1);
    network.load_weights(&weights).unwrap();
    let mut gradient = |slope| {
        network.set_return_slope(slope);
        let gradients = network.gradients(loss(&network, 0).backward());
        gradients.get("features.bias").unwrap().values.clone()
    };
    assert!(gradient(0.0).iter().all(|&value| value == 0.0));
    assert!(gradient(0.5).iter().any(|&value| value != 0.0));
    assert_ne!(gradient(0.5), gradient(0.025));
}

/// The largest difference of a logit x in integers of 16 bits from x in floats, over 1 + |x|.
const INTEGER_ERROR: f32 = 0.05;

/// Leaf evaluation in integers says what the network in burn says.
#[test]
fn leaf_evaluation_is_that_of_the_network_within_the_error_of_integers() {
    for spec in [
        "dots-and-boxes:5x5",
        "queens:8",
        "paper-soccer:8x10",
        "xadrersi",
        "hive:base+mlp",
    ] {
        let any = AnyGame::parse(spec).unwrap();
        with_game!(&any, game => compare(game));
    }
}

fn compare<G: BoardGame>(game: &G) {
    let config = NetworkConfig::Sparse {
        width: 64,
        hidden: vec![32],
    };
    let shape = NetworkShape::of_network(game, &config);
    let mut weights = Weights::init(&config, &shape, 5).unwrap();
    let mut rng = stream(6, "weights", 0);
    // The last layers of a new network are 0.
    let is_last =
        |name: &str| ["actions", "wdl", "points"].contains(&name.split('.').next().unwrap());
    for (_, tensor) in weights.iter_mut().filter(|(name, _)| is_last(name)) {
        let values = tensor.values.iter_mut();
        values.for_each(|value| *value = rng.random_range(-0.5..0.5));
    }
    let network = Network::from_weights(&config, &shape, &weights, &Device::flex()).unwrap();
    let leaf = LeafNetwork::new(&config, &shape, &weights).unwrap();
    let mut evaluator = LeafEvaluator::new(Arc::new(leaf));
    for state in positions(game, stream(7, "positions", 0)).take(60) {
        let (mut legal, mut features) = (Vec::new(), Vec::new());
        let mut actions = ActionFeatures::new();
        game.legal_actions(&state, &mut legal);
        game.write_features(&state, &legal, &mut features, &mut actions);
        let batch = SparseBatch {
            n_actions: legal.len(),
            ends: vec![features.len() as u32],
            features,
            action_features: actions.values().to_vec(),
            action_ends: actions.ends().to_vec(),
        };
        let expected = network.forward_sparse(batch);
        let PolicyLogits::Listed(policy) = expected.policy else {
            panic!("logits of listed actions");
        };
        let got = evaluator.position(game, &state, &legal);
        let values = |tensor: Tensor<2>| -> Vec<f32> { tensor.into_data().try_into_vec().unwrap() };
        close(&got.policy, &values(policy));
        close(&got.wdl, &values(expected.wdl_logits));
        assert_eq!(got.points_lead.is_some(), expected.points_lead.is_some());
        if let (Some(lead), Some(expected)) = (got.points_lead, expected.points_lead) {
            close(&[lead], &[expected.into_scalar()]);
        }
    }
}

fn close(got: &[f32], expected: &[f32]) {
    assert_eq!(got.len(), expected.len());
    for (got, expected) in got.iter().zip(expected) {
        let most = INTEGER_ERROR * (1.0 + expected.abs());
        assert!((got - expected).abs() < most, "{got} is not {expected}");
    }
}

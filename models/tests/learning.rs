//! Training as a learner does it: forward, backward, step; and going on from saved bytes.

use burn::module::Module;
use burn::optim::{AdamWConfig, GradientsParams};
use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, Tensor, TensorData};
use rand::RngExt;
use tablero_env::random::stream;
use tablero_models::{
    Network, NetworkConfig, NetworkOutput, NetworkShape, Optimizer, OptimizerConfig,
    OptimizerError, Weights, WeightsError,
};

const SHAPE: NetworkShape = NetworkShape {
    observation: [5, 3, 4],
    policy_planes: 2,
    points: true,
    features: None,
};
const BATCH: usize = 8;
const LEARNING_RATE: f64 = 3e-3;

fn configs() -> [NetworkConfig; 3] {
    let mlp = NetworkConfig::Mlp {
        hidden: vec![24, 16],
    };
    let residual = |blocks, channels| NetworkConfig::Residual { blocks, channels };
    [mlp, residual(2, 12), residual(1, 20)]
}

/// A tensor of random numbers in 0..1.
fn random<const D: usize>(
    device: &Device,
    sizes: [usize; D],
    purpose: &str,
    index: u64,
) -> Tensor<D> {
    let mut rng = stream(5, purpose, index);
    let n_values = sizes.iter().product();
    let values: Vec<f32> = (0..n_values).map(|_| rng.random()).collect();
    Tensor::from_data(TensorData::new(values, sizes), device)
}

fn training_device() -> Device {
    Device::flex().autodiff()
}

/// `[B, P * H * W]`.
fn all_logits(output: &NetworkOutput, shape: &NetworkShape) -> Tensor<2> {
    let [n, _] = output.wdl_logits.dims();
    let slots: Vec<u32> = (0..shape.n_slots() as u32).collect();
    output.policy.at(&slots.repeat(n))
}

/// The loss of one batch: cross-entropy of policy and result, squared error of the lead.
fn loss(network: &Network, batch: u64) -> Tensor<1> {
    let shape = network.shape();
    let [planes, height, width] = shape.observation;
    let device = network.device();
    let inputs = [BATCH, planes, height, width];
    let output = network.forward(random(&device, inputs, "inputs", batch));
    let policy = random(&device, [BATCH, shape.n_slots()], "policies", batch);
    let results = random(&device, [BATCH, 3], "results", batch);
    let leads = random(&device, [BATCH], "leads", batch);
    let policy_loss = -(policy * log_softmax(all_logits(&output, shape), 1)).mean();
    let result_loss = -(results * log_softmax(output.wdl_logits, 1)).mean();
    let lead_error = output.points_lead.expect("the shape has points") - leads;
    policy_loss + result_loss + lead_error.powi_scalar(2).mean()
}

fn train(network: &mut Network, optimizer: &mut Optimizer, batches: std::ops::Range<u64>) {
    for batch in batches {
        let gradients = loss(network, batch).backward();
        let step = optimizer.step(network, gradients, LEARNING_RATE);
        assert!(step.expect("the batch is harmless") > 0.0);
    }
}

fn start(config: &NetworkConfig) -> (Network, Optimizer) {
    let network = config.init(&SHAPE, 11, &training_device()).unwrap();
    let optimizer = Optimizer::new(OptimizerConfig::default(), &network).unwrap();
    (network, optimizer)
}

#[test]
fn training_lowers_the_loss() {
    for config in configs() {
        let (mut network, mut optimizer) = start(&config);
        let before: f32 = loss(&network, 0).into_scalar();
        for _ in 0..40 {
            train(&mut network, &mut optimizer, 0..1);
        }
        let after: f32 = loss(&network, 0).into_scalar();
        assert!(after < 0.9 * before, "{config:?}: {before} to {after}");
        assert_eq!(optimizer.n_steps(), 40);
    }
}

#[test]
fn training_goes_on_from_saved_bytes_as_if_never_interrupted() {
    for network_config in configs() {
        let (mut network, mut optimizer) = start(&network_config);
        train(&mut network, &mut optimizer, 0..5);
        let weights = network.to_weights().to_safetensors();
        let average = optimizer.average(&network);
        let state = optimizer.to_bytes();
        train(&mut network, &mut optimizer, 5..10);

        let read = Weights::from_safetensors(&weights).unwrap();
        let mut resumed =
            Network::from_weights(&network_config, &SHAPE, &read, &training_device()).unwrap();
        let config = OptimizerConfig::default();
        let mut resumed_optimizer =
            Optimizer::from_bytes(config, &resumed, &state, average).unwrap();
        assert_eq!(resumed_optimizer.to_bytes(), state);
        train(&mut resumed, &mut resumed_optimizer, 5..10);

        assert_eq!(resumed.to_weights(), network.to_weights());
        assert_eq!(resumed_optimizer, optimizer);
        assert_eq!(resumed_optimizer.to_bytes(), optimizer.to_bytes());
    }
}

/// With gradient checkpointing the network runs in burn's own operations; without, in ours. Both
/// must say the same, learn the same, and remember the same statistics.
#[test]
fn training_is_that_of_burns_operations() {
    for config in configs() {
        let weights = spread(&config);
        let all = |device: &Device| {
            let network = Network::from_weights(&config, &SHAPE, &weights, device).unwrap();
            let loss = loss(&network, 0);
            let value: f32 = loss.clone().into_scalar();
            let gradients = network.gradients(loss.backward());
            (value, gradients, network.to_weights())
        };
        let device = training_device();
        let (ours, our_gradients, our_weights) = all(&device);
        let (burns, gradients, weights) = all(&device.clone().gradient_checkpointing());
        assert!((ours / burns - 1.0).abs() < 1e-5, "{ours} and {burns}");
        assert_eq!(our_gradients.iter().len(), gradients.iter().len());
        for (expected, ours) in [(gradients, our_gradients), (weights, our_weights)] {
            for (name, tensor) in expected.iter() {
                let values = &ours.get(name).unwrap().values;
                let scale = tensor
                    .values
                    .iter()
                    .fold(1e-4f32, |max, x| max.max(x.abs()));
                for (value, expected) in values.iter().zip(&tensor.values) {
                    let error = (value - expected).abs() / scale;
                    assert!(error < 1e-4, "{name}: {value} instead of {expected}");
                }
            }
        }
    }
}

/// Weights none of which is 0.
fn spread(config: &NetworkConfig) -> Weights {
    let mut weights = Weights::init(config, &SHAPE, 11).unwrap();
    for (index, (name, tensor)) in weights.iter_mut().enumerate() {
        let mut rng = stream(6, "spread", index as u64);
        for value in &mut tensor.values {
            let x: f32 = rng.random_range(-0.3..0.3);
            *value += if name.ends_with("gamma") { 0.5 + x } else { x };
        }
    }
    weights
}

/// Batch norm's running statistics must not depend on which thread ran the forward pass.
#[test]
fn training_does_not_depend_on_the_thread() {
    for config in configs() {
        let (mut network, mut optimizer) = start(&config);
        train(&mut network, &mut optimizer, 0..6);
        let (mut other, mut other_optimizer) = start(&config);
        for batch in 0..6 {
            std::thread::scope(|scope| {
                scope.spawn(|| train(&mut other, &mut other_optimizer, batch..batch + 1));
            });
        }
        assert_eq!(other.to_weights(), network.to_weights());
    }
}

/// With no clipping and no decay, the steps are those of burn's own AdamW.
#[test]
fn steps_are_those_of_the_reference_implementation() {
    let config = OptimizerConfig {
        weight_decay: 0.0,
        max_gradient_norm: 1e6,
        ..OptimizerConfig::default()
    };
    for network_config in configs() {
        let (mut network, _) = start(&network_config);
        let mut reference = network.clone().fork(&training_device());
        let mut optimizer = Optimizer::new(config, &network).unwrap();
        let mut reference_optimizer = AdamWConfig::new()
            .with_beta_1(0.9)
            .with_beta_2(0.999)
            .with_epsilon(1e-8)
            .with_weight_decay(0.0)
            .init();
        reference.load_weights(&network.to_weights()).unwrap();
        train(&mut network, &mut optimizer, 0..4);
        for batch in 0..4 {
            let gradients = loss(&reference, batch).backward();
            let gradients = GradientsParams::from_grads(gradients, &reference);
            reference = reference_optimizer.step(LEARNING_RATE, reference, gradients);
        }
        let expected = reference.to_weights();
        for (name, tensor) in network.to_weights().iter() {
            let expected = &expected.get(name).unwrap().values;
            for (value, expected) in tensor.values.iter().zip(expected) {
                let error = (value - expected).abs();
                assert!(error < 2e-4, "{name}: {value} instead of {expected}");
            }
        }
    }
}

/// After one step from zero moments, Adam's update is the learning rate times the sign of the
/// gradient, whatever its size; decay then shrinks matrices and nothing else.
#[test]
fn weight_decay_shrinks_matrices_only() {
    let decaying = OptimizerConfig {
        weight_decay: 0.5,
        ..OptimizerConfig::default()
    };
    let plain = OptimizerConfig {
        weight_decay: 0.0,
        ..OptimizerConfig::default()
    };
    for network_config in configs() {
        let after_a_step = |config| {
            let (mut network, _) = start(&network_config);
            let mut optimizer = Optimizer::new(config, &network).unwrap();
            train(&mut network, &mut optimizer, 0..1);
            network.to_weights()
        };
        let before = start(&network_config).0.to_weights();
        let (plain, decayed) = (after_a_step(plain), after_a_step(decaying));
        for (name, tensor) in decayed.iter() {
            let shrinks = tensor.shape.len() >= 2;
            let share = if shrinks {
                LEARNING_RATE as f32 * 0.5
            } else {
                0.0
            };
            let pairs = before.get(name).unwrap().values.iter();
            let pairs = pairs.zip(&plain.get(name).unwrap().values);
            for ((before, plain), value) in pairs.zip(&tensor.values) {
                let error = (plain - share * before - value).abs();
                assert!(error < 1e-6, "{name}: {before} to {value}");
            }
        }
    }
}

/// Adam does not see the scale of gradients, but its moments do.
#[test]
fn gradients_are_clipped_by_their_norm_over_all_weights() {
    let config = &configs()[0];
    let (network, _) = start(config);
    let first_moments = |max_gradient_norm| {
        let (mut network, _) = start(config);
        let optimizer_config = OptimizerConfig {
            max_gradient_norm,
            beta_1: 0.0,
            ..OptimizerConfig::default()
        };
        let mut optimizer = Optimizer::new(optimizer_config, &network).unwrap();
        let gradients = (loss(&network, 0) * 100.0).backward();
        let norm = optimizer
            .step(&mut network, gradients, LEARNING_RATE)
            .unwrap();
        let state = Weights::from_safetensors(&optimizer.to_bytes()).unwrap();
        let squares = state.iter().filter(|(name, _)| name.starts_with("first/"));
        let squares = squares.flat_map(|(_, tensor)| &tensor.values);
        let clipped = squares.map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
        (norm, clipped)
    };
    let (norm, unclipped) = first_moments(1e6);
    assert!(norm > 2.0 && (unclipped / norm - 1.0).abs() < 1e-5);
    let (same_norm, clipped) = first_moments(1.5);
    assert_eq!(same_norm, norm);
    assert!((clipped - 1.5).abs() < 1e-5, "{clipped}");
    // The norm is that of the gradients which burn computes.
    let gradients = network.gradients((loss(&network, 0) * 100.0).backward());
    let squares = gradients.iter().flat_map(|(_, tensor)| &tensor.values);
    let expected = squares.map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
    assert!(
        (norm / expected - 1.0).abs() < 1e-12,
        "{norm} and {expected}"
    );
}

#[test]
fn a_step_that_would_diverge_changes_nothing() {
    for config in configs() {
        let (mut network, mut optimizer) = start(&config);
        train(&mut network, &mut optimizer, 0..2);
        let (weights, state) = (network.to_weights(), optimizer.to_bytes());
        for factor in [f32::NAN, f32::INFINITY] {
            let gradients = (loss(&network, 3) * factor).backward();
            let error = optimizer.step(&mut network, gradients, LEARNING_RATE);
            let error = error.unwrap_err();
            assert!(
                matches!(error, OptimizerError::Diverged { step: 3, .. }),
                "{error}"
            );
        }
        for rate in [f64::NAN, f64::INFINITY, -1e-3] {
            let gradients = loss(&network, 3).backward();
            let error = optimizer.step(&mut network, gradients, rate).unwrap_err();
            assert!(matches!(error, OptimizerError::Config { .. }), "{error}");
        }
        // Batch norm's statistics have seen the batches; what gradients change has not.
        for (name, tensor) in network.to_weights().iter() {
            if !name.contains("running") {
                assert_eq!(Some(tensor), weights.get(name), "{name}");
            }
        }
        assert_eq!(optimizer.to_bytes(), state);
    }
}

#[test]
fn foreign_and_damaged_states_are_refused() {
    let [mlp, residual, ..] = configs();
    let (network, optimizer) = start(&mlp);
    let (mut other, _) = start(&residual);
    let state = optimizer.to_bytes();
    let config = OptimizerConfig::default();
    let load = |network: &Network, bytes: &[u8]| {
        Optimizer::from_bytes(config, network, bytes, network.to_weights()).unwrap_err()
    };
    let error = load(&other, &state);
    assert!(
        matches!(error, OptimizerError::State(WeightsError::Missing { .. })),
        "{error}"
    );
    let error = load(&network, &state[..state.len() - 1]);
    assert!(
        matches!(error, OptimizerError::State(WeightsError::Format(_))),
        "{error}"
    );
    let error = load(&network, &network.to_weights().to_safetensors());
    assert!(
        matches!(error, OptimizerError::Steps { got: None }),
        "{error}"
    );

    let mut optimizer = optimizer;
    let gradients = loss(&other, 0).backward();
    let error = optimizer
        .step(&mut other, gradients, LEARNING_RATE)
        .unwrap_err();
    assert!(matches!(error, OptimizerError::Foreign { .. }), "{error}");
    assert_eq!(optimizer.n_steps(), 0);

    for wrong in [
        OptimizerConfig {
            beta_1: 1.0,
            ..config
        },
        OptimizerConfig {
            beta_2: -0.1,
            ..config
        },
        OptimizerConfig {
            epsilon: 0.0,
            ..config
        },
        OptimizerConfig {
            weight_decay: f64::NAN,
            ..config
        },
        OptimizerConfig {
            max_gradient_norm: 0.0,
            ..config
        },
    ] {
        let error = Optimizer::new(wrong, &network).unwrap_err();
        assert!(matches!(error, OptimizerError::Config { .. }), "{error}");
    }
}

//! Training as a learner does it: forward, backward, step; and going on from saved bytes.

use burn::module::Module;
use burn::optim::{AdamWConfig, GradientsParams, Optimizer as _};
use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, Tensor, TensorData};
use rand::RngExt;
use tablero_env::random::stream;
use tablero_models::{
    Network, NetworkConfig, NetworkShape, Optimizer, OptimizerConfig, OptimizerError, Weights,
    WeightsError,
};

const SHAPE: NetworkShape = NetworkShape {
    observation: [5, 3, 4],
    policy_planes: 2,
    points: true,
};
const BATCH: usize = 8;
const LEARNING_RATE: f64 = 3e-3;

fn configs() -> [NetworkConfig; 2] {
    [
        NetworkConfig::Mlp {
            hidden: vec![24, 16],
        },
        NetworkConfig::Residual {
            blocks: 2,
            channels: 12,
            value_hidden: 10,
        },
    ]
}

/// A tensor of random numbers in 0..1.
fn random<const D: usize>(sizes: [usize; D], purpose: &str, index: u64) -> Tensor<D> {
    let mut rng = stream(5, purpose, index);
    let n_values = sizes.iter().product();
    let values: Vec<f32> = (0..n_values).map(|_| rng.random()).collect();
    Tensor::from_data(TensorData::new(values, sizes), &training_device())
}

fn training_device() -> Device {
    Device::flex().autodiff()
}

/// The loss of one batch: cross-entropy of policy and result, squared error of the lead.
fn loss(network: &Network, batch: u64) -> Tensor<1> {
    let [planes, height, width] = SHAPE.observation;
    let output = network.forward(random([BATCH, planes, height, width], "inputs", batch));
    let policy = random([BATCH, SHAPE.n_slots()], "policies", batch);
    let results = random([BATCH, 3], "results", batch);
    let leads = random([BATCH], "leads", batch);
    let policy_loss = -(policy * log_softmax(output.policy_logits, 1)).mean();
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
    for config in configs() {
        let (mut network, mut optimizer) = start(&config);
        train(&mut network, &mut optimizer, 0..5);
        let weights = network.to_weights().to_safetensors();
        let state = optimizer.to_bytes();
        train(&mut network, &mut optimizer, 5..10);

        let read = Weights::from_safetensors(&weights).unwrap();
        let mut resumed =
            Network::from_weights(&config, &SHAPE, &read, &training_device()).unwrap();
        let mut resumed_optimizer =
            Optimizer::from_bytes(OptimizerConfig::default(), &resumed, &state).unwrap();
        assert_eq!(resumed_optimizer.to_bytes(), state);
        train(&mut resumed, &mut resumed_optimizer, 5..10);

        assert_eq!(resumed.to_weights(), network.to_weights());
        assert_eq!(resumed_optimizer, optimizer);
        assert_eq!(resumed_optimizer.to_bytes(), optimizer.to_bytes());
    }
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

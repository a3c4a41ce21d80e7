//! Named weights: initialisation, files, averages, hashes, and the way into a network and back.

use burn::module::Module;
use burn::tensor::Device;
use tablero_models::{Network, NetworkConfig, NetworkShape, WeightTensor, Weights, WeightsError};

const SHAPE: NetworkShape = NetworkShape {
    observation: [6, 4, 3],
    policy_planes: 3,
    points: true,
    features: None,
};

fn configs() -> [NetworkConfig; 2] {
    [
        NetworkConfig::Mlp {
            hidden: vec![64, 32],
        },
        NetworkConfig::Residual {
            blocks: 2,
            channels: 16,
        },
    ]
}

fn init(config: &NetworkConfig, seed: u64) -> Weights {
    Weights::init(config, &SHAPE, seed).unwrap()
}

#[test]
fn a_seed_fixes_the_weights_and_another_seed_changes_them() {
    for config in configs() {
        assert_eq!(init(&config, 1), init(&config, 1));
        assert_eq!(init(&config, 1).hash(), init(&config, 1).hash());
        assert_ne!(init(&config, 1), init(&config, 2));
        assert_ne!(init(&config, 1).hash(), init(&config, 2).hash());
    }
}

/// He et al. (2015): variance 2 / fan-in before a ReLU. The sample variance of n normal values
/// has a relative deviation of sqrt(2 / n), at most 3 % here.
#[test]
fn hidden_layers_have_the_variance_of_he_and_last_layers_are_0() {
    for (config, hidden, fan_in) in [
        (&configs()[0], "hidden.0.weight", 6 * 4 * 3),
        (&configs()[0], "hidden.1.weight", 64),
        (&configs()[1], "blocks.1.first.convolution.weight", 16 * 9),
        (&configs()[1], "value_hidden.weight", 16 * 4 * 3),
    ] {
        let weights = init(config, 3);
        let values = &weights.get(hidden).unwrap().values;
        let n = values.len() as f64;
        let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / n;
        let squares = values
            .iter()
            .map(|&value| (f64::from(value) - mean).powi(2));
        let ratio = squares.sum::<f64>() / n / (2.0 / fan_in as f64);
        assert!(
            mean.abs() < 4.0 * (2.0 / fan_in as f64 / n).sqrt(),
            "{hidden}: {mean}"
        );
        assert!((ratio - 1.0).abs() < 0.12, "{hidden}: {ratio}");
        for last in ["policy.weight", "wdl.weight", "points.weight"] {
            let values = &weights.get(last).unwrap().values;
            assert!(values.iter().all(|&value| value == 0.0), "{last}");
        }
    }
}

#[test]
fn a_network_gives_back_the_weights_it_was_built_from() {
    for device in [Device::flex(), Device::flex().autodiff()] {
        for config in configs() {
            let weights = init(&config, 4);
            let mut network = Network::from_weights(&config, &SHAPE, &weights, &device).unwrap();
            assert_eq!(network.to_weights(), weights);
            assert_eq!(network.valid().to_weights(), weights);
            assert_eq!(network.num_params(), weights.n_values());
            let others = init(&config, 5);
            network.load_weights(&others).unwrap();
            assert_eq!(network.to_weights(), others);
            let started = config.init(&SHAPE, 5, &device).unwrap();
            assert_eq!(started.to_weights(), others);
        }
    }
}

#[test]
fn files_give_back_the_weights_and_are_the_same_every_time() {
    for config in configs() {
        let weights = init(&config, 6);
        let bytes = weights.to_safetensors();
        assert_eq!(Weights::from_safetensors(&bytes).unwrap(), weights);
        assert_eq!(weights.clone().to_safetensors(), bytes);
    }
}

/// IEEE 754 binary16 has 11 significant bits, and a subnormal step of 2^-24.
#[test]
fn rounded_weights_make_half_the_file_and_come_back() {
    for config in configs() {
        let weights = init(&config, 6);
        let rounded = weights.rounded();
        for ((_, before), (name, after)) in weights.iter().zip(rounded.iter()) {
            for (before, after) in before.values.iter().zip(&after.values) {
                let bound = before.abs() / 2048.0 + f32::powi(2.0, -25);
                assert!((before - after).abs() <= bound, "{name}: {before} {after}");
            }
        }
        let bytes = rounded.to_safetensors();
        assert!(bytes.len() < weights.to_safetensors().len() * 6 / 10);
        assert_eq!(Weights::from_safetensors(&bytes).unwrap(), rounded);
        assert_eq!(rounded.rounded(), rounded);
    }
}

#[test]
fn damaged_files_are_refused() {
    let mut weights = init(&configs()[0], 7);
    // Not exact in 16 bits.
    for (_, tensor) in weights.iter_mut() {
        tensor.values.fill(0.1);
    }
    let bytes = weights.to_safetensors();
    for length in [0, 7, 8, 100, bytes.len() - 1] {
        let error = Weights::from_safetensors(&bytes[..length]).unwrap_err();
        assert!(
            matches!(error, WeightsError::Format(_)),
            "{length}: {error}"
        );
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(
        Weights::from_safetensors(&longer),
        Err(WeightsError::Format(_))
    ));

    let mut infinite = bytes.clone();
    let last = infinite.len() - 4;
    infinite[last..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let error = Weights::from_safetensors(&infinite).unwrap_err();
    assert!(matches!(error, WeightsError::NotFinite { got, .. } if got == f32::INFINITY));

    let header_len = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let (header, values) = bytes[8..].split_at(header_len);
    let header = std::str::from_utf8(header).unwrap().replace("F32", "I32");
    let integers = [&bytes[..8], header.as_bytes(), values].concat();
    let error = Weights::from_safetensors(&integers).unwrap_err();
    assert!(
        matches!(error, WeightsError::Type { ref got, .. } if got == "I32"),
        "{error}"
    );
}

#[test]
fn every_difference_from_the_network_is_named() {
    let device = Device::flex();
    for config in configs() {
        let good = init(&config, 8);
        let refused = |weights: &Weights| {
            let mut network = config.init(&SHAPE, 0, &device).unwrap();
            let before = network.to_weights();
            let error = network.load_weights(weights).unwrap_err();
            assert_eq!(
                network.to_weights(),
                before,
                "a refused load changes nothing"
            );
            error
        };
        let mut lacking = Weights::default();
        for (name, tensor) in good.iter().filter(|(name, _)| *name != "wdl.bias") {
            lacking.insert(name.to_owned(), tensor.clone());
        }
        let error = refused(&lacking);
        assert!(matches!(error, WeightsError::Missing { ref name, .. } if name == "wdl.bias"));

        let mut extra = good.clone();
        let tensor = WeightTensor {
            shape: vec![1],
            values: vec![0.0],
        };
        extra.insert("a".to_owned(), tensor);
        let error = refused(&extra);
        assert!(matches!(error, WeightsError::Unexpected { ref name, .. } if name == "a"));

        let mut turned = good.clone();
        turned.get_mut("wdl.weight").unwrap().shape.reverse();
        let error = refused(&turned);
        assert!(matches!(error, WeightsError::Shape { ref name, .. } if name == "wdl.weight"));

        let mut short = good.clone();
        short.get_mut("wdl.weight").unwrap().values.pop();
        let error = refused(&short);
        assert!(matches!(error, WeightsError::Shape { ref name, .. } if name == "wdl.weight"));

        let mut not_a_number = good.clone();
        not_a_number.get_mut("policy.bias").unwrap().values[2] = f32::NAN;
        let error = refused(&not_a_number);
        assert!(
            matches!(error, WeightsError::NotFinite { index: 2, .. }),
            "{error}"
        );
    }
    let sizes = NetworkConfig::Mlp { hidden: vec![] };
    let error = sizes.init(&SHAPE, 0, &device).unwrap_err();
    assert_eq!(error.what, "number of hidden layers");
}

#[test]
fn the_hash_sees_every_bit_name_and_shape() {
    let weights = init(&configs()[0], 9);
    let changed = |change: &dyn Fn(&mut Weights)| {
        let mut changed = weights.clone();
        change(&mut changed);
        changed.hash()
    };
    let hashes = [
        weights.hash(),
        changed(&|weights| weights.get_mut("wdl.bias").unwrap().values[1] = -0.0),
        changed(&|weights| weights.get_mut("wdl.bias").unwrap().values[1] = 1e-45),
        changed(&|weights| weights.get_mut("wdl.weight").unwrap().shape.reverse()),
        changed(&|weights| {
            weights.insert(String::new(), weights.get("wdl.bias").unwrap().clone());
        }),
    ];
    for (index, hash) in hashes.iter().enumerate() {
        assert!(!hashes[..index].contains(hash), "change number {index}");
    }
}

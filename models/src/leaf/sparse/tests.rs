//! Whole numbers against plain floats, and the kernels against each other.

use super::lines::LINE;
use super::*;
use crate::WeightTensor;
use rand::RngExt;
use std::iter::once;
use tablero_env::random::{Stream, stream};

/// The sizes of a network and of what it reads.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    n_features: usize,
    width: usize,
    hidden: &'static [usize],
    n_action_features: usize,
    points: bool,
}

const fn sizes(n_features: usize, width: usize, hidden: &'static [usize]) -> Sizes {
    Sizes {
        n_features,
        width,
        hidden,
        n_action_features: 37,
        points: width.is_multiple_of(32),
    }
}

/// From the smallest to the largest, with and without padding.
const ALL_SIZES: [Sizes; 10] = [
    sizes(1, 16, &[1]),
    sizes(20, 32, &[2]),
    sizes(300, 48, &[33]),
    sizes(300, 80, &[15, 17]),
    sizes(300, 256, &[64, 64]),
    sizes(300, 256, &[64, 32]),
    sizes(100, 496, &[48, 16]),
    sizes(100, 528, &[130, 7, 100]),
    sizes(50, 1008, &[256]),
    sizes(50, 1024, &[256, 256]),
];

/// The most features of an action in these tests.
const MOST_ACTIVE_OF_ACTION: usize = 5;

/// Weights of which `value(name, number of inputs)` gives each.
fn weights(sizes: &Sizes, mut value: impl FnMut(&str, usize) -> f32) -> Weights {
    let mut weights = Weights::default();
    let mut insert = |name: &str, shape: &[usize], n_inputs: usize| {
        let values = (0..shape.iter().product()).map(|_| value(name, n_inputs));
        let tensor = WeightTensor {
            shape: shape.to_vec(),
            values: values.collect(),
        };
        weights.insert(name.to_owned(), tensor);
    };
    let mut dense = |name: &str, n_inputs: usize, n_outputs: usize| {
        insert(&format!("{name}.weight"), &[n_inputs, n_outputs], n_inputs);
        insert(&format!("{name}.bias"), &[n_outputs], n_inputs);
    };
    dense("features", sizes.n_features, sizes.width);
    let mut n_inputs = sizes.width;
    for (index, &n_outputs) in sizes.hidden.iter().enumerate() {
        dense(&format!("hidden.{index}"), n_inputs, n_outputs);
        n_inputs = n_outputs;
    }
    dense("wdl", n_inputs, 3);
    if sizes.points {
        dense("points", n_inputs, 1);
    }
    let shape = [sizes.n_action_features, n_inputs];
    insert("actions.weight", &shape, n_inputs);
    weights
}

/// Weights about as large as trained ones.
fn random_weights(sizes: &Sizes, rng: &mut Stream) -> Weights {
    weights(sizes, |name, n_inputs| {
        let x = rng.random_range(-1.0..1.0);
        match name {
            "features.weight" => 0.2 * x,
            _ if name.ends_with("bias") => 0.3 * x + 0.1,
            _ => x * (6.0 / n_inputs as f32).sqrt(),
        }
    })
}

/// Each number below `n` with a chance of `share`.
fn some(n: usize, share: f64, rng: &mut Stream) -> Vec<u32> {
    (0..n as u32).filter(|_| rng.random_bool(share)).collect()
}

/// Up to 20 actions with up to [`MOST_ACTIVE_OF_ACTION`] features each.
fn random_actions(sizes: &Sizes, rng: &mut Stream) -> ActionFeatures {
    let mut actions = ActionFeatures::new();
    for _ in 0..rng.random_range(0..=20) {
        let n_features = rng.random_range(0..=MOST_ACTIVE_OF_ACTION);
        let n = sizes.n_action_features as u32;
        actions.push((0..n_features).map(|_| rng.random_range(0..n)));
    }
    actions
}

fn pack(sizes: &Sizes, weights: &Weights, kernels: Kernels) -> Sparse {
    let n_hidden = sizes.hidden.len();
    Sparse::with_kernels(n_hidden, MOST_ACTIVE_OF_ACTION, weights, kernels)
}

/// The policy and the value, as bits.
fn bits(buffers: &Buffers) -> (Vec<u32>, [u32; 4]) {
    let policy = buffers.policy.iter().map(|logit| logit.to_bits()).collect();
    (policy, buffers.value.map(f32::to_bits))
}

/// Checks that all kernels say the same about some positions, and gives what they say.
fn check_kernels(
    sizes: &Sizes,
    weights: &Weights,
    positions: &[(Vec<u32>, ActionFeatures)],
) -> Vec<(Vec<f32>, [f32; 4])> {
    let portable = pack(sizes, weights, Kernels::Portable);
    // What an earlier position left behind must not matter.
    let mut buffers = Buffers {
        activations: vec![Line([77; LINE]); 100],
        ..Buffers::default()
    };
    let evaluate = |(features, actions): &(Vec<u32>, ActionFeatures)| {
        portable.forward(features, actions, &mut buffers);
        (bits(&buffers), (buffers.policy.clone(), buffers.value))
    };
    let (expected, values): (Vec<_>, Vec<_>) = positions.iter().map(evaluate).unzip();
    for kernels in Kernels::available() {
        let network = pack(sizes, weights, kernels);
        let mut buffers = Buffers::default();
        for ((features, actions), expected) in positions.iter().zip(&expected) {
            network.forward(features, actions, &mut buffers);
            let n_features = features.len();
            assert_eq!(
                bits(&buffers),
                *expected,
                "{kernels:?}, {n_features} features, {sizes:?}"
            );
        }
    }
    values
}

#[test]
fn all_kernels_give_the_same_bits() {
    let available = Kernels::available();
    for kernels in [
        Kernels::Portable,
        Kernels::Avx2,
        Kernels::Avx512,
        Kernels::Vnni,
    ] {
        if !available.contains(&kernels) {
            println!("{kernels:?}: skipped");
        }
    }
    for (index, sizes) in ALL_SIZES.iter().enumerate() {
        let mut rng = stream(1, "kernels", index as u64);
        for _ in 0..3 {
            let weights = random_weights(sizes, &mut rng);
            let shares = [0.0, 0.05, 0.3, 1.0].into_iter();
            let positions: Vec<_> = shares
                .map(|share| {
                    let features = some(sizes.n_features, share, &mut rng);
                    (features, random_actions(sizes, &mut rng))
                })
                .collect();
            check_kernels(sizes, &weights, &positions);
        }
    }
}

/// A number, and how far whole numbers may be from it.
#[derive(Clone, Copy, Debug)]
struct Bounded {
    value: f64,
    error: f64,
}

impl Bounded {
    /// The activation, where activations are off by up to `step` themselves. `clamp(x, 0, 1)^2` is
    /// at most twice as far off as `x`.
    fn activated(self, step: f64) -> Bounded {
        Bounded {
            value: self.value.clamp(0.0, 1.0).powi(2),
            error: 2.0 * self.error + step,
        }
    }
}

/// Products with weights of a scale, plus a bias. The weights are off by up to half of what 1 is
/// at the scale; a millionth is for the last bits of 32-bit floats.
fn dense<'a>(
    inputs: &[Bounded],
    column: impl Iterator<Item = &'a f32>,
    scale: f64,
    bias: f32,
) -> Bounded {
    let bias = f64::from(bias);
    let mut sum = Bounded {
        value: bias,
        error: 1e-6 * (1.0 + bias.abs()),
    };
    for (input, &weight) in inputs.iter().zip(column) {
        let weight = f64::from(weight);
        sum.value += input.value * weight;
        sum.error += weight.abs() * (input.error + 1e-6);
        sum.error += (input.value + input.error) * 0.5 / scale;
    }
    sum
}

/// The columns of a layer, with their biases.
fn columns<'a>(
    weights: &'a Weights,
    name: &str,
) -> Vec<(impl Iterator<Item = &'a f32> + Clone, f32)> {
    let weight = tensor(weights, &format!("{name}.weight"));
    let bias = tensor(weights, &format!("{name}.bias"));
    let column = |column: usize| weight.values[column..].iter().step_by(weight.shape[1]);
    let biases = bias.values.iter().enumerate();
    biases.map(|(index, &bias)| (column(index), bias)).collect()
}

/// The network in floats.
fn plain(
    sizes: &Sizes,
    weights: &Weights,
    features: &[u32],
    actions: &ActionFeatures,
) -> (Vec<Bounded>, Vec<Bounded>) {
    // Each of the numbers that are added up is off by up to half of a 1024th.
    let error = (features.len() + 1) as f64 / 2048.0;
    let embeddings = &tensor(weights, "features.weight").values;
    let sum = |(unit, &bias): (usize, &f32)| {
        let row = |&row: &u32| f64::from(embeddings[row as usize * sizes.width + unit]);
        let value = f64::from(bias) + features.iter().map(row).sum::<f64>();
        // A square is rounded down to a whole number.
        Bounded { value, error }.activated(1.0 / 16384.0)
    };
    let bias = tensor(weights, "features.bias").values.iter().enumerate();
    let mut layer: Vec<Bounded> = bias.map(sum).collect();
    let apply = |layer: &[Bounded], name: &str| -> Vec<Bounded> {
        let columns = columns(weights, name).into_iter();
        let outputs = columns.map(|(column, bias)| {
            let scale = scale(once(column.clone()), MAX_SUM);
            dense(layer, column, scale, bias)
        });
        outputs.collect()
    };
    for index in 0..sizes.hidden.len() {
        let outputs = apply(&layer, &format!("hidden.{index}")).into_iter();
        // A square is rounded to the nearest whole number.
        layer = outputs
            .map(|output| output.activated(0.5 / 16384.0))
            .collect();
    }
    let mut value = apply(&layer, "wdl");
    if sizes.points {
        value.extend(apply(&layer, "points"));
    }
    let tensor = tensor(weights, "actions.weight");
    let rows: Vec<&[f32]> = tensor.values.chunks(layer.len()).collect();
    let max_sum = MAX_SUM / MOST_ACTIVE_OF_ACTION as u32;
    let scale = scale(rows.iter().map(|row| row.iter()), max_sum);
    let logit = |action: &[u32]| {
        let rows = action
            .iter()
            .map(|&row| dense(&layer, rows[row as usize].iter(), scale, 0.0));
        let zero = Bounded {
            value: 0.0,
            error: 0.0,
        };
        rows.fold(zero, |sum, row| Bounded {
            value: sum.value + row.value,
            error: sum.error + row.error,
        })
    };
    (actions.iter().map(logit).collect(), value)
}

/// Against the bound of rounding errors that add up as badly as can be, and against what is to be
/// expected of 60 to 80 features: logits within 0.05.
#[test]
fn whole_numbers_are_near_plain_floats() {
    for (index, sizes) in ALL_SIZES.iter().enumerate() {
        let mut rng = stream(2, "floats", index as u64);
        let weights = random_weights(sizes, &mut rng);
        let network = pack(sizes, &weights, Kernels::Portable);
        let mut buffers = Buffers::default();
        let mut largest: f64 = 0.0;
        for _ in 0..30 {
            let n_active = rng.random_range(0.0..80.0_f64);
            let share = (n_active / sizes.n_features as f64).min(1.0);
            let features = some(sizes.n_features, share, &mut rng);
            let actions = random_actions(sizes, &mut rng);
            network.forward(&features, &actions, &mut buffers);
            let (policy, value) = plain(sizes, &weights, &features, &actions);
            assert_eq!(buffers.policy.len(), policy.len());
            assert!(sizes.points || buffers.value[3] == 0.0);
            let got = buffers.policy.iter().zip(&policy);
            for (&got, expected) in got.chain(buffers.value.iter().zip(&value)) {
                let error = (f64::from(got) - expected.value).abs();
                assert!(error <= expected.error, "{got}, {expected:?}, {sizes:?}");
                largest = largest.max(error);
            }
        }
        println!("{sizes:?}: at most {largest:.5} off");
        assert!(largest < 0.05, "{largest}, {sizes:?}");
    }
}

#[test]
fn sums_saturate_in_the_order_of_the_features() {
    let sizes = sizes(4, 16, &[1]);
    // Row by row of 16 numbers: the embeddings, then the bias.
    let mut numbers = [-40.0, 40.0, 40.0, 1.0, 0.0].into_iter();
    let mut number = 0.0;
    let mut index = 0;
    let weights = weights(&sizes, |name, _| match name {
        "features.weight" | "features.bias" => {
            if index % 16 == 0 {
                number = numbers.next().unwrap();
            }
            index += 1;
            number
        }
        // The only logit that counts is the mean of the first activations, squared.
        "hidden.0.weight" => 1.0 / 16.0,
        "wdl.weight" => 1.0,
        _ => 0.0,
    });
    let cases = [
        // -32768 + 32767 + 32767 is above 1024.
        (vec![0, 1, 2], 1.0),
        // -32768 + 32767 + 1024, of 1024.
        (vec![0, 1, 3], (1023.0_f64 / 1024.0).powi(4)),
        // 32767 + 32767 is 32767; below, -32768 + 32767 is negative.
        (vec![1, 2, 0], 0.0),
        (vec![1, 0, 3], (1023.0_f64 / 1024.0).powi(4)),
        (vec![], 0.0),
    ];
    let none = ActionFeatures::new();
    let positions: Vec<_> = cases
        .iter()
        .map(|(features, _)| (features.clone(), none.clone()))
        .collect();
    let values = check_kernels(&sizes, &weights, &positions);
    for ((_, expected), (features, value)) in cases.iter().zip(values) {
        let error = (f64::from(value[0]) - expected).abs();
        assert!(error < 0.0005, "{features:?}: {value:?}, not {expected}");
    }
}

#[test]
fn no_sum_overflows_however_large_the_weights() {
    for (index, sizes) in ALL_SIZES.iter().enumerate() {
        let mut rng = stream(3, "large", index as u64);
        for size in [2.0, 1e4, f32::MAX] {
            for alike in [true, false] {
                let weights = weights(sizes, |name, _| match name {
                    // Activations of 1, the largest.
                    "features.bias" => 1.0,
                    "features.weight" => 0.0,
                    _ if name.ends_with("bias") => 0.0,
                    _ if alike => size,
                    _ => size * rng.random_range(-1.0..1.0),
                });
                let mut actions = random_actions(sizes, &mut rng);
                actions.push([0; MOST_ACTIVE_OF_ACTION]);
                let features = some(sizes.n_features, 0.5, &mut rng);
                let values = check_kernels(sizes, &weights, &[(features, actions)]);
                // An overflow would be negative.
                let (policy, value) = &values[0];
                let numbers = policy.iter().chain(value);
                for number in numbers {
                    assert!(!alike || *number >= 0.0, "{number} of {size}, {sizes:?}");
                }
                assert!(!alike || value[0] >= 0.99 * size);
            }
        }
    }
}

#[test]
fn a_scale_is_the_largest_at_which_weights_and_sums_fit() {
    let scale_of = |weights: &[f32], max_sum| scale(once(weights.iter()), max_sum);
    let cases: [(&[f32], u32, f64); 7] = [
        (&[], MAX_SUM, 16384.0),
        (&[0.0, 0.0], MAX_SUM, 16384.0),
        (&[1.9999], MAX_SUM, 16384.0),
        // 32768 is no 16-bit number, and nor is its negative used.
        (&[2.0], MAX_SUM, 8192.0),
        (&[-2.0], MAX_SUM, 8192.0),
        // 8 times 16384 is one too many.
        (&[1.0; 8], MAX_SUM, 8192.0),
        (&[1.0, -1.0], 16384, 8192.0),
    ];
    for (weights, max_sum, expected) in cases {
        assert_eq!(scale_of(weights, max_sum), expected, "{weights:?}");
    }
    // Each group has its own sum.
    let groups = [[1.0_f32; 4], [-1.0; 4]];
    let groups = groups.iter().map(|group| group.iter());
    assert_eq!(scale(groups, 65536), 16384.0);
}

#[test]
fn a_largest_sum_of_an_output_stays_below_31_bits() {
    assert_eq!((i64::from(MAX_SUM) + 1) << 14, 1 << 31);
    let embeddings = [0.49, 0.5, -0.5, 1.5, 1e9, -1e9].map(round);
    assert_eq!(embeddings, [0, 1, -1, 2, i16::MAX, i16::MIN]);
}

/// Units that nobody listens to change nothing.
#[test]
fn wider_layers_of_zeros_give_the_same_bits() {
    let narrow = sizes(40, 32, &[5, 3]);
    let wide = sizes(40, 96, &[70, 40]);
    let mut rng = stream(4, "padding", 0);
    let of_narrow = random_weights(&narrow, &mut rng);
    let mut of_wide = weights(&wide, |_, _| 0.0);
    for (name, tensor) in of_narrow.iter() {
        let target = of_wide.get_mut(name).unwrap();
        let (from, to) = (tensor.shape.last().unwrap(), *target.shape.last().unwrap());
        let rows = tensor.values.chunks(*from);
        for (row, target) in rows.zip(target.values.chunks_mut(to)) {
            target[..row.len()].copy_from_slice(row);
        }
    }
    let positions: Vec<_> = (0..10)
        .map(|_| (some(40, 0.3, &mut rng), random_actions(&narrow, &mut rng)))
        .collect();
    let expected = check_kernels(&narrow, &of_narrow, &positions);
    assert_eq!(check_kernels(&wide, &of_wide, &positions), expected);
}

#[test]
fn instructions_decide_the_kernels() {
    assert_eq!(Kernels::of(InstructionSet::Portable), Kernels::Portable);
    for instructions in InstructionSet::available() {
        let kernels = Kernels::of(instructions);
        assert!(Kernels::available().contains(&kernels));
        let plain = instructions == InstructionSet::Portable;
        assert_eq!(kernels == Kernels::Portable, plain);
    }
}

#[test]
#[should_panic(expected = "feature 20 of 20")]
fn a_feature_out_of_range_is_refused() {
    let sizes = sizes(20, 32, &[2]);
    let weights = random_weights(&sizes, &mut stream(5, "range", 0));
    let instructions = *InstructionSet::available().last().unwrap();
    let network = Sparse::new(1, MOST_ACTIVE_OF_ACTION, &weights, instructions);
    network.forward(&[3, 20], &ActionFeatures::new(), &mut Buffers::default());
}

#[test]
#[should_panic(expected = "feature 37 of 37")]
fn an_action_feature_out_of_range_is_refused() {
    let sizes = sizes(20, 32, &[2]);
    let weights = random_weights(&sizes, &mut stream(5, "range", 0));
    let mut actions = ActionFeatures::new();
    actions.push([3]);
    actions.push([36, 37]);
    pack(&sizes, &weights, Kernels::Portable).forward(&[3], &actions, &mut Buffers::default());
}

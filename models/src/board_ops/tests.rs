//! Layers against burn's own operations, against differences, and among instruction sets.

use super::boards::Boards;
use super::convolution::Kernel;
use super::layer::{Layer, Output};
use super::{NormedConvolution, Pool, normed_convolution};
use crate::flex::has_gradients;
use crate::leaf::InstructionSet;
use burn::tensor::activation::relu;
use burn::tensor::module::{BatchNormTrainOutput, batch_norm_train, conv2d};
use burn::tensor::ops::{ConvOptions, PadMode};
use burn::tensor::{Device, Gradients, Tensor, TensorData};
use rand::RngExt;
use tablero_env::random::stream;

const EPSILON: f64 = 1e-5;

/// Sizes of layers, odd ones among them.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    n: usize,
    height: usize,
    width: usize,
    n_inputs: usize,
    n_outputs: usize,
    side: usize,
}

fn sizes() -> Vec<Sizes> {
    [
        [1, 1, 1, 1, 1, 3],
        [5, 1, 1, 3, 2, 3],
        [2, 1, 4, 16, 16, 3],
        [1, 3, 4, 3, 5, 3],
        [7, 9, 9, 8, 64, 3],
        [40, 4, 3, 12, 33, 3],
        [7, 9, 9, 20, 16, 3],
        [2, 17, 18, 20, 48, 3],
        [3, 5, 7, 130, 17, 3],
        [4, 2, 3, 16, 130, 3],
        [1, 1, 1, 1, 1, 1],
        [6, 5, 5, 64, 32, 1],
        [3, 9, 9, 130, 130, 1],
    ]
    .map(|[n, height, width, n_inputs, n_outputs, side]| Sizes {
        n,
        height,
        width,
        n_inputs,
        n_outputs,
        side,
    })
    .to_vec()
}

/// Numbers in -1..1.
fn numbers(purpose: &str, n: usize) -> Vec<f32> {
    let mut rng = stream(3, purpose, n as u64);
    (0..n).map(|_| rng.random_range(-1.0..1.0)).collect()
}

/// The sum of products with fixed numbers: a loss whose gradient is different everywhere.
fn loss<const D: usize>(tensor: Tensor<D>) -> Tensor<1> {
    let sizes = tensor.dims();
    let factors = TensorData::new(numbers("factors", sizes.iter().product()), sizes);
    let factors = Tensor::<D>::from_data(factors, &tensor.device());
    (tensor * factors).sum()
}

fn assert_close<const D: usize>(what: &str, sizes: Sizes, ours: Tensor<D>, burns: Tensor<D>) {
    assert_eq!(ours.dims(), burns.dims(), "{what} of {sizes:?}");
    let values = |tensor: Tensor<D>| tensor.into_data().try_into_vec::<f32>().unwrap();
    let (ours, burns) = (values(ours), values(burns));
    let scale = burns
        .iter()
        .fold(1e-2f32, |max, value| max.max(value.abs()));
    for (ours, burns) in ours.iter().zip(&burns) {
        let error = (ours - burns).abs() / scale;
        assert!(
            error < 1e-4,
            "{what} of {sizes:?}: {ours} instead of {burns}"
        );
    }
}

/// A layer's tensors, leaves with gradients.
struct Leaves {
    planes: Tensor<4>,
    weight: Tensor<4>,
    gamma: Tensor<1>,
    beta: Tensor<1>,
    added: Tensor<4>,
}

impl Leaves {
    /// By burn's own operations.
    fn convolved_and_normed(&self, sizes: Sizes) -> BatchNormTrainOutput<4> {
        let padding = sizes.side / 2;
        let convolved = conv2d(
            self.planes.clone(),
            self.weight.clone(),
            None,
            ConvOptions::new([1, 1], [padding, padding], [1, 1], 1),
        );
        batch_norm_train(convolved, self.gamma.clone(), self.beta.clone(), EPSILON)
    }

    fn new(sizes: Sizes) -> Leaves {
        fn leaf<const D: usize>(purpose: &str, sizes: [usize; D]) -> Tensor<D> {
            let values = numbers(purpose, sizes.iter().product());
            let device = Device::flex().autodiff();
            Tensor::from_data(TensorData::new(values, sizes), &device).require_grad()
        }
        let Sizes {
            n,
            height,
            width,
            n_inputs,
            n_outputs,
            side,
        } = sizes;
        Leaves {
            planes: leaf("planes", [n, n_inputs, height, width]),
            weight: leaf("weight", [n_outputs, n_inputs, side, side]),
            gamma: leaf("gamma", [n_outputs]),
            beta: leaf("beta", [n_outputs]),
            added: leaf("added", [n, n_outputs, height, width]),
        }
    }

    fn gradients(&self, gradients: &Gradients) -> (Tensor<4>, Tensor<4>, Tensor<1>, Tensor<1>) {
        (
            self.planes.grad(gradients).unwrap(),
            self.weight.grad(gradients).unwrap(),
            self.gamma.grad(gradients).unwrap(),
            self.beta.grad(gradients).unwrap(),
        )
    }
}

/// Planes `[B, C, H, W]` as boards with so many channels.
fn as_boards(planes: Tensor<4>, border: usize, n_stored: usize) -> Tensor<4> {
    let n_missing = n_stored - planes.dims()[1];
    planes
        .pad((border, 0, border, 0), PadMode::Constant(0.0))
        .permute([0, 2, 3, 1])
        .pad((0, n_missing, 0, 0), PadMode::Constant(0.0))
}

#[test]
fn layers_and_their_gradients_are_those_of_burn() {
    let pool = Pool::default();
    for sizes in sizes() {
        for (is_added, border) in [(false, 1), (false, 0), (true, 1)] {
            let n_stored = sizes.n_outputs.next_multiple_of(16);
            let ours = Leaves::new(sizes);
            assert!(has_gradients(&ours.planes.device()));
            let layer = NormedConvolution {
                weight: ours.weight.clone(),
                gamma: ours.gamma.clone(),
                beta: ours.beta.clone(),
                epsilon: EPSILON,
            };
            // A multiple of 16 channels for the one, as they come for the other.
            let n_stored_inputs = if is_added {
                sizes.n_inputs.next_multiple_of(16)
            } else {
                sizes.n_inputs
            };
            let boards = as_boards(ours.planes.clone(), 1, n_stored_inputs);
            let added = is_added.then(|| as_boards(ours.added.clone(), border, n_stored));
            let result = normed_convolution(&pool, layer, (boards, 1), added, border);
            let [_, stored_height, stored_width, _] = result.boards.dims();
            assert_eq!(stored_height, sizes.height + border);
            let whole: f32 = result.boards.clone().sum().into_scalar();
            let inner = result
                .boards
                .slice([
                    0..sizes.n,
                    border..stored_height,
                    border..stored_width,
                    0..sizes.n_outputs,
                ])
                .permute([0, 3, 1, 2]);
            let inner_sum: f32 = inner.clone().sum().into_scalar();
            assert!(
                (whole - inner_sum).abs() <= 1e-4 * whole.abs(),
                "border and padding are 0"
            );

            let burns = Leaves::new(sizes);
            let normed = burns.convolved_and_normed(sizes);
            let mut expected = normed.output;
            if is_added {
                expected = expected + burns.added.clone();
            }
            let expected = relu(expected);
            assert_close("outputs", sizes, inner.clone(), expected.clone());
            assert_close("means", sizes, result.means, normed.mean);
            assert_close("variances", sizes, result.variances, normed.variance);

            let (mut back, mut expected_back) = (loss(inner).backward(), loss(expected).backward());
            let (planes, weight, gamma, beta) = ours.gradients(&back);
            let (their_planes, their_weight, their_gamma, their_beta) =
                burns.gradients(&expected_back);
            assert_close("gradient of planes", sizes, planes, their_planes);
            assert_close("gradient of weight", sizes, weight, their_weight);
            assert_close("gradient of gamma", sizes, gamma, their_gamma);
            assert_close("gradient of beta", sizes, beta, their_beta);
            if is_added {
                let added = ours.added.grad_remove(&mut back).unwrap();
                let expected = burns.added.grad_remove(&mut expected_back).unwrap();
                assert_close("gradient of what is added", sizes, added, expected);
            }
        }
    }
}

/// A layer's numbers, for calls without burn.
struct Numbers {
    from: Boards,
    sizes: Sizes,
    input: Vec<f32>,
    weights: Vec<f32>,
    gamma: Vec<f32>,
    beta: Vec<f32>,
}

impl Numbers {
    fn new(sizes: Sizes) -> Numbers {
        let from = Boards {
            n: sizes.n,
            height: sizes.height,
            width: sizes.width,
            border: 1,
            channels: sizes.n_inputs,
        };
        let mut input = numbers("input", from.len());
        from.clear_border(&mut input);
        let n_weights = sizes.n_outputs * sizes.n_inputs * sizes.side * sizes.side;
        Numbers {
            from,
            sizes,
            input,
            weights: numbers("weights", n_weights),
            gamma: numbers("gamma", sizes.n_outputs),
            beta: numbers("beta", sizes.n_outputs),
        }
    }

    fn layer(&self, instructions: InstructionSet) -> Layer<'_> {
        Layer {
            kernel: Kernel {
                weights: &self.weights,
                n_outputs: self.sizes.n_outputs,
                n_inputs: self.sizes.n_inputs,
                side: self.sizes.side,
            },
            gamma: &self.gamma,
            beta: &self.beta,
            epsilon: EPSILON,
            from: self.from,
            border: 1,
            instructions,
        }
    }

    fn factors(&self, instructions: InstructionSet) -> Vec<f32> {
        numbers("factors", self.layer(instructions).to().len())
    }

    fn loss(&self, instructions: InstructionSet) -> f64 {
        let layer = self.layer(instructions);
        let output = layer.forward(&Pool::default(), &self.input, None);
        let factors = self.factors(instructions);
        let products = output.boards.values.iter().zip(&factors);
        products.map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
    }

    /// Outputs, then the gradients of input, weights, gamma and beta.
    fn all(&self, instructions: InstructionSet) -> Vec<Vec<f32>> {
        let pool = Pool::default();
        let layer = self.layer(instructions);
        let Output { boards, memory, .. } = layer.forward(&pool, &self.input, None);
        let mut gradient = self.factors(instructions);
        let back = layer.backward(
            &pool,
            &memory,
            &self.input,
            &boards.values,
            &mut gradient,
            true,
        );
        vec![
            boards.into_values(),
            back.input.expect("asked for").into_values(),
            back.weights,
            back.gamma,
            back.beta,
        ]
    }
}

#[test]
fn instruction_sets_agree_and_repeat_themselves() {
    for sizes in sizes() {
        let numbers = Numbers::new(sizes);
        let expected = numbers.all(InstructionSet::Portable);
        for instructions in InstructionSet::available() {
            let all = numbers.all(instructions);
            assert_eq!(
                all,
                numbers.all(instructions),
                "{instructions} of {sizes:?}"
            );
            for (values, expected) in all.iter().zip(&expected) {
                let scale = expected.iter().fold(1e-2f32, |max, x| max.max(x.abs()));
                for (value, expected) in values.iter().zip(expected) {
                    let error = (value - expected).abs() / scale;
                    assert!(error < 1e-4, "{instructions} of {sizes:?}: {error}");
                }
            }
        }
    }
}

/// Along a random direction the loss rises by the product of direction and gradient. Half of the
/// channels are far above 0 and half far below, so that no difference straddles relu's kink.
#[test]
fn gradients_are_those_of_differences() {
    let instructions = InstructionSet::best();
    for [height, n_inputs, side] in [[5, 6, 3], [4, 20, 3], [6, 9, 1]] {
        let sizes = Sizes {
            n: 8,
            height,
            width: 6,
            n_inputs,
            n_outputs: 18,
            side,
        };
        let start = || {
            let mut numbers = Numbers::new(sizes);
            for (channel, beta) in numbers.beta.iter_mut().enumerate() {
                *beta += if channel % 2 == 0 { 8.0 } else { -8.0 };
            }
            numbers
        };
        let gradients = start().all(instructions);
        for which in 0..4 {
            let direction = numbers("direction", gradients[1 + which].len());
            let moved = |step: f32| {
                let mut numbers = start();
                let values = match which {
                    0 => &mut numbers.input,
                    1 => &mut numbers.weights,
                    2 => &mut numbers.gamma,
                    _ => &mut numbers.beta,
                };
                for (value, direction) in values.iter_mut().zip(&direction) {
                    *value += step * direction;
                }
                let from = numbers.from;
                from.clear_border(&mut numbers.input);
                numbers.loss(instructions)
            };
            let step = 1e-3;
            let difference = (moved(step) - moved(-step)) / (2.0 * f64::from(step));
            let mut products = gradients[1 + which].clone();
            for (product, direction) in products.iter_mut().zip(&direction) {
                *product *= direction;
            }
            if which == 0 {
                Numbers::new(sizes).from.clear_border(&mut products);
            }
            let expected: f64 = products.iter().map(|&x| f64::from(x)).sum();
            let error = (difference - expected).abs();
            assert!(
                error < 1e-2 * expected.abs().max(1.0),
                "{which} of {sizes:?}: {expected} instead of {difference}"
            );
        }
    }
}

/// With a large mean and a small spread, statistics keep their digits.
#[test]
fn statistics_are_exact_far_from_0() {
    let sizes = Sizes {
        n: 50,
        height: 7,
        width: 7,
        n_inputs: 1,
        n_outputs: 1,
        side: 1,
    };
    let mut numbers = Numbers::new(sizes);
    numbers.weights[0] = 1.0;
    for value in &mut numbers.input {
        *value = 1000.0 + *value / 16.0;
    }
    let from = numbers.from;
    let values = from
        .rows()
        .flat_map(|row| &numbers.input[row..][..from.width]);
    let values: Vec<f64> = values.map(|&value| f64::from(value)).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    for instructions in InstructionSet::available() {
        let layer = numbers.layer(instructions);
        let output = layer.forward(&Pool::default(), &numbers.input, None);
        assert!((f64::from(output.means[0]) / mean - 1.0).abs() < 1e-7);
        assert!((f64::from(output.variances[0]) / variance - 1.0).abs() < 1e-3);
    }
}

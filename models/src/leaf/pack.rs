//! Layers of a network as products: batch norm folded in, heads side by side.

use super::panels::Product;
use crate::parameters::NORM_EPSILON;
use crate::{WeightTensor, Weights};

/// Dense layers over one input, side by side in one product; those that the network does not
/// have are left out.
pub(super) fn dense(weights: &Weights, names: &[&str]) -> Product {
    let layers: Vec<_> = names
        .iter()
        .filter_map(|name| {
            let weight = weights.get(&format!("{name}.weight"))?;
            let bias = weights.get(&format!("{name}.bias"))?;
            Some((weight, bias))
        })
        .collect();
    let columns: Vec<(usize, usize)> = layers
        .iter()
        .enumerate()
        .flat_map(|(layer, (_, bias))| (0..bias.values.len()).map(move |column| (layer, column)))
        .collect();
    let n_inputs = layers[0].0.shape[0];
    Product::pack(
        [1, n_inputs, columns.len()],
        |_, input, output| {
            let (layer, column) = columns[output];
            let (weight, bias) = layers[layer];
            weight.values[input * bias.values.len() + column]
        },
        |output| {
            let (layer, column) = columns[output];
            layers[layer].1.values[column]
        },
    )
}

/// A dense layer over all channels of all cells. Its weights count channel by channel, as burn
/// flattens; its input is stored cell by cell.
pub(super) fn dense_over_cells(weights: &Weights, name: &str, n_cells: usize) -> Product {
    let weight = tensor(weights, &format!("{name}.weight"));
    let bias = tensor(weights, &format!("{name}.bias"));
    let n_channels = weight.shape[0] / n_cells;
    let n_outputs = bias.values.len();
    Product::pack(
        [n_cells, n_channels, n_outputs],
        |cell, channel, output| weight.values[(channel * n_cells + cell) * n_outputs + output],
        |output| bias.values[output],
    )
}

/// A 1x1 convolution with a bias.
pub(super) fn convolution_1x1(weights: &Weights, name: &str) -> Product {
    let weight = tensor(weights, &format!("{name}.weight"));
    let bias = tensor(weights, &format!("{name}.bias"));
    let [n_outputs, n_inputs] = [weight.shape[0], weight.shape[1]];
    Product::pack(
        [1, n_inputs, n_outputs],
        |_, input, output| weight.values[output * n_inputs + input],
        |output| bias.values[output],
    )
}

/// A convolution with its batch norm, `gamma * (x - mean) / sqrt(variance + epsilon) + beta`,
/// as a convolution with a bias.
pub(super) struct Folded<'a> {
    weight: &'a WeightTensor,
    scales: Vec<f64>,
    biases: Vec<f32>,
}

impl<'a> Folded<'a> {
    pub fn new(weights: &'a Weights, name: &str) -> Folded<'a> {
        let norm = |part: &str| &tensor(weights, &format!("{name}.norm.{part}")).values;
        let (gamma, beta) = (norm("gamma"), norm("beta"));
        let (mean, variance) = (norm("running_mean"), norm("running_var"));
        let scales: Vec<f64> = gamma
            .iter()
            .zip(variance)
            .map(|(&gamma, &variance)| {
                f64::from(gamma) / (f64::from(variance) + NORM_EPSILON).sqrt()
            })
            .collect();
        let biases = beta.iter().zip(mean).zip(&scales);
        Folded {
            weight: tensor(weights, &format!("{name}.convolution.weight")),
            biases: biases
                .map(|((&beta, &mean), scale)| (f64::from(beta) - f64::from(mean) * scale) as f32)
                .collect(),
            scales,
        }
    }

    /// What an output takes of an input at one of the places, which count row by row.
    fn weight(&self, output: usize, input: usize, place: usize) -> f32 {
        let [_, n_inputs, height, width] = self.weight.shape[..] else {
            unreachable!("a convolution has four axes");
        };
        let value = self.weight.values[(output * n_inputs + input) * height * width + place];
        (f64::from(value) * self.scales[output]) as f32
    }

    /// A 3x3 convolution whose input holds `n_stored` channels a cell, of which the last may be
    /// padding.
    pub fn pack_3x3(&self, n_stored: usize) -> Product {
        let n_inputs = self.weight.shape[1];
        Product::pack(
            [3, 3 * n_stored, self.biases.len()],
            |row, index, output| {
                let (col, input) = (index / n_stored, index % n_stored);
                if input < n_inputs {
                    self.weight(output, input, 3 * row + col)
                } else {
                    0.0
                }
            },
            |output| self.biases[output],
        )
    }
}

/// Two 1x1 convolutions over the same input, side by side.
pub(super) fn pack_both_1x1(left: &Folded<'_>, right: &Folded<'_>) -> Product {
    let n_left = left.biases.len();
    let side = |output: usize| match output.checked_sub(n_left) {
        None => (left, output),
        Some(output) => (right, output),
    };
    Product::pack(
        [1, left.weight.shape[1], n_left + right.biases.len()],
        |_, input, output| {
            let (folded, output) = side(output);
            folded.weight(output, input, 0)
        },
        |output| {
            let (folded, output) = side(output);
            folded.biases[output]
        },
    )
}

/// A tensor of weights that are known to have it.
pub(super) fn tensor<'a>(weights: &'a Weights, name: &str) -> &'a WeightTensor {
    weights.get(name).expect("the weights were checked")
}

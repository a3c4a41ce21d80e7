//! Dense layers: burn multiplies, the biases are an operation of our own on the CPU.

use crate::flex::{BackwardPass, has_gradients, on_tape, primitive, tensor, values};
use crate::leaf::InstructionSet;
use crate::vectorized::vectorized;
use burn::backend::flex::FlexTensor;
use burn::nn::Linear;
use burn::tensor::Tensor;
use burn::tensor::module::linear;

/// The layer's outputs, `[B, outputs]`, of inputs `[B, inputs]`, bit for bit those of [`Linear::forward`].
///
/// # Panics
/// If the layer reads another number of inputs.
pub(crate) fn dense(layer: &Linear, inputs: Tensor<2>) -> Tensor<2> {
    match &layer.bias {
        Some(bias) if has_gradients(&inputs.device()) => {
            with_bias(linear(inputs, layer.weight.val(), None), bias.val())
        }
        _ => layer.forward(inputs),
    }
}

/// The rows, `[B, outputs]`, with the bias, `[outputs]`, added to each.
///
/// # Panics
/// If they are not on a device that our own operations [are for](has_gradients).
pub(crate) fn with_bias(rows: Tensor<2>, bias: Tensor<1>) -> Tensor<2> {
    let [_, n_outputs] = rows.dims();
    on_tape([primitive(rows), primitive(bias)], |[mut rows, bias]| {
        add_to_rows(InstructionSet::best(), rows.storage_mut(), values(&bias));
        (rows, BackFromBias { n_outputs })
    })
}

vectorized! {
    fn add_to_rows(rows: &mut [f32], bias: &[f32]) {
        for row in rows.chunks_exact_mut(bias.len()) {
            for (value, &bias) in row.iter_mut().zip(bias) {
                *value += bias;
            }
        }
    }
}

vectorized! {
    fn sum_rows(rows: &[f32], sum: &mut [f32]) {
        for row in rows.chunks_exact(sum.len()) {
            for (sum, &value) in sum.iter_mut().zip(row) {
                *sum += value;
            }
        }
    }
}

#[derive(Clone, Debug)]
struct BackFromBias {
    n_outputs: usize,
}

impl BackwardPass<2> for BackFromBias {
    fn input_gradients(self, gradient: FlexTensor) -> [FlexTensor; 2] {
        let mut of_bias = vec![0.0; self.n_outputs];
        sum_rows(InstructionSet::best(), values(&gradient), &mut of_bias);
        [gradient, tensor(of_bias, [self.n_outputs])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::module::Param;
    use burn::tensor::{Device, TensorData};

    fn matrix<const D: usize>(sizes: [usize; D], device: &Device) -> Tensor<D> {
        let value = |i: usize| (i * 7919 % 101) as f32 / 37.0 - 1.3;
        let values: Vec<f32> = (0..sizes.iter().product()).map(value).collect();
        Tensor::from_data(TensorData::new(values, sizes), device)
    }

    #[test]
    fn it_is_that_of_burn_bit_for_bit_there_and_back() {
        let device = Device::flex().autodiff();
        for [n_rows, n_inputs, n_outputs] in [[1, 1, 1], [5, 3, 1], [33, 20, 37], [256, 64, 128]] {
            let run = |dense: fn(&Linear, Tensor<2>) -> Tensor<2>| {
                let layer = Linear {
                    weight: Param::from_tensor(matrix([n_inputs, n_outputs], &device)),
                    bias: Some(Param::from_tensor(matrix([n_outputs], &device))),
                };
                let inputs = matrix([n_rows, n_inputs], &device).require_grad();
                let outputs = dense(&layer, inputs.clone());
                let slopes = matrix([n_rows, n_outputs], &device);
                let gradients = outputs.clone().mul(slopes).sum().backward();
                let weight = layer.weight.val().grad(&gradients).unwrap();
                let bias = layer.bias.unwrap().val().grad(&gradients).unwrap();
                let flat = |tensor: Tensor<2>| tensor.flatten::<1>(0, 1);
                let inputs = inputs.grad(&gradients).unwrap();
                [flat(outputs), flat(inputs), flat(weight), bias].map(|tensor| {
                    let values: Vec<f32> = tensor.into_data().try_into_vec().unwrap();
                    values.into_iter().map(f32::to_bits).collect::<Vec<_>>()
                })
            };
            assert_eq!(run(dense), run(|layer, inputs| layer.forward(inputs)));
        }
    }
}

//! The rectifier, an operation of our own on the CPU, bit for bit that of burn.

use crate::flex::{BackwardPass, has_gradients, on_tape, primitive, values};
use crate::leaf::InstructionSet;
use crate::vectorized::vectorized;
use burn::backend::flex::FlexTensor;
use burn::tensor::Tensor;
use burn::tensor::activation;

/// Each value, or 0 in place of a negative one.
pub(crate) fn relu(inputs: Tensor<2>) -> Tensor<2> {
    if !has_gradients(&inputs.device()) {
        return activation::relu(inputs);
    }
    on_tape([primitive(inputs)], |[mut output]| {
        rectify(InstructionSet::best(), output.storage_mut());
        (output.clone(), BackFromRelu { output })
    })
}

vectorized! {
    fn rectify(values: &mut [f32]) {
        for value in values {
            // Written so, a NaN stays one.
            *value = if *value <= 0.0 { 0.0 } else { *value };
        }
    }
}

vectorized! {
    fn rectify_back(gradient: &mut [f32], output: &[f32]) {
        for (gradient, &output) in gradient.iter_mut().zip(output) {
            *gradient = if output <= 0.0 { 0.0 } else { *gradient };
        }
    }
}

#[derive(Clone, Debug)]
struct BackFromRelu {
    output: FlexTensor,
}

impl BackwardPass<1> for BackFromRelu {
    fn input_gradients(self, mut gradient: FlexTensor) -> [FlexTensor; 1] {
        let output = values(&self.output);
        rectify_back(InstructionSet::best(), gradient.storage_mut(), output);
        [gradient]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    #[test]
    fn it_is_that_of_burn_bit_for_bit_there_and_back() {
        let device = Device::flex().autodiff();
        let inputs = [
            -0.5,
            -0.0,
            0.0,
            1e-30,
            0.3,
            0.9,
            f32::NAN,
            1.5,
            f32::INFINITY,
        ];
        let slopes: [f32; 9] = [1.0, 2.0, 3.0, -4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        let run = |relu: fn(Tensor<2>) -> Tensor<2>| {
            let inputs = Tensor::<2>::from_floats([inputs], &device).require_grad();
            let outputs = relu(inputs.clone());
            let slopes = Tensor::<2>::from_floats([slopes], &device);
            let gradients = outputs.clone().mul(slopes).sum().backward();
            [outputs, inputs.grad(&gradients).unwrap()].map(|tensor| {
                let values: Vec<f32> = tensor.into_data().try_into_vec().unwrap();
                values.into_iter().map(f32::to_bits).collect::<Vec<_>>()
            })
        };
        assert_eq!(run(relu), run(activation::relu));
    }
}

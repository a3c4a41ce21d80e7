//! Tensors of burn's CPU backend as plain numbers and back, for operations of our own.

use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::ops::{Backward, OpsKind};
use burn::backend::flex::FlexTensor;
use burn::backend::tensor::FloatTensor;
use burn::backend::{Autodiff, DispatchDevice, Flex, GradientCheckpointingStrategy};
use burn::tensor::{Device, Tensor, TensorData};

/// A tensor on the CPU, with gradients.
pub(crate) type AutodiffTensor = FloatTensor<Autodiff<Flex>>;

/// Whether our own operations run on this device: the CPU backend with gradients, all kept.
pub(crate) fn has_gradients(device: &Device) -> bool {
    match device.as_dispatch() {
        DispatchDevice::Autodiff(device) => {
            device.gradient_checkpointing_strategy() == GradientCheckpointingStrategy::Disabled
                && matches!(**device, DispatchDevice::Flex(_))
        }
        _ => false,
    }
}

/// A tensor's primitive.
///
/// # Panics
/// If it is not on the CPU, with gradients.
pub(crate) fn primitive<const D: usize>(tensor: Tensor<D>) -> AutodiffTensor {
    let primitive = tensor.try_into_primitive::<Autodiff<Flex>>();
    primitive.expect("the tensor is on the CPU, with gradients")
}

/// A primitive of these sizes.
pub(crate) fn tensor<const D: usize>(values: Vec<f32>, sizes: [usize; D]) -> FlexTensor {
    FlexTensor::from_data(TensorData::new(values, sizes))
}

/// The values of a contiguous tensor.
pub(crate) fn values(tensor: &FlexTensor) -> &[f32] {
    tensor.as_slice().expect("contiguous 32-bit floats")
}

/// An operation of our own of one input on burn's tape: `forward` takes the input, contiguous, and gives
/// the output and what the backward pass will need.
///
/// # Panics
/// If the input is not on the CPU, with gradients.
pub(crate) fn on_tape<const D: usize, const E: usize, B: Backward<Flex, 1>>(
    back: B,
    input: Tensor<D>,
    forward: impl FnOnce(FlexTensor) -> (FlexTensor, B::State),
) -> Tensor<E> {
    let input = primitive(input);
    let node = AutodiffTensor::node(&input);
    let (output, state) = forward(input.into_primitive().to_contiguous());
    let prepared = back.prepare::<NoCheckpointing>([node]).compute_bound();
    let output = match prepared.stateful() {
        OpsKind::Tracked(prepared) => prepared.finish(state, output),
        OpsKind::UnTracked(prepared) => prepared.finish(output),
    };
    Tensor::from_primitive::<Autodiff<Flex>>(output)
}

//! Tensors of burn's CPU backend as plain numbers and back, for operations of our own.

use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::backend::flex::FlexTensor;
use burn::backend::tensor::FloatTensor;
use burn::backend::{Autodiff, DispatchDevice, Flex, GradientCheckpointingStrategy};
use burn::tensor::{Device, Tensor, TensorData};
use std::fmt::Debug;
use std::marker::PhantomData;

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

/// What an operation of our own keeps for its backward pass.
pub(crate) trait BackwardPass: Clone + Debug + Send + Sync {
    /// The gradient of the operation's input, from that of its output, which is contiguous.
    fn input_gradient(self, output_gradient: FlexTensor) -> FlexTensor;
}

/// An operation of our own of one input on burn's tape: `forward` takes the input, contiguous, and gives
/// the output and what the backward pass will need.
///
/// # Panics
/// If the input is not on the CPU, with gradients.
pub(crate) fn on_tape<const D: usize, const E: usize, B: BackwardPass + 'static>(
    input: Tensor<D>,
    forward: impl FnOnce(FlexTensor) -> (FlexTensor, B),
) -> Tensor<E> {
    let input = primitive(input);
    let node = AutodiffTensor::node(&input);
    let (output, back) = forward(input.into_primitive().to_contiguous());
    let operation = OneInput(PhantomData::<B>);
    let prepared = operation.prepare::<NoCheckpointing>([node]).compute_bound();
    let output = match prepared.stateful() {
        OpsKind::Tracked(prepared) => prepared.finish(back, output),
        OpsKind::UnTracked(prepared) => prepared.finish(output),
    };
    Tensor::from_primitive::<Autodiff<Flex>>(output)
}

#[derive(Debug)]
struct OneInput<B>(PhantomData<B>);

impl<B: BackwardPass + 'static> Backward<Flex, 1> for OneInput<B> {
    type State = B;

    fn backward(self, ops: Ops<B, 1>, gradients: &mut Gradients, _checkpointer: &mut Checkpointer) {
        let gradient = gradients.consume::<Flex>(&ops.node).to_contiguous();
        let gradient = ops.state.input_gradient(gradient);
        if let [Some(node)] = ops.parents {
            gradients.register::<Flex>(node.id, gradient);
        }
    }
}

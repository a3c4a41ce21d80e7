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

/// Reads a tensor's values, row by row: in place on the CPU, else as a copy.
pub(crate) fn with_values<const D: usize, R>(
    tensor: &Tensor<D>,
    read: impl FnOnce(&[f32]) -> R,
) -> R {
    if has_gradients(&tensor.device()) {
        let tensor = primitive(tensor.clone()).into_primitive().to_contiguous();
        return read(values(&tensor));
    }
    let data = tensor.to_data();
    read(data.as_slice().expect("32-bit floats"))
}

/// What an operation of our own of N inputs keeps for its backward pass.
pub(crate) trait BackwardPass<const N: usize>: Clone + Debug + Send + Sync {
    /// The gradients of the operation's inputs, from that of its output, which is contiguous.
    fn input_gradients(self, output_gradient: FlexTensor) -> [FlexTensor; N];
}

/// An operation of our own on burn's tape: `forward` takes the inputs, contiguous, and gives the output
/// and what the backward pass will need.
pub(crate) fn on_tape<const N: usize, const D: usize, B: BackwardPass<N> + 'static>(
    inputs: [AutodiffTensor; N],
    forward: impl FnOnce([FlexTensor; N]) -> (FlexTensor, B),
) -> Tensor<D> {
    let nodes = inputs.each_ref().map(AutodiffTensor::node);
    let (output, back) = forward(inputs.map(|input| input.into_primitive().to_contiguous()));
    let operation = Operation(PhantomData::<B>);
    let prepared = operation.prepare::<NoCheckpointing>(nodes).compute_bound();
    let output = match prepared.stateful() {
        OpsKind::Tracked(prepared) => prepared.finish(back, output),
        OpsKind::UnTracked(prepared) => prepared.finish(output),
    };
    Tensor::from_primitive::<Autodiff<Flex>>(output)
}

#[derive(Debug)]
struct Operation<B>(PhantomData<B>);

impl<const N: usize, B: BackwardPass<N> + 'static> Backward<Flex, N> for Operation<B> {
    type State = B;

    fn backward(self, ops: Ops<B, N>, gradients: &mut Gradients, _checkpointer: &mut Checkpointer) {
        let gradient = gradients.consume::<Flex>(&ops.node).to_contiguous();
        let of_inputs = ops.state.input_gradients(gradient);
        for (node, gradient) in ops.parents.into_iter().zip(of_inputs) {
            if let Some(node) = node {
                gradients.register::<Flex>(node.id, gradient);
            }
        }
    }
}

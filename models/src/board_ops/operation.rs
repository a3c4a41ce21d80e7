//! The layer as a burn operation.

use super::boards::Boards;
use super::convolution::Kernel;
use super::layer::{Layer, Memory};
use super::pool::Pool;
use crate::flex::{AutodiffTensor, primitive, tensor, values};
use crate::leaf::InstructionSet;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::NoCheckpointing;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, NodeGuard, Ops, OpsKind};
use burn::backend::flex::FlexTensor;
use burn::backend::{Autodiff, Flex};
use burn::tensor::Tensor;
use std::sync::Arc;

/// What [`normed_convolution`] gives.
pub(crate) struct NormedConvolutionOutput {
    /// `[B, H + border, W + border, outputs]`, the outputs padded with zeros to a multiple of 16
    /// channels.
    pub boards: Tensor<4>,
    /// `[outputs]`: the mean of the convolution's results over the batch.
    pub means: Tensor<1>,
    /// `[outputs]`: their variance, over the number of cells.
    pub variances: Tensor<1>,
}

/// The tensors of a layer and its sizes.
pub(crate) struct NormedConvolution {
    /// `[outputs, inputs, side, side]` with a side of 1 or 3.
    pub weight: Tensor<4>,
    /// `[outputs]`: the scale of batch norm.
    pub gamma: Tensor<1>,
    /// `[outputs]`: its shift.
    pub beta: Tensor<1>,
    pub epsilon: f64,
}

/// `relu(batch_norm(convolution(boards)) [+ added])`, with the statistics of the batch.
///
/// `boards` are `[B, H + border, W + border, inputs or more]`. A border of 1, which a 3x3
/// convolution needs, is a row of zeros above and a column of zeros to the left; `added` is in the
/// form of the output.
///
/// # Panics
/// If a tensor is not on a device that these operations [are for](crate::flex::has_gradients), or the sizes do not
/// fit together.
pub(crate) fn normed_convolution(
    pool: &Pool,
    layer: NormedConvolution,
    (boards, border): (Tensor<4>, usize),
    added: Option<Tensor<4>>,
    output_border: usize,
) -> NormedConvolutionOutput {
    let [n_outputs, n_inputs, side, _] = layer.weight.dims();
    let from = Boards::new(boards.dims(), border);
    assert!(from.channels >= n_inputs && border <= 1 && border >= side / 2);
    let operation = Operation {
        n_outputs,
        n_inputs,
        side,
        epsilon: layer.epsilon,
        from,
        border: output_border,
        pool: pool.clone(),
    };
    let added = added.map(primitive);
    let inputs = [
        primitive(boards),
        primitive(layer.weight),
        primitive(layer.gamma),
        primitive(layer.beta),
    ];
    let nodes = inputs.each_ref().map(AutodiffTensor::node);
    let [input, weight, gamma, beta] = inputs.map(AutodiffTensor::into_primitive);
    let tensors = Tensors {
        input: input.to_contiguous(),
        weight: weight.to_contiguous(),
        gamma: gamma.to_contiguous(),
        beta: beta.to_contiguous(),
    };
    match added {
        None => operation.record(nodes, tensors, None),
        Some(added) => {
            let [input, weight, gamma, beta] = nodes;
            let nodes = [input, weight, gamma, beta, added.node()];
            operation.record(nodes, tensors, Some(added.into_primitive().to_contiguous()))
        }
    }
}

/// Hands a tensor's values back to the pool, if nobody else holds them.
fn recycle(pool: &Pool, tensor: FlexTensor) {
    if tensor.is_unique()
        && let Ok(values) = tensor.into_data().try_into_vec()
    {
        pool.give(values);
    }
}

/// The tensors that a layer reads, all contiguous.
#[derive(Clone, Debug)]
struct Tensors {
    input: FlexTensor,
    weight: FlexTensor,
    gamma: FlexTensor,
    beta: FlexTensor,
}

#[derive(Clone, Debug)]
struct Operation {
    n_outputs: usize,
    n_inputs: usize,
    side: usize,
    epsilon: f64,
    from: Boards,
    border: usize,
    pool: Pool,
}

impl Operation {
    fn layer<'a>(&self, tensors: &'a Tensors) -> Layer<'a> {
        Layer {
            kernel: Kernel {
                weights: values(&tensors.weight),
                n_outputs: self.n_outputs,
                n_inputs: self.n_inputs,
                side: self.side,
            },
            gamma: values(&tensors.gamma),
            beta: values(&tensors.beta),
            epsilon: self.epsilon,
            from: self.from,
            border: self.border,
            instructions: InstructionSet::best(),
        }
    }

    /// Goes there, and records the way back for the given nodes: input, weight, gamma, beta,
    /// and what is added if there is something.
    fn record<const N: usize>(
        self,
        nodes: [NodeGuard; N],
        tensors: Tensors,
        added: Option<FlexTensor>,
    ) -> NormedConvolutionOutput {
        let layer = self.layer(&tensors);
        let to = layer.to();
        if let Some(added) = &added {
            assert_eq!(added.layout().shape().dims::<4>(), to.sizes());
        }
        let output = layer.forward(
            &self.pool,
            values(&tensors.input),
            added.as_ref().map(values),
        );
        drop(added);
        let boards = tensor(output.boards.into_values(), to.sizes());
        let statistic = |mut values: Vec<f32>| {
            values.truncate(self.n_outputs);
            let statistic = AutodiffTensor::new(tensor(values, [self.n_outputs]));
            Tensor::from_primitive::<Autodiff<Flex>>(statistic)
        };
        let (means, variances) = (statistic(output.means), statistic(output.variances));
        let boards = match Back
            .prepare::<NoCheckpointing>(nodes)
            .compute_bound()
            .stateful()
        {
            OpsKind::Tracked(prepared) => {
                let state = State {
                    operation: self,
                    tensors,
                    output: boards.clone(),
                    memory: Arc::new(output.memory),
                };
                prepared.finish(state, boards)
            }
            OpsKind::UnTracked(prepared) => prepared.finish(boards),
        };
        NormedConvolutionOutput {
            boards: Tensor::from_primitive::<Autodiff<Flex>>(boards),
            means,
            variances,
        }
    }
}

/// The way back.
#[derive(Debug)]
struct Back;

#[derive(Clone, Debug)]
struct State {
    operation: Operation,
    tensors: Tensors,
    output: FlexTensor,
    memory: Arc<Memory>,
}

impl<const N: usize> Backward<Flex, N> for Back {
    type State = State;

    fn backward(
        self,
        ops: Ops<State, N>,
        gradients: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let State {
            operation,
            tensors,
            output,
            memory,
        } = ops.state;
        let mut gradient = gradients.consume::<Flex>(&ops.node).to_contiguous();
        let layer = operation.layer(&tensors);
        let back = layer.backward(
            &operation.pool,
            &memory,
            values(&tensors.input),
            values(&output),
            gradient.storage_mut(),
            ops.parents[0].is_some(),
        );
        let Operation {
            n_outputs,
            n_inputs,
            side,
            from,
            pool,
            ..
        } = operation;
        let mut register = |parent: usize, gradient: FlexTensor| {
            if let Some(Some(node)) = ops.parents.get(parent) {
                gradients.register::<Flex>(node.id, gradient);
            }
        };
        if let Some(input) = back.input {
            register(0, tensor(input.into_values(), from.sizes()));
        }
        register(1, tensor(back.weights, [n_outputs, n_inputs, side, side]));
        register(2, tensor(back.gamma, [n_outputs]));
        register(3, tensor(back.beta, [n_outputs]));
        if N > 4 {
            register(4, gradient);
        } else {
            recycle(&pool, gradient);
        }
        recycle(&pool, output);
        recycle(&pool, tensors.input);
    }
}

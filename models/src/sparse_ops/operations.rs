//! The operations on burn's tape.

use super::batch::SparseBatch;
use super::products::Products;
use super::readers::Readers;
use super::sums;
use super::table::{Gradients as RowsOfTable, RowGradients, Table};
use crate::flex::{has_gradients, on_tape, tensor, values};
use crate::leaf::InstructionSet;
use burn::backend::Flex;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops};
use burn::backend::flex::FlexTensor;
use burn::tensor::{Tensor, TensorData};
use std::sync::{Arc, PoisonError};

fn keep(slot: &RowsOfTable, gradients: RowGradients) {
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = gradients;
}

/// `[B, width]`: the bias and the embeddings of each position's features, summed and activated.
///
/// # Panics
/// If a feature is not below the table's number of rows, or the lists do not fit together.
pub(crate) fn embedded(
    table: &Table,
    bias: Tensor<1>,
    batch: &Arc<SparseBatch>,
    n_threads: usize,
) -> Tensor<2> {
    let [n_rows, width] = table.dims();
    batch.positions().check(n_rows);
    let sizes = [batch.n_positions(), width];
    let device = bias.device();
    let forward = |bias: &[f32]| {
        let rows = (table.values(), bias);
        sums::forward(rows, batch.positions(), InstructionSet::best(), n_threads)
    };
    if !has_gradients(&device) {
        let bias: Vec<f32> = bias.into_data().try_into_vec().expect("32-bit floats");
        return Tensor::from_data(TensorData::new(forward(&bias), sizes), &device);
    }
    on_tape(BackFromSums, bias, |bias| {
        let output = tensor(forward(values(&bias)), sizes);
        let state = SumsState {
            batch: batch.clone(),
            output: output.clone(),
            gradients: table.shared().1,
            n_rows,
            n_threads,
        };
        (output, state)
    })
}

/// The square of values limited to 0..=1, with [`LEAK`](super::LEAK) in the backward pass.
pub(crate) fn activated(inputs: Tensor<2>) -> Tensor<2> {
    if !has_gradients(&inputs.device()) {
        return inputs.clamp(0.0, 1.0).powi_scalar(2);
    }
    let sizes = inputs.dims();
    on_tape(BackFromActivation, inputs, |inputs| {
        let mut output = values(&inputs).to_vec();
        sums::activate(InstructionSet::best(), &mut output);
        (tensor(output, sizes), inputs)
    })
}

#[derive(Debug)]
struct BackFromActivation;

impl Backward<Flex, 1> for BackFromActivation {
    type State = FlexTensor;

    fn backward(
        self,
        ops: Ops<FlexTensor, 1>,
        gradients: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let inputs = ops.state;
        let mut gradient = gradients.consume::<Flex>(&ops.node).to_contiguous();
        sums::activate_back(
            InstructionSet::best(),
            gradient.storage_mut(),
            values(&inputs),
        );
        if let [Some(node)] = ops.parents {
            gradients.register::<Flex>(node.id, gradient);
        }
    }
}

#[derive(Debug)]
struct BackFromSums;

#[derive(Clone, Debug)]
struct SumsState {
    batch: Arc<SparseBatch>,
    output: FlexTensor,
    gradients: RowsOfTable,
    n_rows: usize,
    n_threads: usize,
}

impl Backward<Flex, 1> for BackFromSums {
    type State = SumsState;

    fn backward(
        self,
        ops: Ops<SumsState, 1>,
        gradients: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let state = ops.state;
        let mut gradient = gradients.consume::<Flex>(&ops.node).to_contiguous();
        let [_, width] = state.output.layout().shape().dims::<2>();
        let (rows, bias) = sums::backward(
            gradient.storage_mut(),
            values(&state.output),
            Readers::of(state.batch.positions(), state.n_rows),
            InstructionSet::best(),
            (width, state.n_threads),
        );
        keep(&state.gradients, rows);
        if let [Some(node)] = ops.parents {
            gradients.register::<Flex>(node.id, tensor(bias, [width]));
        }
    }
}

/// `[B, L]`: the products of each position's hidden layer, `[B, width]`, with the sum of the rows of
/// each of its actions.
///
/// # Panics
/// If a feature is not below the table's number of rows, or the lists do not fit together.
pub(crate) fn action_logits(
    table: &Table,
    hidden: Tensor<2>,
    batch: &Arc<SparseBatch>,
    n_threads: usize,
) -> Tensor<2> {
    let [n_rows, width] = table.dims();
    let [n_positions, n_hidden] = hidden.dims();
    batch.actions().check(n_rows);
    assert_eq!(n_hidden, width, "width of the hidden layer");
    let sizes = [n_positions, batch.n_actions];
    assert_eq!(
        batch.actions().len(),
        sizes[0] * sizes[1],
        "lists of actions"
    );
    let device = hidden.device();
    if !has_gradients(&device) {
        let hidden: Vec<f32> = hidden.into_data().try_into_vec().expect("32-bit floats");
        let logits = products(table.values(), &hidden, batch, (width, n_threads)).forward();
        return Tensor::from_data(TensorData::new(logits, sizes), &device);
    }
    on_tape(BackFromProducts, hidden, |hidden| {
        let products = products(table.values(), values(&hidden), batch, (width, n_threads));
        let output = tensor(products.forward(), sizes);
        let (values, gradients) = table.shared();
        let state = ProductsState {
            batch: batch.clone(),
            values,
            hidden,
            gradients,
            n_threads,
        };
        (output, state)
    })
}

fn products<'a>(
    values: &'a [f32],
    hidden: &'a [f32],
    batch: &'a SparseBatch,
    (width, n_threads): (usize, usize),
) -> Products<'a> {
    Products {
        values,
        hidden,
        width,
        n_actions: batch.n_actions,
        lists: batch.actions(),
        instructions: InstructionSet::best(),
        n_threads,
    }
}

#[derive(Debug)]
struct BackFromProducts;

#[derive(Clone, Debug)]
struct ProductsState {
    batch: Arc<SparseBatch>,
    values: Arc<Vec<f32>>,
    hidden: FlexTensor,
    gradients: RowsOfTable,
    n_threads: usize,
}

impl Backward<Flex, 1> for BackFromProducts {
    type State = ProductsState;

    fn backward(
        self,
        ops: Ops<ProductsState, 1>,
        gradients: &mut Gradients,
        _checkpointer: &mut Checkpointer,
    ) {
        let state = ops.state;
        let gradient = gradients.consume::<Flex>(&ops.node).to_contiguous();
        let [n_positions, width] = state.hidden.layout().shape().dims::<2>();
        let hidden = values(&state.hidden);
        let sizes = (width, state.n_threads);
        let products = products(&state.values, hidden, &state.batch, sizes);
        keep(&state.gradients, products.row_gradients(values(&gradient)));
        if let [Some(node)] = ops.parents {
            let back = products.hidden_gradient(values(&gradient));
            gradients.register::<Flex>(node.id, tensor(back, [n_positions, width]));
        }
    }
}

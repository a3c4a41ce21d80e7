//! The operations on burn's tape.

use super::batch::SparseBatch;
use super::products::Products;
use super::readers::Readers;
use super::sums;
use super::table::{Gradients as RowsOfTable, RowGradients, Table};
use crate::flex::{BackwardPass, has_gradients, on_tape, primitive, tensor, values};
use crate::leaf::InstructionSet;
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
    return_slope: f32,
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
    on_tape([primitive(bias)], |[bias]| {
        let output = tensor(forward(values(&bias)), sizes);
        let back = BackFromSums {
            batch: batch.clone(),
            output: output.clone(),
            gradients: table.shared().1,
            n_rows,
            return_slope,
            n_threads,
        };
        (output, back)
    })
}

/// The square of values limited to 0..=1. In the backward pass the slope outside is `return_slope`, for
/// gradients that lead back inside.
pub(crate) fn activated(inputs: Tensor<2>, return_slope: f32) -> Tensor<2> {
    if !has_gradients(&inputs.device()) {
        return inputs.clamp(0.0, 1.0).powi_scalar(2);
    }
    let sizes = inputs.dims();
    on_tape([primitive(inputs)], |[inputs]| {
        let mut output = values(&inputs).to_vec();
        sums::activate(InstructionSet::best(), &mut output);
        let back = BackFromActivation {
            inputs,
            return_slope,
        };
        (tensor(output, sizes), back)
    })
}

#[derive(Clone, Debug)]
struct BackFromActivation {
    inputs: FlexTensor,
    return_slope: f32,
}

impl BackwardPass<1> for BackFromActivation {
    fn input_gradients(self, mut gradient: FlexTensor) -> [FlexTensor; 1] {
        let (inputs, slope) = (values(&self.inputs), self.return_slope);
        sums::activate_back(
            InstructionSet::best(),
            gradient.storage_mut(),
            inputs,
            slope,
        );
        [gradient]
    }
}

#[derive(Clone, Debug)]
struct BackFromSums {
    batch: Arc<SparseBatch>,
    output: FlexTensor,
    gradients: RowsOfTable,
    n_rows: usize,
    return_slope: f32,
    n_threads: usize,
}

impl BackwardPass<1> for BackFromSums {
    fn input_gradients(self, mut gradient: FlexTensor) -> [FlexTensor; 1] {
        let [_, width] = self.output.layout().shape().dims::<2>();
        let (rows, bias) = sums::backward(
            gradient.storage_mut(),
            values(&self.output),
            Readers::of(self.batch.positions(), self.n_rows),
            InstructionSet::best(),
            self.return_slope,
            (width, self.n_threads),
        );
        keep(&self.gradients, rows);
        [tensor(bias, [width])]
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
    on_tape([primitive(hidden)], |[hidden]| {
        let products = products(table.values(), values(&hidden), batch, (width, n_threads));
        let output = tensor(products.forward(), sizes);
        let (values, gradients) = table.shared();
        let back = BackFromProducts {
            batch: batch.clone(),
            values,
            hidden,
            gradients,
            n_threads,
        };
        (output, back)
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

#[derive(Clone, Debug)]
struct BackFromProducts {
    batch: Arc<SparseBatch>,
    values: Arc<Vec<f32>>,
    hidden: FlexTensor,
    gradients: RowsOfTable,
    n_threads: usize,
}

impl BackwardPass<1> for BackFromProducts {
    fn input_gradients(self, gradient: FlexTensor) -> [FlexTensor; 1] {
        let [n_positions, width] = self.hidden.layout().shape().dims::<2>();
        let hidden = values(&self.hidden);
        let products = products(&self.values, hidden, &self.batch, (width, self.n_threads));
        let gradient = values(&gradient);
        keep(&self.gradients, products.row_gradients(gradient));
        let gradient = products.hidden_gradient(gradient);
        [tensor(gradient, [n_positions, width])]
    }
}

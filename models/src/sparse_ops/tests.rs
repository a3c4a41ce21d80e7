//! The operations against burn's own on whole tables.

use super::{RETURN_SLOPE, SparseBatch, Table, action_logits, activated, embedded};
use burn::tensor::{Device, Int, Tensor, TensorData};
use rand::RngExt;
use std::sync::Arc;
use tablero_env::random::stream;

const N_POSITIONS: usize = 5;
const N_ACTIONS: usize = 3;
const N_ROWS: usize = 9;

/// Numbers in -1..1.
fn numbers(purpose: &str, n: usize) -> Vec<f32> {
    let mut rng = stream(3, purpose, n as u64);
    (0..n).map(|_| rng.random_range(-1.0..1.0)).collect()
}

/// Lists of 0 to 4 rows, some of them more than once.
fn lists(purpose: &str, n: usize) -> (Vec<u32>, Vec<u32>) {
    let mut rng = stream(4, purpose, 0);
    let (mut values, mut ends) = (Vec::new(), Vec::new());
    for list in 0..n {
        let length = list % 5;
        values.extend((0..length).map(|_| rng.random_range(0..N_ROWS as u32)));
        ends.push(values.len() as u32);
    }
    (values, ends)
}

fn batch() -> Arc<SparseBatch> {
    let (features, ends) = lists("positions", N_POSITIONS);
    let (action_features, action_ends) = lists("actions", N_POSITIONS * N_ACTIONS);
    Arc::new(SparseBatch {
        n_actions: N_ACTIONS,
        features,
        ends,
        action_features,
        action_ends,
    })
}

/// The sum of each list's rows, by burn: `[lists, width]`.
fn summed(table: &Tensor<2>, values: &[u32], ends: &[u32]) -> Tensor<2> {
    let [_, width] = table.dims();
    let mut start = 0;
    let sums = ends.iter().map(|&end| {
        let rows: Vec<i64> = values[start..end as usize]
            .iter()
            .map(|&row| row.into())
            .collect();
        start = end as usize;
        if rows.is_empty() {
            return Tensor::zeros([1, width], &table.device());
        }
        let n = rows.len();
        let rows = Tensor::<1, Int>::from_data(TensorData::new(rows, [n]), &table.device());
        table.clone().select(0, rows).sum_dim(0)
    });
    Tensor::cat(sums.collect(), 0)
}

fn values<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_into_vec().unwrap()
}

fn assert_close(ours: &[f32], theirs: &[f32]) {
    assert_eq!(ours.len(), theirs.len());
    for (a, b) in ours.iter().zip(theirs) {
        assert!((a - b).abs() < 1e-5, "{a} is not {b}");
    }
}

/// The gradients of a table's rows, all of them.
fn all_rows(table: &Table) -> Vec<f32> {
    let [n_rows, width] = table.dims();
    let gradients = table.take_gradients();
    assert!(gradients.rows.is_sorted());
    let mut all = vec![0.0; n_rows * width];
    for (&row, values) in gradients
        .rows
        .iter()
        .zip(gradients.values.chunks_exact(width))
    {
        all[row as usize * width..][..width].copy_from_slice(values);
    }
    all
}

/// The activation, whose outputs a loss multiplies by `factors`, which are so their gradients.
fn activated_by_burn(inputs: Tensor<2>, factors: Tensor<2>, return_slope: f32) -> Tensor<2> {
    let at = inputs.clone().detach();
    let (below, above) = (
        at.clone().lower_equal_elem(0),
        at.clone().greater_equal_elem(1),
    );
    let inside = below.clone().bool_or(above.clone()).bool_not();
    let up = factors.clone().lower_elem(0).bool_and(below);
    let down = factors.greater_elem(0).bool_and(above);
    let slopes = inside.float() * at.clone() * 2 + up.bool_or(down).float() * return_slope;
    // Forward, the second term is nothing.
    at.clamp(0.0, 1.0).powi_scalar(2) + (inputs.clone() - inputs.detach()) * slopes
}

#[test]
fn the_activation_is_that_of_burn_bit_for_bit_there_and_back() {
    let device = Device::flex().autodiff();
    let inputs = [
        -0.5, -0.0, 0.0, 1e-30, 0.3, 0.9, 1.0, 1.5, -2.0, 0.7, -1.0, 1.25, 3.0, -3.0,
    ];
    let factors: Tensor<2> = Tensor::from_data(
        TensorData::new(numbers("slopes", inputs.len()), [1, inputs.len()]),
        &device,
    );
    let run = |activated: &dyn Fn(Tensor<2>) -> Tensor<2>| {
        let inputs = Tensor::<2>::from_floats([inputs], &device).require_grad();
        let outputs = activated(inputs.clone());
        let gradients = outputs.clone().mul(factors.clone()).sum().backward();
        (values(outputs), values(inputs.grad(&gradients).unwrap()))
    };
    for slope in [RETURN_SLOPE, 0.025] {
        let ours = |inputs| activated(inputs, slope);
        let by_burn = |inputs| activated_by_burn(inputs, factors.clone(), slope);
        assert_eq!(run(&ours), run(&by_burn));
        let plain = ours(Tensor::from_floats([inputs], &Device::flex()));
        assert_eq!(values(plain), run(&ours).0);
    }
}

#[test]
fn sums_of_rows_are_those_of_burn_there_and_back() {
    const WIDTH: usize = 16;
    let device = Device::flex().autodiff();
    let batch = batch();
    let row_values = numbers("table", N_ROWS * WIDTH);
    let bias = || {
        let data = TensorData::new(numbers("bias", WIDTH), [WIDTH]);
        Tensor::<1>::from_data(data, &device).require_grad()
    };
    let factors = TensorData::new(
        numbers("factors", N_POSITIONS * WIDTH),
        [N_POSITIONS, WIDTH],
    );
    let factors = Tensor::<2>::from_data(factors, &device);

    let whole = TensorData::new(row_values.clone(), [N_ROWS, WIDTH]);
    let (whole, their_bias) = (
        Tensor::<2>::from_data(whole, &device).require_grad(),
        bias(),
    );
    let theirs = summed(&whole, &batch.features, &batch.ends) + their_bias.clone().unsqueeze();
    let theirs = activated_by_burn(theirs, factors.clone(), 0.25);
    let gradients = theirs.clone().mul(factors.clone()).sum().backward();
    let theirs = values(theirs);
    let row_gradients = values(whole.grad(&gradients).unwrap());
    let bias_gradient = values(their_bias.grad(&gradients).unwrap());

    let mut bits = Vec::new();
    for n_threads in [1, 2, 7] {
        let (table, our_bias) = (Table::new([N_ROWS, WIDTH], row_values.clone()), bias());
        let ours = embedded(&table, our_bias.clone(), &batch, 0.25, n_threads);
        let gradients = ours.clone().mul(factors.clone()).sum().backward();
        assert_close(&values(ours), &theirs);
        assert_close(&values(our_bias.grad(&gradients).unwrap()), &bias_gradient);
        let rows = all_rows(&table);
        assert_close(&rows, &row_gradients);
        bits.push(rows);
        let on_plain_device = Tensor::from_data(our_bias.into_data(), &Device::flex());
        let plain = embedded(&table, on_plain_device, &batch, 0.25, n_threads);
        assert_close(&values(plain), &theirs);
    }
    assert!(bits.iter().all(|rows| *rows == bits[0]));
}

#[test]
fn logits_of_actions_are_those_of_burn_there_and_back() {
    // No multiple of a vector's length.
    const WIDTH: usize = 13;
    let device = Device::flex().autodiff();
    let batch = batch();
    let row_values = numbers("table", N_ROWS * WIDTH);
    let hidden = || {
        let data = TensorData::new(numbers("hidden", N_POSITIONS * WIDTH), [N_POSITIONS, WIDTH]);
        Tensor::<2>::from_data(data, &device).require_grad()
    };
    let sizes = [N_POSITIONS, N_ACTIONS];
    let factors = TensorData::new(numbers("factors", N_POSITIONS * N_ACTIONS), sizes);
    let factors = Tensor::<2>::from_data(factors, &device);

    let whole = TensorData::new(row_values.clone(), [N_ROWS, WIDTH]);
    let (whole, their_hidden) = (
        Tensor::<2>::from_data(whole, &device).require_grad(),
        hidden(),
    );
    let sums = summed(&whole, &batch.action_features, &batch.action_ends);
    let sums = sums.reshape([N_POSITIONS, N_ACTIONS, WIDTH]);
    let theirs = sums
        .matmul(their_hidden.clone().unsqueeze_dim(2))
        .squeeze_dim::<2>(2);
    let gradients = theirs.clone().mul(factors.clone()).sum().backward();
    let theirs = values(theirs);
    let row_gradients = values(whole.grad(&gradients).unwrap());
    let hidden_gradient = values(their_hidden.grad(&gradients).unwrap());

    let mut bits = Vec::new();
    for n_threads in [1, 2, 7] {
        let (table, our_hidden) = (Table::new([N_ROWS, WIDTH], row_values.clone()), hidden());
        let ours = action_logits(&table, our_hidden.clone(), &batch, n_threads);
        let gradients = ours.clone().mul(factors.clone()).sum().backward();
        assert_close(&values(ours), &theirs);
        assert_close(
            &values(our_hidden.grad(&gradients).unwrap()),
            &hidden_gradient,
        );
        let rows = all_rows(&table);
        assert_close(&rows, &row_gradients);
        bits.push(rows);
        let on_plain_device = Tensor::from_data(our_hidden.into_data(), &Device::flex());
        let plain = action_logits(&table, on_plain_device, &batch, n_threads);
        assert_close(&values(plain), &theirs);
    }
    assert!(bits.iter().all(|rows| *rows == bits[0]));
}

#[test]
#[should_panic(expected = "feature 9 of 8")]
fn a_feature_that_is_not_there_is_refused() {
    let batch = SparseBatch {
        features: vec![8],
        ends: vec![1],
        ..SparseBatch::default()
    };
    let table = Table::new([8, 16], vec![0.0; 128]);
    let _ = embedded(
        &table,
        Tensor::zeros([16], &Device::flex()),
        &Arc::new(batch),
        RETURN_SLOPE,
        1,
    );
}

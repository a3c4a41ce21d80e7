//! Products of hidden layers with sums of rows, there and back.

use super::batch::Lists;
use super::readers::Readers;
use super::table::RowGradients;
use super::threads::{in_parallel, pieces, ranges};
use crate::leaf::InstructionSet;
use crate::vectorized::vectorized;

/// Lanes in which products are summed.
const LANES: usize = 8;

/// What both ways read.
#[derive(Clone, Copy)]
pub(super) struct Products<'a> {
    /// `[rows, width]`.
    pub values: &'a [f32],
    /// `[B, width]`: the hidden layer of each position.
    pub hidden: &'a [f32],
    pub width: usize,
    /// L: the lists of position p are number `p * L` to `p * L + L`.
    pub n_actions: usize,
    pub lists: Lists<'a>,
    pub instructions: InstructionSet,
    pub n_threads: usize,
}

impl Products<'_> {
    fn n_positions(&self) -> usize {
        self.hidden.len() / self.width
    }

    fn hidden_of(&self, position: usize) -> &[f32] {
        &self.hidden[position * self.width..][..self.width]
    }

    /// `[B, L]`: the product of each list's sum of rows with its position's hidden layer.
    pub fn forward(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.lists.len()];
        let ranges = ranges(self.n_positions(), self.n_threads);
        let pieces = pieces(&mut out, &ranges, self.n_actions);
        let parts = ranges.iter().cloned().zip(pieces).collect();
        in_parallel(parts, |(range, out): (_, &mut [f32])| {
            let first = range.start * self.n_actions;
            for (index, out) in out.iter_mut().enumerate() {
                let list = first + index;
                let hidden = self.hidden_of(list / self.n_actions);
                let rows = self.lists.get(list);
                add_products(self.instructions, out, self.values, rows, hidden);
            }
        });
        out
    }

    /// The gradient of the hidden layers, `[B, width]`, from that of the products, `[B, L]`.
    pub fn hidden_gradient(&self, gradient: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; self.hidden.len()];
        let ranges = ranges(self.n_positions(), self.n_threads);
        let pieces = pieces(&mut out, &ranges, self.width);
        let parts = ranges.iter().cloned().zip(pieces).collect();
        in_parallel(
            parts,
            |(range, out): (std::ops::Range<usize>, &mut [f32])| {
                let (first, n) = (range.start * self.n_actions, self.n_actions.max(1));
                let gradients = gradient[first..].chunks_exact(n);
                let positions = out.chunks_exact_mut(self.width).zip(gradients).enumerate();
                for (position, (out, gradients)) in positions {
                    let first = first + position * n;
                    for (action, &gradient) in gradients.iter().enumerate() {
                        for &row in self.lists.get(first + action) {
                            let row = &self.values[row as usize * self.width..][..self.width];
                            add_scaled(self.instructions, out, row, gradient);
                        }
                    }
                }
            },
        );
        out
    }

    /// The gradients of the rows, from that of the products.
    pub fn row_gradients(&self, gradient: &[f32]) -> RowGradients {
        let readers = Readers::of(self.lists, self.values.len() / self.width);
        let mut values = vec![0.0; readers.rows.len() * self.width];
        let ranges = readers.parts(self.n_threads);
        let pieces = pieces(&mut values, &ranges, self.width);
        let parts = ranges.iter().cloned().zip(pieces).collect();
        in_parallel(
            parts,
            |(range, values): (std::ops::Range<usize>, &mut [f32])| {
                for (out, index) in values.chunks_exact_mut(self.width).zip(range) {
                    for &list in readers.of_row(index) {
                        let list = list as usize;
                        let hidden = self.hidden_of(list / self.n_actions);
                        add_scaled(self.instructions, out, hidden, gradient[list]);
                    }
                }
            },
        );
        let rows = readers.rows;
        RowGradients { rows, values }
    }
}

vectorized! {
    /// Adds the products of some rows with a vector.
    fn add_products(sum: &mut f32, values: &[f32], rows: &[u32], vector: &[f32]) {
        let (vector_lanes, vector_rest) = vector.as_chunks::<LANES>();
        let mut sums = [0.0; LANES];
        for &row in rows {
            let row = &values[row as usize * vector.len()..][..vector.len()];
            let (lanes, rest) = row.as_chunks::<LANES>();
            for (a, b) in lanes.iter().zip(vector_lanes) {
                for lane in 0..LANES {
                    sums[lane] += a[lane] * b[lane];
                }
            }
            for (lane, (a, b)) in rest.iter().zip(vector_rest).enumerate() {
                sums[lane] += a * b;
            }
        }
        *sum += sums.iter().sum::<f32>();
    }
}

vectorized! {
    fn add_scaled(sum: &mut [f32], row: &[f32], factor: f32) {
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += factor * value;
        }
    }
}

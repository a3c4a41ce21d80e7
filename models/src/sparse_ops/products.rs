//! Products of hidden layers with sums of rows, there and back.

use super::batch::Lists;
use super::readers::Readers;
use super::table::RowGradients;
use super::threads::{in_parallel, pieces, ranges};
use crate::leaf::InstructionSet;
use crate::vectorized::vectorized;
use std::ops::Range;

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

    #[inline(always)]
    fn hidden_of(&self, list: usize) -> &[f32] {
        let position = list / self.n_actions;
        &self.hidden[position * self.width..][..self.width]
    }

    #[inline(always)]
    fn row(&self, row: u32) -> &[f32] {
        &self.values[row as usize * self.width..][..self.width]
    }

    /// Cuts `out` into parts of `ranges`, `width` values each, and has each filled by a thread.
    fn fill(
        &self,
        out: &mut [f32],
        ranges: &[Range<usize>],
        width: usize,
        fill: impl Fn(InstructionSet, Range<usize>, &mut [f32]) + Sync,
    ) {
        let parts = ranges.iter().cloned().zip(pieces(out, ranges, width));
        in_parallel(parts.collect(), |(range, out)| {
            fill(self.instructions, range, out);
        });
    }

    /// `[B, L]`: the product of each list's sum of rows with its position's hidden layer.
    pub fn forward(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.lists.len()];
        let ranges = ranges(self.lists.len(), self.n_threads);
        self.fill(&mut out, &ranges, 1, |instructions, lists, out| {
            multiply(instructions, self, lists.start, out);
        });
        out
    }

    /// The gradient of the hidden layers, `[B, width]`, from that of the products, `[B, L]`.
    pub fn hidden_gradient(&self, gradient: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; self.hidden.len()];
        let ranges = ranges(self.n_positions(), self.n_threads);
        self.fill(&mut out, &ranges, self.width, |instructions, range, out| {
            add_scaled_rows(instructions, self, gradient, range.start, out);
        });
        out
    }

    /// The gradients of the rows, from that of the products.
    pub fn row_gradients(&self, gradient: &[f32]) -> RowGradients {
        let readers = Readers::of(self.lists, self.values.len() / self.width);
        let mut values = vec![0.0; readers.rows.len() * self.width];
        let ranges = readers.parts(self.n_threads);
        self.fill(
            &mut values,
            &ranges,
            self.width,
            |instructions, range, out| {
                add_scaled_layers(instructions, self, &readers, gradient, range.start, out);
            },
        );
        let rows = readers.rows;
        RowGradients { rows, values }
    }
}

vectorized! {
    /// The products of the lists from number `first` on.
    fn multiply(products: &Products<'_>, first: usize, out: &mut [f32]) {
        for (index, out) in out.iter_mut().enumerate() {
            let list = first + index;
            let (vector, vector_rest) = products.hidden_of(list).as_chunks::<LANES>();
            let mut sums = [0.0; LANES];
            for &row in products.lists.get(list) {
                let (lanes, rest) = products.row(row).as_chunks::<LANES>();
                for (a, b) in lanes.iter().zip(vector) {
                    for lane in 0..LANES {
                        sums[lane] += a[lane] * b[lane];
                    }
                }
                for (sum, (a, b)) in sums.iter_mut().zip(rest.iter().zip(vector_rest)) {
                    *sum += a * b;
                }
            }
            *out = sums.iter().sum();
        }
    }
}

vectorized! {
    /// Adds to the gradient of each position's hidden layer, from number `first` on, the rows that it
    /// was multiplied with.
    fn add_scaled_rows(products: &Products<'_>, gradient: &[f32], first: usize, out: &mut [f32]) {
        for (index, out) in out.chunks_exact_mut(products.width).enumerate() {
            let lists = (first + index) * products.n_actions;
            let gradients = &gradient[lists..][..products.n_actions];
            for (action, &factor) in gradients.iter().enumerate() {
                for &row in products.lists.get(lists + action) {
                    add_scaled(out, products.row(row), factor);
                }
            }
        }
    }
}

vectorized! {
    /// Adds to the gradient of each row, from the place `first` on, the hidden layers that it was
    /// multiplied with.
    fn add_scaled_layers(
        products: &Products<'_>,
        readers: &Readers,
        gradient: &[f32],
        first: usize,
        out: &mut [f32],
    ) {
        for (index, out) in out.chunks_exact_mut(products.width).enumerate() {
            for &list in readers.of_row(first + index) {
                let list = list as usize;
                add_scaled(out, products.hidden_of(list), gradient[list]);
            }
        }
    }
}

#[inline(always)]
fn add_scaled(sum: &mut [f32], row: &[f32], factor: f32) {
    for (sum, value) in sum.iter_mut().zip(row) {
        *sum += factor * value;
    }
}

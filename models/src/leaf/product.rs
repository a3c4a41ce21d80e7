//! The one operation under every layer: rows times a matrix.
//!
//! A row is a position (dense layers) or one cell of one position (convolutions). Each output is
//! its bias plus the products of its row, summed in ascending order of the row's elements,
//! whatever the other rows are and however many: so results do not depend on the batch. A sum
//! that waits in memory between two passes over the weights keeps its bits.

use super::panels::{Block, Product, Rows};
use super::{InstructionSet, portable};

/// Lanes of a panel that one pass takes up, so that those of two panels stay in a first-level
/// cache of 32 KiB while all rows pass by.
const PASS_LANES: usize = 192;

impl Product {
    /// Computes all rows.
    ///
    /// # Panics
    /// If a row reaches out of `input` or `output`, or this machine lacks the instructions.
    pub fn apply(&self, instructions: InstructionSet, rows: &mut Rows<'_>) {
        let reach = |starts: &[usize], stride: usize, length: usize| {
            starts.iter().max().map_or(0, |last| last * stride + length)
        };
        let row_len = (self.n_segments - 1) * rows.segment_stride + self.segment_len;
        let n_outputs = self.n_padded_outputs();
        assert_eq!(rows.inputs.len(), rows.outputs.len());
        assert!(reach(rows.inputs, rows.input_stride, row_len) <= rows.input.len());
        assert!(reach(rows.outputs, n_outputs, n_outputs) <= rows.output.len());
        match instructions {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => {
                assert!(instructions.is_available());
                let limits = |n_rows| (8, if n_rows > 5 { 3 } else { 4 });
                // SAFETY: the rows are in bounds and the machine has AVX-512F.
                self.each_block(rows, limits, |block, rows| unsafe {
                    super::avx512::compute(self, block, rows);
                });
            }
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => {
                assert!(instructions.is_available());
                let limits = |n_rows| match n_rows {
                    1 => (1, 4),
                    2 => (2, 2),
                    _ => (6, 1),
                };
                // SAFETY: the rows are in bounds and the machine has AVX2 and FMA.
                self.each_block(rows, limits, |block, rows| unsafe {
                    super::avx2::compute(self, block, rows);
                });
            }
            _ => self.each_block(
                rows,
                |_| (2, 1),
                |block, rows| {
                    portable::compute(self, block, rows);
                },
            ),
        }
    }

    /// Divides all outputs evenly into blocks of at most the rows and panels that `limits` gives
    /// for a number of rows.
    fn each_block(
        &self,
        rows: &mut Rows<'_>,
        limits: impl Fn(usize) -> (usize, usize),
        mut compute: impl FnMut(Block, &mut Rows<'_>),
    ) {
        let n_rows = rows.inputs.len();
        let (max_rows, max_panels) = limits(n_rows);
        let max_segments = if n_rows > max_rows {
            (PASS_LANES / self.segment_len).max(1)
        } else {
            // A single block of rows passes by once.
            self.n_segments
        };
        for (first_panel, n_panels) in even_parts(self.n_panels, max_panels) {
            for (first_segment, n_segments) in even_parts(self.n_segments, max_segments) {
                for (first_row, n_rows) in even_parts(n_rows, max_rows) {
                    let block = Block {
                        first_row,
                        n_rows,
                        first_panel,
                        n_panels,
                        first_segment,
                        n_segments,
                    };
                    compute(block, rows);
                }
            }
        }
    }
}

/// Divides `0..total` into the fewest parts of at most `max`, as equal as can be: (start, length).
pub(crate) fn even_parts(total: usize, max: usize) -> impl Iterator<Item = (usize, usize)> {
    let n_parts = total.div_ceil(max);
    let mut start = 0;
    (0..n_parts).map(move |part| {
        let length = total / n_parts + usize::from(part < total % n_parts);
        start += length;
        (start - length, length)
    })
}

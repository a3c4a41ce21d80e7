//! The one operation under every layer: rows times a matrix.
//!
//! A row is a position (dense layers) or one cell of one position (convolutions). Each output is
//! its bias plus the products of its row, summed in ascending order of the row's elements,
//! whatever the other rows are and however many: so results do not depend on the batch. A sum
//! that waits in memory between two passes over the weights keeps its bits.

use super::{InstructionSet, portable};

/// Outputs are computed in panels of so many.
pub(crate) const PANEL: usize = 16;

/// Lanes of a panel that one pass takes up, so that those of two panels stay in a first-level
/// cache of 32 KiB while all rows pass by.
const PASS_LANES: usize = 192;

/// One vector of a panel, on a cache line of its own.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Lane(pub [f32; PANEL]);

/// A matrix and a bias, packed for the kernels.
///
/// A row consists of `n_segments` pieces of `segment_len` consecutive elements: one for a dense
/// layer, three for a 3x3 convolution (three cells of a board row lie side by side), as many as
/// the board has cells for a dense layer over cells.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub n_segments: usize,
    pub segment_len: usize,
    pub n_panels: usize,
    /// `[n_panels][n_segments][segment_len]` lanes.
    pub weights: Vec<Lane>,
    /// `[n_panels]` lanes.
    pub bias: Vec<Lane>,
}

/// The rows that a [`Product`] is applied to, and where the results go.
pub(crate) struct Rows<'a> {
    pub input: &'a [f32],
    /// Where each row's first segment starts in `input`, in units of `input_stride`.
    pub inputs: &'a [usize],
    pub input_stride: usize,
    /// From one segment of a row to the next.
    pub segment_stride: usize,
    pub output: &'a mut [f32],
    /// Where each row's outputs start in `output`, in units of the padded outputs.
    pub outputs: &'a [usize],
    /// Whether the sums start from what `output` holds plus the bias, rather than the bias.
    pub accumulate: bool,
    /// Whether negative results become 0.
    pub relu: bool,
}

/// The block of outputs that a kernel computes at a time, and the part of their sums.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub first_row: usize,
    pub n_rows: usize,
    pub first_panel: usize,
    pub n_panels: usize,
    pub first_segment: usize,
    pub n_segments: usize,
}

impl Block {
    /// Whether the sums start here, and whether what the output holds counts.
    pub fn starts(&self) -> bool {
        self.first_segment == 0
    }

    /// Whether the sums are complete after it.
    pub fn completes(&self, product: &Product) -> bool {
        self.first_segment + self.n_segments == product.n_segments
    }
}

impl Product {
    /// Packs `weight(segment, index, output)` and `bias(output)` for `n_outputs` outputs.
    pub fn pack(
        [n_segments, segment_len, n_outputs]: [usize; 3],
        weight: impl Fn(usize, usize, usize) -> f32,
        bias: impl Fn(usize) -> f32,
    ) -> Product {
        let n_panels = n_outputs.div_ceil(PANEL);
        let lane = |panel: usize, value: &dyn Fn(usize) -> f32| {
            Lane(std::array::from_fn(|lane| {
                let output = panel * PANEL + lane;
                if output < n_outputs {
                    value(output)
                } else {
                    0.0
                }
            }))
        };
        let mut weights = Vec::with_capacity(n_panels * n_segments * segment_len);
        for panel in 0..n_panels {
            for segment in 0..n_segments {
                for index in 0..segment_len {
                    weights.push(lane(panel, &|output| weight(segment, index, output)));
                }
            }
        }
        Product {
            n_segments,
            segment_len,
            n_panels,
            weights,
            bias: (0..n_panels).map(|panel| lane(panel, &bias)).collect(),
        }
    }

    /// How many values a row of outputs takes: the outputs, padded to whole panels.
    pub fn n_padded_outputs(&self) -> usize {
        self.n_panels * PANEL
    }

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
        match instructions.in_f32() {
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

//! What the one operation works on: matrices packed in panels, rows, and blocks of outputs.

/// Outputs are computed in panels of so many.
pub(crate) const PANEL: usize = 16;

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
}

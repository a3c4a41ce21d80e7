//! What a kernel of the weight gradient takes at a time.

/// Rows of inputs and of output gradients.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub n_rows: usize,
    /// `[n_rows][n_inputs]`.
    pub input: &'a [f32],
    pub n_inputs: usize,
    /// `[n_rows][n_outputs]`.
    pub gradient: &'a [f32],
    /// Whole panels.
    pub n_outputs: usize,
}

/// The inputs and outputs that a kernel takes at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub first_input: usize,
    pub n_inputs: usize,
    pub first_output: usize,
    pub n_panels: usize,
}

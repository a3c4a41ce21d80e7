//! The moves of a position, as a selection rule sees them.

use crate::bounds::Cut;
use crate::tree::Edge;

/// The moves of one position, in the tree's order: those tried come first, the others follow by
/// falling prior. Both slices have one element a move, at least one.
#[derive(Clone, Copy)]
pub(crate) struct Moves<'a> {
    pub priors: &'a [f32],
    pub edges: &'a [Edge],
    /// Which of them need not be followed.
    pub cut: Cut,
    pub n_tried: usize,
}

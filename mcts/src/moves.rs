//! The moves of a position, as a selection rule sees them.

use crate::bounds::{Bounds, Cut};
use tablero_env::ForFirst;

/// The moves of one position, in the tree's order: those tried come first, the others follow by
/// falling prior. All slices have one element a move, at least one.
#[derive(Clone, Copy)]
pub(crate) struct Moves<'a> {
    pub priors: &'a [f32],
    pub n_visits: &'a [u32],
    pub values: &'a [ForFirst<f32>],
    pub bounds: &'a [Bounds],
    /// Which of them need not be followed.
    pub cut: Cut,
    pub n_tried: usize,
}

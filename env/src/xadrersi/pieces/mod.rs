//! The pieces: their kinds, what they attack, where the next may be placed, and what those on the
//! board count.

pub(super) mod attacks;
pub(super) mod kind;
pub(super) mod placements;
pub(super) mod scoring;

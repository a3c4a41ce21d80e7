//! The way of the ball: where it can run without a stop, and whether it can have run along the
//! segments that are drawn.

pub(super) mod trail;
pub(super) mod walk;

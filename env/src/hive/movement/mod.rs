//! How pieces come to their cells: from the hand, by the power of their kind, or by a throw; and why
//! they do not.

mod destinations;
mod mobility;
mod placements;
mod steps;
mod throws;

pub(super) mod ants;
pub(super) mod moves;
pub(super) mod pins;
pub(super) mod stuck;
pub(super) mod walks;

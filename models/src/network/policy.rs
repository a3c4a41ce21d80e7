//! The policy of a batch.

use burn::tensor::{Int, Tensor};

/// The logits of actions of B positions.
#[derive(Clone, Debug)]
pub enum PolicyLogits {
    /// `[B, L]`: one for each action that the batch lists.
    Listed(Tensor<2>),
    /// `[B, P * H * W]`: one for each policy slot.
    Slots(Tensor<2>),
}

impl PolicyLogits {
    /// The logits at some slots of each position.
    ///
    /// # Shapes
    /// `slots` is `[B, L]`, numbers below `P * H * W`; so is the result, `[B, L]`.
    ///
    /// # Panics
    /// If `slots` has another number of rows than there are positions, there is no such slot, or
    /// the logits are [listed](PolicyLogits::Listed) and have no slots.
    #[must_use]
    pub fn at(&self, slots: Tensor<2, Int>) -> Tensor<2> {
        match self {
            PolicyLogits::Listed(_) => panic!("the logits of listed actions have no slots"),
            PolicyLogits::Slots(logits) => logits.clone().gather(1, slots),
        }
    }
}

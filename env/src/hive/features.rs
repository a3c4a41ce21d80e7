#![doc = include_str!("../../features/hive.md")]

mod actions;
mod places;
mod position;
mod seen;

use crate::{FeatureImages, FeatureSizes};
pub(super) use actions::write_actions;
pub(super) use position::write_position;

pub(super) fn sizes() -> FeatureSizes {
    FeatureSizes {
        features: position::N_FEATURES,
        most_active: position::MOST_ACTIVE,
        action_features: actions::N_ACTION_FEATURES,
        most_active_of_action: actions::MOST_ACTIVE_OF_ACTION,
    }
}

/// What a symmetry makes of the features.
pub(super) fn images(symmetry: usize) -> FeatureImages {
    FeatureImages {
        features: position::images(symmetry),
        action_features: actions::images(symmetry),
    }
}

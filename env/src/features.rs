//! A position and its actions as short lists of facts, for networks that sum embeddings.

use crate::{ActionId, Encode};
use serde::{Deserialize, Serialize};

/// Levels of a plane's value that [`from_planes`] tells apart, 0 apart: eighths from -1 to 1.
pub(crate) const LEVELS: usize = 16;

/// How many features there are, and how many a position has at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureSizes {
    /// The number of features: each is below it.
    pub features: usize,
    /// The most features that one position has.
    pub most_active: usize,
    /// The number of action features: each is below it.
    pub action_features: usize,
    /// The most that one action has.
    pub most_active_of_action: usize,
}

/// The features of each of a list of actions.
///
/// ```
/// let mut actions = tablero_env::ActionFeatures::new();
/// actions.push([3, 5]);
/// actions.push([]);
/// actions.push([4]);
/// assert_eq!(actions.get(0), [3, 5]);
/// assert_eq!(actions.values(), [3, 5, 4]);
/// assert_eq!(actions.ends(), [2, 2, 3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionFeatures {
    values: Vec<u32>,
    ends: Vec<u32>,
}

impl ActionFeatures {
    /// No actions.
    #[must_use]
    pub fn new() -> Self {
        ActionFeatures::default()
    }

    /// Forgets all actions.
    pub fn clear(&mut self) {
        self.values.clear();
        self.ends.clear();
    }

    /// Adds the features of one action more.
    pub fn push(&mut self, features: impl IntoIterator<Item = u32>) {
        self.values.extend(features);
        self.ends.push(self.values.len() as u32);
    }

    /// The number of actions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no action.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of the action at a place of the list.
    ///
    /// # Panics
    /// If there are not so many actions.
    #[must_use]
    pub fn get(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.values[start as usize..self.ends[index] as usize]
    }

    /// The features of all actions, one action after another.
    #[must_use]
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Where the features of each action end in [`values`](Self::values): ascending, the last at
    /// its end.
    #[must_use]
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The features of each action, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|index| self.get(index))
    }
}

/// What a symmetry makes of each feature and of each action feature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureImages {
    /// The image of each feature.
    pub features: Vec<u32>,
    /// The image of each action feature.
    pub action_features: Vec<u32>,
}

/// Where each of some groups of numbers starts that follow one another, the first at `first`.
#[inline]
pub(crate) const fn group_starts<const N: usize>(first: usize, sizes: [usize; N]) -> [usize; N] {
    let mut starts = [first; N];
    let mut group = 1;
    while group < N {
        starts[group] = starts[group - 1] + sizes[group - 1];
        group += 1;
    }
    starts
}

/// A count as a fact: exactly below `limit`, then one of two numbers for its parity.
#[inline]
pub(crate) fn with_parity(count: usize, limit: usize) -> usize {
    if count < limit {
        count
    } else {
        limit + count % 2
    }
}

/// The place of a number among `size` numbers from `least` on; those beyond an end count as the end.
#[inline]
pub(crate) fn clamped(value: i32, least: i32, size: usize) -> usize {
    (value - least).clamp(0, size as i32 - 1) as usize
}

/// The sizes of [`from_planes`] and of policy slots.
pub(crate) fn sizes_from_planes<G: Encode>(game: &G) -> FeatureSizes {
    let n_cells = game.observation_shape().iter().product();
    FeatureSizes {
        features: n_cells * LEVELS,
        most_active: n_cells,
        action_features: game.n_policy_slots(),
        most_active_of_action: 1,
    }
}

/// A feature for each value of the planes that is not about 0, in eighths.
pub(crate) fn from_planes<G: Encode>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
    out: &mut Vec<u32>,
) {
    let mut planes = vec![0.0; game.observation_shape().iter().product()];
    game.write_observation_knowing(state, legal, &mut planes);
    out.clear();
    write_levels(&planes, out);
}

/// Fills `out` with the policy slots of the legal actions.
pub(crate) fn slots<G: Encode>(
    game: &G,
    state: &G::State,
    legal: &[ActionId],
    out: &mut ActionFeatures,
) {
    out.clear();
    for &action in legal {
        out.push([game.policy_slot(state, action) as u32]);
    }
}

/// Appends a feature for each value of some planes that is not about 0, in eighths.
pub(crate) fn write_levels(planes: &[f32], out: &mut Vec<u32>) {
    out.extend(planes.iter().enumerate().filter_map(|(cell, value)| {
        let level = (value * 8.0).round() as isize;
        let place = if level < 0 { level + 8 } else { level + 7 };
        (level != 0).then_some((cell * LEVELS) as u32 + place as u32)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{positions, stream};
    use crate::{AnyGame, games, with_game};

    #[test]
    fn planes_give_well_formed_features_in_every_game() {
        fn check<G: Encode>(game: &G) {
            let sizes = sizes_from_planes(game);
            let (mut legal, mut features) = (Vec::new(), vec![1]);
            for state in positions(game, stream(0, "features", 0)).take(60) {
                game.legal_actions(&state, &mut legal);
                from_planes(game, &state, &legal, &mut features);
                assert!(features.is_sorted_by(|a, b| a < b));
                assert!(features.iter().all(|&at| (at as usize) < sizes.features));
                assert!(features.len() <= sizes.most_active);
            }
        }
        for entry in games() {
            let any = AnyGame::parse(entry.name).unwrap();
            with_game!(&any, game => check(game));
        }
    }

    #[test]
    fn groups_follow_one_another() {
        assert_eq!(group_starts(7, [2, 0, 5]), [7, 9, 9]);
    }
}

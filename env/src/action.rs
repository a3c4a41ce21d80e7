use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of an action within its game, `0..Game::n_actions()`.
///
/// The table of numbers is part of each game's documentation and never changes within one
/// [`Game::rules_version`](crate::Game::rules_version).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct ActionId(pub u32);

impl ActionId {
    /// The number as an index into a mask or a table.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ActionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl From<usize> for ActionId {
    /// # Panics
    /// If `index` does not fit 32 bits; no game has so many actions.
    fn from(index: usize) -> Self {
        ActionId(u32::try_from(index).expect("an action id fits 32 bits"))
    }
}

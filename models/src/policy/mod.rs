//! A policy: a trained network that knows which game it plays, as a directory.
//!
//! | file | holds |
//! |---|---|
//! | `policy.json` | the [`PolicyManifest`], and length and CRC-32 of the other files |
//! | `weights.safetensors` | the [`Weights`] |
//! | `golden.json` | real positions of the game with the network's outputs |
//!
//! Loading checks all of it: that the files are whole, that this program plays the game by the
//! same rules with the same tensors, that the weights are those of the network, and that the
//! network still says the same about the golden positions.

mod directory;
mod error;
mod golden;
mod manifest;
mod zoo;

pub use error::PolicyError;
pub use golden::{GOLDEN_TOLERANCE, Golden, GoldenPosition};
pub use manifest::{Outputs, PolicyManifest};
pub use zoo::{ZOO, ZooEntry};

use crate::{LeafNetwork, NetworkConfig, NetworkShape, Precision, Weights, WeightsError};
use serde_json::{Map, Value};
use tablero_env::{BoardGame, Encode};

/// A trained network and what it was trained for.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The game, the network's form, and how it was trained.
    pub manifest: PolicyManifest,
    /// The network's tensors.
    pub weights: Weights,
    /// Positions of the game with what the network says about them.
    pub golden: Golden,
}

impl Policy {
    /// Describes a network for `game`, and evaluates its golden positions.
    ///
    /// `training` is a free summary, for people and tools.
    ///
    /// # Errors
    /// If the weights are not those of such a network, or a size is out of bounds.
    pub fn new<G: BoardGame>(
        game: &G,
        config: &NetworkConfig,
        weights: Weights,
        training: Map<String, Value>,
    ) -> Result<Policy, WeightsError> {
        let network = LeafNetwork::new(config, &NetworkShape::of(game), &weights)?;
        Ok(Policy {
            manifest: PolicyManifest::new(game, config, training),
            golden: Golden::new(game, network),
            weights,
        })
    }

    /// The network, packed for evaluation at a precision.
    ///
    /// # Errors
    /// If the weights were changed and are no longer those of the network.
    pub fn leaf_network(&self, precision: Precision) -> Result<LeafNetwork, WeightsError> {
        let manifest = &self.manifest;
        LeafNetwork::with_precision(&manifest.network, &manifest.shape, &self.weights, precision)
    }

    /// Checks that the policy is for this game: the same spec, rules and encoding.
    ///
    /// # Errors
    /// What differs.
    pub fn check_game<G: Encode>(&self, game: &G) -> Result<(), PolicyError> {
        self.manifest.check_game(game)
    }
}

//! A policy: a trained network that knows which game it plays, as a directory.
//!
//! | file | holds |
//! |---|---|
//! | `policy.json` | the [`PolicyManifest`], and length and CRC-32 of the other files |
//! | `weights.safetensors`, or `policy.onnx` | the [`Weights`], or the network with them: [`WeightsFormat`] |
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

pub use directory::WeightsFormat;
pub use error::PolicyError;
pub use golden::{GOLDEN_TOLERANCE, Golden, GoldenPosition};
pub use manifest::{Outputs, PolicyManifest};
pub use zoo::{ZOO, ZooEntry};

use crate::onnx::to_onnx;
use crate::{LeafNetwork, NetworkConfig, NetworkShape, SearchConfig, Weights, WeightsError};
use serde_json::{Map, Value};
use tablero_env::{AnyGame, BoardGame, Encode, with_game};

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
    /// `search` is how its agent searches where nothing else is said, `training` a free summary, for
    /// people and tools.
    ///
    /// # Errors
    /// If the weights are not those of such a network, a size is out of bounds, or what the network
    /// says is not finite.
    pub fn new<G: BoardGame>(
        game: &G,
        config: &NetworkConfig,
        weights: Weights,
        search: SearchConfig,
        training: Map<String, Value>,
    ) -> Result<Policy, WeightsError> {
        let network = LeafNetwork::new(config, &NetworkShape::of_network(game, config), &weights)?;
        let golden = Golden::new(game, network);
        if !golden.is_finite() {
            return Err(WeightsError::Diverged);
        }
        Ok(Policy {
            manifest: PolicyManifest::new(game, config, search, training),
            golden,
            weights,
        })
    }

    /// The network, packed for evaluation.
    ///
    /// # Errors
    /// If the weights were changed and are no longer those of the network.
    pub fn leaf_network(&self) -> Result<LeafNetwork, WeightsError> {
        let manifest = &self.manifest;
        LeafNetwork::new(&manifest.network, &manifest.shape, &self.weights)
    }

    /// The same network with other weights; its golden positions are evaluated anew.
    ///
    /// # Errors
    /// If the weights are not those of such a network.
    ///
    /// # Panics
    /// If the manifest was changed and names no game.
    pub fn with_weights(&self, weights: Weights) -> Result<Policy, WeightsError> {
        let manifest = &self.manifest;
        let game = AnyGame::parse(&manifest.game).expect("the game of a policy");
        let (search, training) = (manifest.search.clone(), manifest.training.clone());
        with_game!(&game, game => {
            Policy::new(game, &manifest.network, weights, search, training)
        })
    }

    /// The bytes of an `.onnx` file: the network as a model that ONNX runtimes evaluate, with all of
    /// `policy.json` but its checksums in the metadata `tablero`, and the game's spec in `game`.
    ///
    /// | tensor | shape | |
    /// |---|---|---|
    /// | input `observation` | `[batch, C, H, W]` | 32-bit floats: the position as its player to move sees it |
    /// | `policy_logits` | `[batch, P * H * W]` | a logit for each policy slot |
    /// | `wdl_logits` | `[batch, 3]` | of a win, a draw and a loss for the player to move |
    /// | `points_lead` | `[batch]` | where the game has points: the final lead of the player to move over [`NetworkShape::points_scale`] |
    ///
    /// A sparse network has other inputs, and lists the logits of the moves asked for:
    ///
    /// | tensor | shape | |
    /// |---|---|---|
    /// | input `features` | `[batch, features_of_position]` | 64-bit integers: the [features](tablero_env::Encode::write_features) of the position, in any order; shorter rows are filled up with -1 |
    /// | input `action_features` | `[batch, moves, features_of_move]` | 64-bit integers: those of each move, filled up likewise |
    /// | `policy_logits` | `[batch, moves]` | a logit for each move |
    ///
    /// The operators are ONNX's of version 17.
    ///
    /// # Panics
    /// If the weights were changed and are no longer those of the network.
    #[must_use]
    pub fn to_onnx(&self) -> Vec<u8> {
        let manifest = &self.manifest;
        let text = serde_json::to_string(manifest).expect("plain data with text keys");
        let metadata = [("game", manifest.game.clone()), ("tablero", text)];
        to_onnx(&manifest.network, &manifest.shape, &self.weights, &metadata)
            .expect("the weights of the network")
    }

    /// Checks that the policy is for this game: the same spec, rules and encoding.
    ///
    /// # Errors
    /// What differs.
    pub fn check_game<G: Encode>(&self, game: &G) -> Result<(), PolicyError> {
        self.manifest.check_game(game)
    }
}

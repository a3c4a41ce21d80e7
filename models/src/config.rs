//! Which network, and for which tensors: sizes with their bounds.

use serde::{Deserialize, Serialize};
use tablero_env::{Encode, FeatureSizes};

/// The most cells, planes times rows times columns, of an observation or of a policy.
pub const MAX_CELLS: usize = 1 << 17;

/// The most weights that the tables of a sparse network have: 256 MiB of them.
pub(crate) const MAX_TABLE: usize = 1 << 26;

/// The architecture of a network. In JSON and TOML it is tagged by `kind`:
/// `{"kind": "sparse", "width": 256, "hidden": [64]}`, `{"kind": "mlp", "hidden": [128, 128]}` or
/// `{"kind": "residual", "blocks": 4, "channels": 64}`.
///
/// ```
/// use tablero_models::NetworkConfig;
/// let config: NetworkConfig = serde_json::from_str(r#"{"kind":"mlp","hidden":[128,128]}"#)?;
/// assert_eq!(config, NetworkConfig::Mlp { hidden: vec![128, 128] });
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum NetworkConfig {
    /// A sum of embeddings, one for each [feature](Encode::write_features) of the position, and
    /// small dense layers over it, as in Nasu's "efficiently updatable" networks (2018). After the
    /// sum and after each dense layer each value x becomes the square of x limited to 0..=1. Only
    /// legal actions have a logit: the product of the last hidden layer with the sum of the
    /// embeddings of the action's features.
    ///
    /// Leaf evaluation calculates it in integers of 16 bits, one position at a time.
    Sparse {
        /// The width of an embedding: a multiple of 16, from 16 to 1024.
        width: usize,
        /// The width of each hidden layer: 1 to 3 layers of 1 to 256.
        hidden: Vec<usize>,
    },
    /// A multi-layer perceptron over the flattened observation: dense layers with ReLU, then one
    /// dense layer for each head.
    Mlp {
        /// The width of each hidden layer: 1 to 8 layers of 1 to 4096.
        hidden: Vec<usize>,
    },
    /// A residual convolution network (He et al., 2016; heads in the manner of Silver et al.,
    /// 2017): a 3x3 stem, blocks of two 3x3 convolutions with batch norm, a policy head of two 1x1
    /// convolutions, and a value head of one 1x1 convolution and two dense layers.
    Residual {
        /// Residual blocks, 1 to 40.
        blocks: usize,
        /// Channels of the trunk, 1 to 512; multiples of 16 use the vector units fully.
        channels: usize,
    },
}

/// A network size out of its bounds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("network: {what} must be {expected}, got {got}")]
pub struct ConfigError {
    /// Which size.
    pub what: &'static str,
    /// Its bounds.
    pub expected: String,
    /// The size given.
    pub got: usize,
}

pub(crate) fn within(
    what: &'static str,
    low: usize,
    high: usize,
    got: usize,
) -> Result<(), ConfigError> {
    if (low..=high).contains(&got) {
        Ok(())
    } else {
        Err(ConfigError {
            what,
            expected: if low == high {
                low.to_string()
            } else {
                format!("{low} to {high}")
            },
            got,
        })
    }
}

impl NetworkConfig {
    /// Checks every size against its bounds.
    ///
    /// # Errors
    /// The first size that is out of bounds.
    pub fn validate(&self) -> Result<(), ConfigError> {
        match self {
            NetworkConfig::Sparse { width, hidden } => {
                within("width of an embedding", 16, 1024, *width)?;
                if width % 16 != 0 {
                    return Err(ConfigError {
                        what: "width of an embedding",
                        expected: "a multiple of 16".to_owned(),
                        got: *width,
                    });
                }
                within("number of hidden layers", 1, 3, hidden.len())?;
                hidden
                    .iter()
                    .try_for_each(|&width| within("width of a hidden layer", 1, 256, width))
            }
            NetworkConfig::Mlp { hidden } => {
                within("number of hidden layers", 1, 8, hidden.len())?;
                hidden
                    .iter()
                    .try_for_each(|&width| within("width of a hidden layer", 1, 4096, width))
            }
            NetworkConfig::Residual { blocks, channels } => {
                within("number of blocks", 1, 40, *blocks)?;
                within("number of channels", 1, 512, *channels)
            }
        }
    }
}

/// The tensors that a network reads and writes, which the game decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkShape {
    /// `[C, H, W]` of an observation.
    pub observation: [usize; 3],
    /// P: the policy is `[P, H, W]`.
    pub policy_planes: usize,
    /// Whether the game has points, so that the network predicts the final lead.
    pub points: bool,
    /// The features of positions and actions, for a network that reads those; `None` for one that
    /// reads planes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<FeatureSizes>,
}

impl NetworkShape {
    /// The shape that a game asks for, of a network that reads planes.
    #[must_use]
    pub fn of<G: Encode>(game: &G) -> Self {
        NetworkShape {
            observation: game.observation_shape(),
            policy_planes: game.policy_planes(),
            points: game.points(&game.initial()).is_some(),
            features: None,
        }
    }

    /// The shape that a game asks for, of a network of this kind.
    #[must_use]
    pub fn of_network<G: Encode>(game: &G, network: &NetworkConfig) -> Self {
        let features = match network {
            NetworkConfig::Sparse { .. } => Some(game.feature_sizes()),
            NetworkConfig::Mlp { .. } | NetworkConfig::Residual { .. } => None,
        };
        NetworkShape {
            features,
            ..Self::of(game)
        }
    }

    /// The sizes of features, which a sparse network needs.
    pub(crate) fn feature_sizes(&self) -> Result<FeatureSizes, ConfigError> {
        self.features.ok_or(ConfigError {
            what: "number of features of a sparse network",
            expected: "at least 1".to_owned(),
            got: 0,
        })
    }

    /// The length of an observation, `C * H * W`.
    #[must_use]
    pub fn n_inputs(&self) -> usize {
        self.observation.iter().product()
    }

    /// The cells of the board's grid, `H * W`.
    #[must_use]
    pub fn n_cells(&self) -> usize {
        self.observation[1] * self.observation[2]
    }

    /// The number of policy slots, `P * H * W`.
    #[must_use]
    pub fn n_slots(&self) -> usize {
        self.policy_planes * self.n_cells()
    }

    /// How many points one unit of the points head stands for: `H * W`. So a head value is the
    /// final lead in points of the player to move, divided by this.
    #[must_use]
    pub fn points_scale(&self) -> f32 {
        self.n_cells() as f32
    }

    /// Checks that nothing is empty and nothing has more than [`MAX_CELLS`] cells.
    ///
    /// # Errors
    /// The first size that is out of bounds.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let product = |sizes: &[usize]| {
            sizes
                .iter()
                .fold(1usize, |product, &size| product.saturating_mul(size))
        };
        let [planes, height, width] = self.observation;
        within(
            "observation size",
            1,
            MAX_CELLS,
            product(&[planes, height, width]),
        )?;
        within(
            "number of policy slots",
            1,
            MAX_CELLS,
            product(&[self.policy_planes, height, width]),
        )?;
        if let Some(sizes) = self.features {
            within("number of features", 1, MAX_CELLS * 16, sizes.features)?;
            within(
                "number of action features",
                1,
                MAX_CELLS,
                sizes.action_features,
            )?;
            within(
                "features of a position",
                1,
                sizes.features,
                sizes.most_active,
            )?;
            let (n, most) = (sizes.action_features, sizes.most_active_of_action);
            within("features of an action", 1, n, most)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::dots_and_boxes::DotsAndBoxes;

    #[test]
    fn sizes_out_of_bounds_are_named() {
        let mlp = |hidden: &[usize]| NetworkConfig::Mlp {
            hidden: hidden.to_vec(),
        };
        let residual = |blocks, channels| NetworkConfig::Residual { blocks, channels };
        for (config, what) in [
            (mlp(&[]), "number of hidden layers"),
            (mlp(&[1; 9]), "number of hidden layers"),
            (mlp(&[16, 0]), "width of a hidden layer"),
            (mlp(&[4097]), "width of a hidden layer"),
            (residual(0, 16), "number of blocks"),
            (residual(41, 16), "number of blocks"),
            (residual(1, 0), "number of channels"),
            (residual(1, 513), "number of channels"),
        ] {
            assert_eq!(config.validate().unwrap_err().what, what);
        }
        assert_eq!(mlp(&[4096; 8]).validate(), Ok(()));
        assert_eq!(residual(40, 512).validate(), Ok(()));
    }

    #[test]
    fn json_forms_are_as_documented_and_unknown_fields_are_refused() {
        let residual = NetworkConfig::Residual {
            blocks: 4,
            channels: 64,
        };
        let text = r#"{"kind":"residual","blocks":4,"channels":64}"#;
        assert_eq!(serde_json::to_string(&residual).unwrap(), text);
        assert_eq!(
            serde_json::from_str::<NetworkConfig>(text).unwrap(),
            residual
        );
        for wrong in [
            r#"{"kind":"transformer","blocks":4}"#,
            r#"{"kind":"residual","blocks":4}"#,
            r#"{"kind":"mlp","hidden":[8],"channels":4}"#,
            r#"{"kind":"mlp"}"#,
            r#"{"kind":"mlp","hidden":[-1]}"#,
        ] {
            assert!(
                serde_json::from_str::<NetworkConfig>(wrong).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn the_shape_of_a_game_is_that_of_its_tensors() {
        let shape = NetworkShape::of(&DotsAndBoxes::new(3, 4).unwrap());
        assert_eq!(shape.observation, [15, 4, 5]);
        assert_eq!(shape.n_slots(), 2 * 4 * 5);
        assert!(shape.points);
        let empty = NetworkShape {
            observation: [10, 0, 5],
            ..shape
        };
        assert_eq!(empty.validate().unwrap_err().what, "observation size");
        let huge = NetworkShape {
            observation: [usize::MAX, usize::MAX, 2],
            ..shape
        };
        assert_eq!(huge.validate().unwrap_err().got, usize::MAX);
        let json = serde_json::to_string(&shape).unwrap();
        assert_eq!(serde_json::from_str::<NetworkShape>(&json).unwrap(), shape);
    }
}

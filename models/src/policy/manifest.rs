use super::PolicyError;
use crate::{NetworkConfig, NetworkShape, SearchConfig};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tablero_env::Encode;

/// What `policy.json` calls itself.
pub(super) const FORMAT: &str = "tablero-policy";
/// Changes when the directory's form changes.
pub(super) const FORMAT_VERSION: u32 = 2;

/// What a policy says of itself, in `policy.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyManifest {
    /// The game's spec, such as `dots-and-boxes:3x3`.
    pub game: String,
    /// [`Game::rules_version`](tablero_env::Game::rules_version).
    pub rules_version: u32,
    /// [`Encode::encoding_version`].
    pub encoding_version: u32,
    /// The architecture.
    pub network: NetworkConfig,
    /// The tensors that it reads and writes.
    pub shape: NetworkShape,
    /// What each plane of an observation holds, also where the network reads features instead.
    pub planes: Vec<String>,
    /// What each output means.
    pub outputs: Outputs,
    /// How its agent searches where nothing else is said.
    pub search: SearchConfig,
    /// How the network was trained: free content.
    pub training: Map<String, Value>,
}

/// What each output of the network means, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outputs {
    /// The policy.
    pub policy: String,
    /// The action of each policy plane; empty where the network reads features.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy_planes: Vec<String>,
    /// The three chances.
    pub wdl: String,
    /// The points lead, where the game has points.
    pub points_lead: Option<String>,
}

impl PolicyManifest {
    pub(super) fn new<G: Encode>(
        game: &G,
        network: &NetworkConfig,
        search: SearchConfig,
        training: Map<String, Value>,
    ) -> PolicyManifest {
        let shape = NetworkShape::of_network(game, network);
        let [_, height, width] = shape.observation;
        let planes = shape.policy_planes;
        PolicyManifest {
            game: game.spec(),
            rules_version: game.rules_version(),
            encoding_version: game.encoding_version(),
            network: network.clone(),
            shape,
            planes: game.plane_descriptions(),
            outputs: Outputs {
                policy: match shape.features {
                    Some(_) => "a logit for each legal action, in the order of their ids; the \
                                priors are their softmax"
                        .to_owned(),
                    None => format!(
                        "logits [{planes}, {height}, {width}]; a legal action's logit stands at \
                         its policy slot, (plane * {height} + row) * {width} + column; the priors \
                         are the softmax over the legal actions"
                    ),
                },
                policy_planes: match shape.features {
                    Some(_) => Vec::new(),
                    None => game.policy_descriptions(),
                },
                wdl: "logits [3] of a win, a draw and a loss for the player to move".to_owned(),
                points_lead: shape.points.then(|| {
                    format!(
                        "the expected final lead of the player to move, in points divided by {}",
                        shape.points_scale()
                    )
                }),
            },
            search,
            training,
        }
    }

    pub(super) fn check_game<G: Encode>(&self, game: &G) -> Result<(), PolicyError> {
        let same = |what, expected: String, got: String| {
            if expected == got {
                Ok(())
            } else {
                Err(PolicyError::Foreign {
                    what,
                    expected,
                    got,
                })
            }
        };
        same("game", game.spec(), self.game.clone())?;
        same(
            "rules version",
            game.rules_version().to_string(),
            self.rules_version.to_string(),
        )?;
        same(
            "encoding version",
            game.encoding_version().to_string(),
            self.encoding_version.to_string(),
        )?;
        let shape = NetworkShape::of_network(game, &self.network);
        same(
            "network shape",
            format!("{shape:?}"),
            format!("{:?}", self.shape),
        )
    }
}

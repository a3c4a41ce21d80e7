use super::PolicyError;
use crate::{LeafEvaluator, LeafNetwork, NetworkShape, PositionLogits};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tablero_env::random::stream;
use tablero_env::{ActionFeatures, ActionId, BoardGame};

/// How many golden positions a policy has.
const N_POSITIONS: u64 = 12;

/// The largest difference of an output x from its golden value g: this times `1 + |g|`. Vector
/// instructions of another machine may change the last bits.
pub const GOLDEN_TOLERANCE: f32 = 1e-4;

/// Positions with the outputs of the network, in `golden.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// The first is the initial position, the others are from random games.
    pub positions: Vec<GoldenPosition>,
}

/// A position with the outputs of the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldenPosition {
    /// The state's text.
    pub state: String,
    /// `[C, H, W]`, flattened; empty if the network reads features.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observation: Vec<f32>,
    /// The position's features, if the network reads those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<u32>,
    /// The features of each legal action, if the network reads those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub action_features: Vec<Vec<u32>>,
    /// The ids of the legal actions, ascending.
    pub legal: Vec<ActionId>,
    /// The policy slot of each legal action; empty if the network reads features.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<usize>,
    /// The logit of each legal action.
    pub policy_logits: Vec<f32>,
    /// The logits of a win, a draw and a loss.
    pub wdl_logits: [f32; 3],
    /// The points lead as the network says it, where the game has points.
    pub points_lead: Option<f32>,
}

impl Golden {
    pub(super) fn new<G: BoardGame>(game: &G, network: LeafNetwork) -> Golden {
        let mut evaluator = LeafEvaluator::new(Arc::new(network));
        let position = |index| {
            let state = position(game, index);
            GoldenPosition::new(game, &state, &mut evaluator)
        };
        Golden {
            positions: (0..N_POSITIONS).map(position).collect(),
        }
    }

    /// Whether every output is a finite number.
    pub(super) fn is_finite(&self) -> bool {
        self.positions.iter().all(|position| {
            let policy = position.policy_logits.iter().chain(&position.wdl_logits);
            let mut outputs = policy.chain(&position.points_lead);
            outputs.all(|output| output.is_finite())
        })
    }

    /// Compares everything with what the game and the network say now.
    pub(super) fn check<G: BoardGame>(
        &self,
        game: &G,
        network: LeafNetwork,
    ) -> Result<(), PolicyError> {
        let mut evaluator = LeafEvaluator::new(Arc::new(network));
        if self.positions.is_empty() {
            return Err(PolicyError::Golden {
                position: 0,
                what: "number of positions",
                expected: "at least 1".to_owned(),
                got: "0".to_owned(),
            });
        }
        for (position, golden) in self.positions.iter().enumerate() {
            golden.check(game, &mut evaluator).map_err(
                |Difference {
                     what,
                     expected,
                     got,
                 }| PolicyError::Golden {
                    position,
                    what,
                    expected,
                    got,
                },
            )?;
        }
        Ok(())
    }
}

/// A position of a random game, and not its end.
fn position<G: BoardGame>(game: &G, index: u64) -> G::State {
    let mut rng = stream(0, "golden", index);
    let mut buffer = Vec::new();
    let mut states = vec![game.initial()];
    if index > 0 {
        let mut state = game.initial();
        while !game.is_over(&state) {
            let action = game.sample_action(&state, &mut buffer, &mut rng);
            states.push(state.clone());
            game.play_unchecked(&mut state, action);
        }
    }
    let chosen = rng.random_range(0..states.len());
    states.swap_remove(chosen)
}

struct Difference {
    what: &'static str,
    expected: String,
    got: String,
}

impl GoldenPosition {
    fn new<G: BoardGame>(game: &G, state: &G::State, evaluator: &mut LeafEvaluator) -> Self {
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        let PositionLogits {
            policy,
            wdl,
            points_lead,
        } = evaluator.position(game, state, &legal);
        let mut position = GoldenPosition {
            state: game.state_text(state),
            policy_logits: policy,
            wdl_logits: wdl,
            points_lead,
            observation: Vec::new(),
            features: Vec::new(),
            action_features: Vec::new(),
            slots: Vec::new(),
            legal,
        };
        position.write_inputs(game, state, evaluator.network().shape());
        position
    }

    /// What the network reads of the position.
    fn write_inputs<G: BoardGame>(&mut self, game: &G, state: &G::State, shape: &NetworkShape) {
        if shape.features.is_some() {
            let mut actions = ActionFeatures::new();
            game.write_features(state, &self.legal, &mut self.features, &mut actions);
            self.action_features = actions.iter().map(<[u32]>::to_vec).collect();
        } else {
            self.observation.resize(shape.n_inputs(), 0.0);
            game.write_observation(state, &mut self.observation);
            let slot = |&action| game.policy_slot(state, action);
            self.slots = self.legal.iter().map(slot).collect();
        }
    }

    fn check<G: BoardGame>(
        &self,
        game: &G,
        evaluator: &mut LeafEvaluator,
    ) -> Result<(), Difference> {
        let state = game.parse_state(&self.state).map_err(|error| Difference {
            what: "state",
            expected: self.state.clone(),
            got: error.to_string(),
        })?;
        let now = GoldenPosition::new(game, &state, evaluator);
        same("legal actions", &self.legal, &now.legal)?;
        same("policy slots", &self.slots, &now.slots)?;
        same("observation", &self.observation, &now.observation)?;
        same("features", &self.features, &now.features)?;
        let of_actions = [&self.action_features, &now.action_features];
        same("action features", of_actions[0], of_actions[1])?;
        close("policy logits", &self.policy_logits, &now.policy_logits)?;
        close("result logits", &self.wdl_logits, &now.wdl_logits)?;
        close(
            "points lead",
            self.points_lead.as_slice(),
            now.points_lead.as_slice(),
        )
    }
}

fn same<T: PartialEq + std::fmt::Debug>(
    what: &'static str,
    expected: &T,
    got: &T,
) -> Result<(), Difference> {
    if expected == got {
        return Ok(());
    }
    Err(Difference {
        what,
        expected: format!("{expected:?}"),
        got: format!("{got:?}"),
    })
}

fn close(what: &'static str, expected: &[f32], got: &[f32]) -> Result<(), Difference> {
    same(what, &expected.len(), &got.len())?;
    for (expected, got) in expected.iter().zip(got) {
        // Written so that a value that is not a number differs from all.
        let is_close = (got - expected).abs() <= GOLDEN_TOLERANCE * (1.0 + expected.abs());
        if !is_close {
            return Err(Difference {
                what,
                expected: expected.to_string(),
                got: got.to_string(),
            });
        }
    }
    Ok(())
}

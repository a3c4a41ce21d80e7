//! How the network learns, and what it has to show on the way.

use crate::players::PlayerSpec;
use serde::{Deserialize, Serialize};

/// How the network learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnerConfig {
    /// Positions a gradient step.
    pub batch_size: usize,
    /// The most recent games that positions are drawn from: as many whole rounds as hold so many.
    pub window_games: u64,
    /// How fast the window grows with the number of games N once that exceeds `window_games` W: to
    /// W (1 + growth ((N/W)^0.75 - 1) / 0.75) games (KataGo, Wu 2019, with 0.4). At least 0;
    /// default 0, which leaves it as it is.
    pub window_growth: f32,
    /// How many times each new position is drawn on average; fixes the number of steps.
    pub samples_per_position: f32,
    /// Adam's step size at the start; it falls to a twentieth along a half cosine over the run
    /// (SGDR, Loshchilov and Hutter 2017, without restarts).
    pub learning_rate: f64,
    /// Decoupled weight decay (AdamW, Loshchilov and Hutter 2019).
    pub weight_decay: f32,
    /// Gradients are scaled down to this L2 norm, over all weights together.
    pub gradient_norm: f32,
    /// Weight of the value loss (cross-entropy over win, draw, loss) beside the policy loss.
    pub value_weight: f32,
    /// Weight of the points loss (squared error of the final lead over the most points), in
    /// games with points. The lead is a small number, so its squared error needs a large weight.
    pub points_weight: f32,
    /// Weight of the loss of plies left (Huber's, 1964, of how many plies the game lasted still over
    /// [`PLIES_SCALE`](tablero_models::PLIES_SCALE), quadratic up to half a unit), where the
    /// network predicts them.
    pub moves_left_weight: f32,
    /// The value target is this share of the search's own root value and the rest of the game's
    /// result; where the search proved the value, that alone.
    pub root_value_share: f32,
    /// How likely a position whose result the search proved is drawn, above 0 and at most 1, beside 1 for
    /// every other. Default 1. With a search of leaves the network is asked about few of them, so
    /// that a small weight lets it learn what it is asked; its strength without one suffers.
    #[serde(skip_serializing_if = "is_1")]
    pub proven_weight: f32,
    /// Decay a step of the moving average of weights that plays (EMA).
    pub ema_decay: f32,
}

impl LearnerConfig {
    /// The size of the window after so many games, in games.
    #[must_use]
    pub fn window(&self, n_games: u64) -> u64 {
        let least = self.window_games as f64;
        let ratio = (n_games as f64 / least).max(1.0);
        let growth = f64::from(self.window_growth) * (ratio.powf(0.75) - 1.0) / 0.75;
        (least * (1.0 + growth)) as u64
    }
}

fn is_1(weight: &f32) -> bool {
    *weight == 1.0
}

impl Default for LearnerConfig {
    fn default() -> Self {
        LearnerConfig {
            batch_size: 256,
            window_games: 10_000,
            window_growth: 0.0,
            samples_per_position: 4.0,
            learning_rate: 2e-3,
            weight_decay: 1e-4,
            gradient_norm: 1.0,
            value_weight: 1.0,
            points_weight: 16.0,
            moves_left_weight: 0.25,
            root_value_share: 0.5,
            proven_weight: 1.0,
            ema_decay: 0.99,
        }
    }
}

/// A match that a new checkpoint plays against the one that makes the games, before it takes its
/// place (AlphaGo Zero, Silver et al. 2017). AlphaZero and KataGo's later runs do without.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateConfig {
    /// Games, in pairs from distinct random openings.
    pub games: u64,
    /// Simulations a move of both.
    pub simulations: u32,
    /// The score that the new one needs, 0..=1. AlphaGo Zero has 0.55.
    pub score: f64,
}

/// Matches of checkpoints while a run trains, for its curve of strength. They change nothing else of
/// the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationConfig {
    /// A checkpoint in so many plays, and the last one.
    pub every: u32,
    /// Games against each opponent, in pairs.
    pub games: u64,
    /// Simulations a move of the checkpoint.
    pub simulations: u32,
    /// Players, as text.
    pub opponents: Vec<PlayerSpec>,
    /// Whether the decisions in all these games are judged by the exact solver.
    #[serde(default)]
    pub oracle: bool,
}

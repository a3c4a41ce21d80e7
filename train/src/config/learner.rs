//! How the network learns, and what it has to show on the way.

use serde::{Deserialize, Serialize};
use tablero_agents::PlayerSpec;
use tablero_models::Overlay;

/// How the network learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnerConfig {
    /// Positions a gradient step, at least 1.
    pub batch_size: usize,
    /// Positions are drawn from the fewest of the latest whole rounds that hold at least this many games.
    /// At least 1.
    pub window_games: u64,
    /// How fast the window grows with the number of games N once that exceeds `window_games` W: to
    /// W (1 + growth ((N/W)^0.75 - 1) / 0.75) games (KataGo, Wu 2019, with 0.4). At least 0;
    /// default 0, which leaves it as it is.
    pub window_growth: f32,
    /// How many times each new position is drawn on average; fixes the number of steps.
    /// Above 0.
    pub samples_per_position: f32,
    /// Adam's step size at the start, above 0; it falls to a twentieth along a half cosine over the run
    /// (SGDR, Loshchilov and Hutter 2017, without restarts).
    pub learning_rate: f64,
    /// The value target is this share of the search's own root value and the rest of the game's
    /// result, 0..=1; where the search proved the value, that alone.
    pub root_value_share: f32,
}

impl LearnerConfig {
    /// The size of the window after `n_games` games, in games.
    #[must_use]
    pub fn window(&self, n_games: u64) -> u64 {
        let least = self.window_games as f64;
        let ratio = (n_games as f64 / least).max(1.0);
        let growth = f64::from(self.window_growth) * (ratio.powf(0.75) - 1.0) / 0.75;
        (least * (1.0 + growth)) as u64
    }
}

impl Default for LearnerConfig {
    fn default() -> Self {
        LearnerConfig {
            batch_size: 256,
            window_games: 10_000,
            window_growth: 0.0,
            samples_per_position: 4.0,
            learning_rate: 2e-3,
            root_value_share: 0.5,
        }
    }
}

/// Matches of checkpoints while a run trains, for its curve of strength. They change nothing else of
/// the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationConfig {
    /// A checkpoint in so many plays, at least 1, and the last one.
    pub every: u32,
    /// Games against each opponent, at least 1, in pairs.
    pub games: u64,
    /// How the checkpoint searches where it is not as in play.
    #[serde(default, skip_serializing_if = "Overlay::is_empty")]
    pub search: Overlay,
    /// Players, as text.
    pub opponents: Vec<PlayerSpec>,
    /// Whether the decisions in all these games are compared with the exact solver.
    #[serde(default)]
    pub oracle: bool,
}

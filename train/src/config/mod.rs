//! The configuration of a run: everything that decides its result.
//!
//! The number of threads and the clock are not in it, since they decide nothing.

mod check;
mod learner;
mod play;
mod presets;
mod self_play;

pub use learner::{EvaluationConfig, GateConfig, LearnerConfig};
pub use play::PlayConfig;
pub use presets::{PRESETS, Preset};
pub use self_play::{QuickMoves, Resignation, SelfPlayConfig, Teacher};

use crate::LeafSearch;
use presets::preset_names;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tablero_mcts::ParamsError;
use tablero_models::{Hardware, NetworkConfig};

/// Everything that decides the result of a training run. As TOML in presets and run folders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// The game's spec, such as `dots-and-boxes:3x3`.
    pub game: String,
    /// Fixes every random choice of the run.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Rounds of self-play, each followed by one of learning. 0 makes a run with an untrained
    /// network.
    pub iterations: u32,
    /// The agent whose weights the network starts with: a run, one of its checkpoints, a policy directory
    /// or `zoo:GAME`.
    /// Default: new weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_from: Option<String>,
    /// Runs of the same game whose games, as far as they still have them, are taken for the first
    /// rounds, one for each of theirs, instead of playing: so a larger network learns first what a
    /// smaller one has played. Default none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games_from: Vec<PathBuf>,
    /// How many past checkpoints stay on disk, at least 1.
    #[serde(default = "default_keep")]
    pub keep_checkpoints: usize,
    /// What trains the network and judges the leaves of self-play. Matches of the gate and on the
    /// way are always judged by the processor.
    #[serde(default, skip_serializing_if = "is_cpu")]
    pub device: Hardware,
    /// The network's architecture.
    pub network: NetworkConfig,
    /// How games are played.
    pub self_play: SelfPlayConfig,
    /// How the network learns from them.
    #[serde(default)]
    pub learner: LearnerConfig,
    /// How its agents play where their text does not say. Default: as in self-play.
    #[serde(default, skip_serializing_if = "is_default")]
    pub play: PlayConfig,
    /// Whether a checkpoint has to win its place before it plays. Default: each plays at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateConfig>,
    /// Matches on the way. Default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationConfig>,
}

fn default_seed() -> u64 {
    1
}

fn is_cpu(hardware: &Hardware) -> bool {
    *hardware == Hardware::Cpu
}

fn is_default(play: &PlayConfig) -> bool {
    *play == PlayConfig::default()
}

fn default_keep() -> usize {
    3
}

/// A configuration that cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not TOML, or not these fields.
    #[error("{source_name}: {error}")]
    Syntax {
        /// The file or preset.
        source_name: String,
        /// What the parser says.
        error: Box<toml::de::Error>,
    },
    /// A field is out of its range.
    #[error("{field}: expected {expected}, got {got}")]
    OutOfRange {
        /// The field's path.
        field: &'static str,
        /// The range.
        expected: &'static str,
        /// The value.
        got: String,
    },
    /// The network's sizes.
    #[error(transparent)]
    Network(#[from] tablero_models::ConfigError),
    /// The search's parameters.
    #[error("self_play.search: {0}")]
    Search(#[from] ParamsError),
    /// No preset has this name.
    #[error("unknown preset {name:?}; presets: {}", preset_names().join(", "))]
    UnknownPreset {
        /// The name given.
        name: String,
    },
}

impl RunConfig {
    /// Reads a configuration and checks its ranges. `source_name` stands in errors.
    ///
    /// # Errors
    /// If the text is not TOML, has unknown or missing fields, or values out of range.
    pub fn from_toml(text: &str, source_name: &str) -> Result<RunConfig, ConfigError> {
        let config: RunConfig = toml::from_str(text).map_err(|error| ConfigError::Syntax {
            source_name: source_name.to_owned(),
            error: Box::new(error),
        })?;
        config.check()?;
        Ok(config)
    }

    /// The search of leaves of its agents, where their text does not say.
    #[must_use]
    pub fn leaf_search_in_play(&self) -> Option<LeafSearch> {
        self.play.leaf_search.or(self.self_play.leaf_search)
    }

    /// The [`minimax_share`](tablero_mcts::SearchParams::minimax_share) of its agents, where their
    /// text does not say; `None` if it is 0.
    #[must_use]
    pub fn minimax_share_in_play(&self) -> Option<f32> {
        let in_self_play = self.self_play.search.minimax_share;
        let share = self.play.minimax_share.unwrap_or(in_self_play);
        (share > 0.0).then_some(share)
    }

    /// The [`trap_nodes`](crate::PolicyOptions::trap_nodes) of its agents, where their text does not say;
    /// `None` if they are 0.
    #[must_use]
    pub fn trap_nodes_in_play(&self) -> Option<u64> {
        (self.play.trap_nodes > 0).then_some(self.play.trap_nodes)
    }

    /// The configuration as TOML.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration is plain data")
    }

    /// A preset by name, such as `dots-and-boxes-3x3`.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn preset(name: &str) -> Result<RunConfig, ConfigError> {
        let preset = PRESETS
            .iter()
            .find(|preset| preset.name == name)
            .ok_or_else(|| ConfigError::UnknownPreset {
                name: name.to_owned(),
            })?;
        RunConfig::from_toml(preset.toml, preset.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::AnyGame;

    #[test]
    fn every_preset_is_valid_and_survives_its_own_toml() {
        for preset in PRESETS {
            let config = RunConfig::preset(preset.name).unwrap();
            AnyGame::parse(&config.game).unwrap();
            let again = RunConfig::from_toml(&config.to_toml(), "again").unwrap();
            assert_eq!(again, config, "{}", preset.name);
            assert!(!preset.summary().is_empty());
        }
    }

    /// What a file says of the search changes that, and nothing else.
    #[test]
    fn the_search_of_self_play_keeps_its_defaults_but_for_what_is_said() {
        let preset = RunConfig::preset("quickstart").unwrap();
        let with = |search: &str| {
            let text = PRESETS.iter().find(|it| it.name == "quickstart").unwrap();
            let text = text
                .toml
                .replace("[self_play]", &format!("[self_play]\n{search}"));
            RunConfig::from_toml(&text, "test")
        };
        assert!(preset.self_play.search.noise.is_some());
        let mut expected = preset.clone();
        expected.self_play.search.transpositions = true;
        assert_eq!(
            with("search = { transpositions = true }").unwrap(),
            expected
        );
        let silent = with("search = { noise = { fraction = 0 } }").unwrap();
        expected = preset;
        expected.self_play.search.noise = None;
        assert_eq!(silent, expected);
        assert_eq!(
            RunConfig::from_toml(&silent.to_toml(), "again").unwrap(),
            silent
        );
        for (wrong, named) in [("c_puckt = 1", "c_puckt"), ("c_puct = \"x\"", "string")] {
            let error = with(&format!("search = {{ {wrong} }}")).unwrap_err();
            assert!(format!("{error:?}").contains(named), "{error:?}");
        }
    }

    /// Without a word of it there are no traps, and no word of them in the file.
    #[test]
    fn agents_set_traps_where_play_says_so() {
        let mut config = RunConfig::preset("quickstart").unwrap();
        assert_eq!(config.trap_nodes_in_play(), None);
        assert!(!config.to_toml().contains("trap_nodes"));
        config.play.trap_nodes = 7;
        let again = RunConfig::from_toml(&config.to_toml(), "again").unwrap();
        assert_eq!(again.trap_nodes_in_play(), Some(7));
    }

    #[test]
    fn a_value_out_of_range_is_named() {
        type Change = fn(&mut RunConfig);
        let changes: [(&str, Change); 12] = [
            ("keep_checkpoints", |config| config.keep_checkpoints = 0),
            ("self_play.temperature", |config| {
                config.self_play.temperature = 0.0
            }),
            ("play.leaf_search.share", |config| {
                let (nodes, share) = (9, 2.0);
                config.play.leaf_search = Some(LeafSearch {
                    nodes,
                    share,
                    ..LeafSearch::default()
                });
            }),
            ("play.minimax_share", |config| {
                config.play.minimax_share = Some(f32::NAN)
            }),
            ("learner.batch_size", |config| config.learner.batch_size = 0),
            ("learner.learning_rate", |config| {
                config.learner.learning_rate = f64::NAN
            }),
            ("learner.root_value_share", |config| {
                config.learner.root_value_share = 1.5
            }),
            ("learner.proven_weight", |config| {
                config.learner.proven_weight = 0.0
            }),
            ("learner.ema_decay", |config| config.learner.ema_decay = 1.0),
            ("learner.window_growth", |config| {
                config.learner.window_growth = -0.1
            }),
            ("self_play.fork_share", |config| {
                config.self_play.fork_share = 1.1
            }),
            // The game has points.
            ("self_play.resignation", |config| {
                config.self_play.resignation = Some(Resignation {
                    below: 0.05,
                    moves: 3,
                    played_out: 0.1,
                })
            }),
        ];
        for (field, change) in changes {
            let mut config = RunConfig::preset("quickstart").unwrap();
            change(&mut config);
            let error = config.check().unwrap_err().to_string();
            assert!(error.starts_with(field), "{error}");
        }
    }

    #[test]
    fn the_window_grows_by_the_power_law() {
        let mut learner = LearnerConfig {
            window_games: 1000,
            ..LearnerConfig::default()
        };
        assert_eq!(learner.window(1_000_000), 1000);
        learner.window_growth = 0.4;
        assert_eq!((learner.window(0), learner.window(1000)), (1000, 1000));
        // 16^0.75 is 8.
        assert_eq!(learner.window(16_000), 1000 + (400.0 * 7.0 / 0.75) as u64);
    }
}

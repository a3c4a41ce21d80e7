//! The configuration of a run: everything that decides its result.
//!
//! The number of threads and the clock are not in it, since they decide nothing.

mod check;
mod learner;
mod presets;
mod self_play;

pub use learner::{EvaluationConfig, LearnerConfig};
pub use presets::{PRESETS, Preset};
pub use self_play::{QuickMoves, SelfPlayConfig, Teacher};

use presets::preset_names;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tablero_env::did_you_mean;
use tablero_models::{Hardware, NetworkConfig, Overlay, OverlayError, SearchConfig};

/// Everything that decides the result of a training run. As TOML in presets and run folders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// The game's spec, such as `dots-and-boxes:3x3`.
    pub game: String,
    /// Fixes every random choice of the run.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Rounds of games, each followed by learning. 0 makes a run with an untrained network.
    pub rounds: u32,
    /// Leaf evaluations of self-play after which no further round begins, if `rounds` does not end the run
    /// before. The learning rate then follows the evaluations instead of the rounds. Default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
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
    /// What trains the network and evaluates the leaves of self-play. In matches the processor
    /// evaluates them.
    #[serde(default, skip_serializing_if = "is_cpu")]
    pub device: Hardware,
    /// The network's architecture.
    pub network: NetworkConfig,
    /// How its agents search: in self-play, and everywhere else where nothing else is said.
    #[serde(default)]
    pub search: SearchConfig,
    /// How games are played.
    pub self_play: SelfPlayConfig,
    /// How the network learns from them.
    #[serde(default)]
    pub learner: LearnerConfig,
    /// How its agents search when they play, where it is not as in self-play: in evaluations and as
    /// exported policies. Self-play may be quicker, to make more games.
    #[serde(default, skip_serializing_if = "Overlay::is_empty")]
    pub play: Overlay,
    /// Matches on the way. Default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<EvaluationConfig>,
    /// Whether opponents may be other programs. Not read from a file: the command line alone allows it.
    #[serde(skip)]
    pub allow_commands: bool,
}

fn default_seed() -> u64 {
    1
}

fn is_cpu(hardware: &Hardware) -> bool {
    *hardware == Hardware::Cpu
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
    /// A field of a search.
    #[error("{section}: {error}")]
    Search {
        /// The section of the file.
        section: &'static str,
        /// What is wrong.
        error: OverlayError,
    },
    /// No preset has this name.
    #[error("unknown preset {name:?}{}; presets: {}", did_you_mean(.name, preset_names()), preset_names().join(", "))]
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

    /// Simulations of a move of self-play that is searched in full, or quickly.
    #[must_use]
    pub fn sims_of(&self, full: bool) -> u32 {
        match self.self_play.quick {
            Some(quick) if !full => quick.sims,
            _ => self.search.sims,
        }
    }

    /// How its agents search when they play.
    ///
    /// # Errors
    /// The field that cannot be laid over.
    pub fn search_in_play(&self) -> Result<SearchConfig, ConfigError> {
        with(&self.search, &self.play, "play")
    }

    /// How checkpoints search in evaluations: as in play, where the evaluation says nothing else.
    ///
    /// # Errors
    /// The field that cannot be laid over.
    pub fn search_in(&self, evaluation: &EvaluationConfig) -> Result<SearchConfig, ConfigError> {
        with(
            &self.search_in_play()?,
            &evaluation.search,
            "evaluation.search",
        )
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

fn with(
    base: &SearchConfig,
    overlay: &Overlay,
    section: &'static str,
) -> Result<SearchConfig, ConfigError> {
    let laid_over = base.with(overlay);
    laid_over.map_err(|error| ConfigError::Search { section, error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::AnyGame;
    use tablero_mcts::Selection;

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

    /// Self-play has one configuration; play and evaluation change what they name.
    #[test]
    fn searches_are_laid_over_each_other_field_by_field() {
        let with = |sections: &str| {
            let least = r#"
                game = "dots-and-boxes:2x2"
                rounds = 1
                network = { kind = "mlp", hidden = [8] }
                search = { sims = 64, c_puct = 2.0 }
                self_play = { games = 4, random_plies = 2, temperature = 1.0, temperature_plies = 4 }
                learner = { batch_size = 8, window_games = 8, samples_per_position = 1, learning_rate = 1e-3 }
            "#;
            RunConfig::from_toml(&format!("{least}\n{sections}"), "test")
        };
        let evaluation = "[evaluation]\nevery = 1\ngames = 4\nopponents = []";
        let search = |search: &str| format!("[play]\nsims = 7\n{evaluation}\nsearch = {search}");
        let config = with(&search("{ root = \"gumbel\" }")).unwrap();
        assert_eq!(config.search.sims, 64);
        let in_play = config.search_in_play().unwrap();
        assert_eq!((in_play.sims, &in_play.tree), (7, &config.search.tree));
        let evaluation = config.evaluation.as_ref().unwrap();
        let in_evaluation = config.search_in(evaluation).unwrap();
        assert_eq!(in_evaluation.sims, 7);
        assert!(matches!(in_evaluation.tree.selection, Selection::Gumbel(_)));
        let misspelt = search("{ simz = 3 }");
        for (wrong, parts) in [
            ("[play]\nc_puckt = 1", ["play", "c_puckt"]),
            ("[play]\nc_puct = \"x\"", ["play", "c_puct"]),
            ("[play]\nanalyser_share = 2", ["play", "analyser_share"]),
            (&misspelt, ["evaluation.search", "simz"]),
        ] {
            let error = format!("{:#}", with(wrong).unwrap_err());
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
    }

    #[test]
    fn a_value_out_of_range_is_named() {
        type Change = fn(&mut RunConfig);
        let changes: [(&str, Change); 16] = [
            ("keep_checkpoints", |config| config.keep_checkpoints = 0),
            ("search.sims", |config| config.search.sims = 0),
            ("self_play.temperature", |config| {
                config.self_play.temperature = 0.0
            }),
            ("learner.batch_size", |config| config.learner.batch_size = 0),
            ("search.sims", |config| config.search.sims = u32::MAX),
            ("search.analyser_nodes", |config| {
                config.search.analyser_nodes = 100
            }),
            ("self_play.games", |config| {
                config.self_play.games = u64::MAX
            }),
            ("self_play.random_plies", |config| {
                config.self_play.random_plies = usize::MAX
            }),
            ("learner.batch_size", |config| {
                config.learner.batch_size = usize::MAX
            }),
            ("learner.samples_per_position", |config| {
                config.learner.samples_per_position = 1e30
            }),
            ("evaluation.games", |config| {
                config.evaluation.as_mut().unwrap().games = u64::MAX
            }),
            ("learner.learning_rate", |config| {
                config.learner.learning_rate = f64::NAN
            }),
            ("learner.root_value_share", |config| {
                config.learner.root_value_share = 1.5
            }),
            ("learner.window_growth", |config| {
                config.learner.window_growth = -0.1
            }),
            ("self_play.fork_share", |config| {
                config.self_play.fork_share = 1.1
            }),
            ("evaluation.opponents", |config| {
                let opponents = &mut config.evaluation.as_mut().unwrap().opponents;
                opponents.push(opponents[0].clone());
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

//! The configuration of a run: everything that decides its result.
//!
//! The number of threads and the clock are not in it, since they decide nothing.

use crate::players::PlayerSpec;
use serde::{Deserialize, Serialize};
use tablero_env::{AnyGame, Game, with_game};
use tablero_mcts::{ParamsError, RootNoise, SearchParams};
use tablero_models::{NetworkConfig, Precision};

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
    /// How many past checkpoints stay on disk, at least 1.
    #[serde(default = "default_keep")]
    pub keep_checkpoints: usize,
    /// The network's architecture.
    pub network: NetworkConfig,
    /// How games are played.
    pub self_play: SelfPlayConfig,
    /// How the network learns from them.
    #[serde(default)]
    pub learner: LearnerConfig,
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

fn default_keep() -> usize {
    3
}

/// How the games of self-play are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayConfig {
    /// Games an iteration.
    pub games: u64,
    /// Visits of the root before each move, those kept from the move before included.
    pub simulations: u32,
    /// Before the search takes over, a number of uniformly random plies, itself uniform in
    /// `0..=random_plies`: variety, and positions that good play never reaches.
    pub random_plies: usize,
    /// Moves are drawn from visits^(1/temperature) (AlphaGo Zero, Silver et al. 2017) …
    pub temperature: f32,
    /// … for this many plies after the opening; later the best move is played.
    pub temperature_plies: usize,
    /// A game that lasts longer than this many plies, its opening included, is thrown away: it has
    /// no result, and is no draw. Needed in games without a bound on their length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<usize>,
    /// Moves searched quickly, for more games of the same work. Default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quick: Option<QuickMoves>,
    /// The share of games, 0..=1, from which a second one is forked: from a position of the first,
    /// drawn uniformly, another legal move is played, drawn likewise, and the game goes on from
    /// there. Variety at every stage of the game (KataGo, Wu 2019, forks so, too).
    #[serde(default)]
    pub fork_share: f32,
    /// When players resign; in games without points only, since the points to learn are those of
    /// the end. Default never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resignation: Option<Resignation>,
    /// Games of minimax to learn from first. Default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teacher: Option<Teacher>,
    /// How exactly leaves are evaluated: `"f32"`, or `"bf16"` for residual networks on processors with
    /// AMX, which is several times as fast.
    #[serde(default)]
    pub precision: Precision,
    /// The search.
    #[serde(default = "default_search")]
    pub search: SearchParams,
}

/// Playout cap randomisation (KataGo, Wu 2019): most moves only make the game go on, after a quick
/// search without noise; those that are searched in full teach the policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickMoves {
    /// The share of moves, 0..=1, drawn at random. KataGo has 0.75.
    pub share: f32,
    /// Visits of the root before such a move. KataGo has a sixth of the full search.
    pub simulations: u32,
}

/// When a player resigns. Some games are played out nevertheless, to measure how often somebody
/// would have resigned too early.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// A move is hopeless if the search gives the player less than this, wins and half the draws, 0..=1.
    pub below: f32,
    /// A player resigns after so many hopeless moves in a row.
    pub moves: u32,
    /// The share of games, 0..=1, in which nobody may resign (AlphaGo Zero, Silver et al. 2017,
    /// has 0.1).
    pub played_out: f32,
}

/// Minimax that plays the first rounds, so that the network knows something when self-play begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teacher {
    /// Rounds that it plays.
    pub rounds: u32,
    /// Nodes a move.
    pub nodes: u64,
    /// The share of moves, 0..=1, that are played at random instead and not learnt from.
    pub random_moves: f32,
}

impl SelfPlayConfig {
    /// Visits of the root before a move that is searched in full, or quickly.
    #[must_use]
    pub fn simulations_of(&self, full: bool) -> u32 {
        match self.quick {
            Some(quick) if !full => quick.simulations,
            _ => self.simulations,
        }
    }
}

fn default_search() -> SearchParams {
    SearchParams {
        noise: Some(RootNoise::default()),
        // With noise at the root every move should get its try (KataGo, Wu 2019).
        root_fpu_reduction: 0.0,
        ..SearchParams::default()
    }
}

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
    /// The value target is this share of the search's own root value and the rest of the game's
    /// result; where the search proved the value, that alone.
    pub root_value_share: f32,
    /// Decay a step of the moving average of weights that plays (EMA).
    pub ema_decay: f32,
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
            root_value_share: 0.5,
            ema_decay: 0.99,
        }
    }
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

    /// Checks every range.
    ///
    /// # Errors
    /// The first field that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        use Range::{Above0, AtLeast0, AtLeast1, Below1, Share};
        self.network.validate()?;
        self.self_play.search.check()?;
        let (play, learn) = (&self.self_play, &self.learner);
        if play.max_plies.is_none() && has_no_bound(&self.game) {
            return Err(ConfigError::OutOfRange {
                field: "self_play.max_plies",
                expected: "a number of plies, since the game has no bound on its length",
                got: "none".to_owned(),
            });
        }
        let has_points = AnyGame::parse(&self.game).is_ok_and(
            |any| with_game!(&any, game => Game::points(game, &game.initial()).is_some()),
        );
        if play.resignation.is_some() && has_points {
            return Err(ConfigError::OutOfRange {
                field: "self_play.resignation",
                expected: "none, since the game has points, which are learnt from its end",
                got: "some".to_owned(),
            });
        }
        let quick = play.quick.unwrap_or(QuickMoves {
            share: 0.0,
            simulations: 1,
        });
        let resignation = play.resignation.unwrap_or(Resignation {
            below: 0.0,
            moves: 1,
            played_out: 1.0,
        });
        let teacher = play.teacher.unwrap_or(Teacher {
            rounds: 1,
            nodes: 1,
            random_moves: 0.0,
        });
        let gate = self.gate.unwrap_or(GateConfig {
            games: 1,
            simulations: 1,
            score: 0.5,
        });
        let evaluation = self.evaluation.as_ref();
        let evaluation = evaluation.map_or((1.0, 1.0), |e| (e.every.into(), e.games as f64));
        let fields = [
            ("self_play.quick.share", quick.share.into(), Share),
            (
                "self_play.quick.simulations",
                quick.simulations.into(),
                AtLeast1,
            ),
            ("self_play.fork_share", play.fork_share.into(), Share),
            (
                "self_play.resignation.below",
                resignation.below.into(),
                Share,
            ),
            (
                "self_play.resignation.moves",
                resignation.moves.into(),
                AtLeast1,
            ),
            (
                "self_play.resignation.played_out",
                resignation.played_out.into(),
                Share,
            ),
            ("self_play.teacher.rounds", teacher.rounds.into(), AtLeast1),
            ("self_play.teacher.nodes", teacher.nodes as f64, AtLeast1),
            (
                "self_play.teacher.random_moves",
                teacher.random_moves.into(),
                Share,
            ),
            ("gate.games", gate.games as f64, AtLeast1),
            ("gate.simulations", gate.simulations.into(), AtLeast1),
            ("gate.score", gate.score, Share),
            ("evaluation.every", evaluation.0, AtLeast1),
            ("evaluation.games", evaluation.1, AtLeast1),
            (
                "learner.window_growth",
                learn.window_growth.into(),
                AtLeast0,
            ),
            ("keep_checkpoints", self.keep_checkpoints as f64, AtLeast1),
            ("self_play.games", play.games as f64, AtLeast1),
            ("self_play.simulations", play.simulations.into(), AtLeast1),
            ("self_play.temperature", play.temperature.into(), Above0),
            ("learner.batch_size", learn.batch_size as f64, AtLeast1),
            ("learner.window_games", learn.window_games as f64, AtLeast1),
            (
                "learner.samples_per_position",
                learn.samples_per_position.into(),
                Above0,
            ),
            ("learner.learning_rate", learn.learning_rate, Above0),
            ("learner.weight_decay", learn.weight_decay.into(), AtLeast0),
            ("learner.gradient_norm", learn.gradient_norm.into(), Above0),
            ("learner.value_weight", learn.value_weight.into(), AtLeast0),
            (
                "learner.points_weight",
                learn.points_weight.into(),
                AtLeast0,
            ),
            (
                "learner.root_value_share",
                learn.root_value_share.into(),
                Share,
            ),
            ("learner.ema_decay", learn.ema_decay.into(), Below1),
        ];
        match fields
            .into_iter()
            .find(|(_, value, range)| !range.holds(*value))
        {
            None => Ok(()),
            Some((field, value, range)) => Err(ConfigError::OutOfRange {
                field,
                expected: range.expected(),
                got: value.to_string(),
            }),
        }
    }
}

/// Whether the rules leave the length of the game without a bound of use. A text that names no
/// game is refused elsewhere.
fn has_no_bound(spec: &str) -> bool {
    AnyGame::parse(spec).is_ok_and(|any| with_game!(&any, game => game.max_plies().is_none()))
}

/// The numbers that a field may hold; none of them infinite.
#[derive(Clone, Copy)]
enum Range {
    AtLeast1,
    AtLeast0,
    Above0,
    Share,
    Below1,
}

impl Range {
    fn holds(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Range::AtLeast1 => value >= 1.0,
                Range::AtLeast0 => value >= 0.0,
                Range::Above0 => value > 0.0,
                Range::Share => (0.0..=1.0).contains(&value),
                Range::Below1 => (0.0..1.0).contains(&value),
            }
    }

    fn expected(self) -> &'static str {
        match self {
            Range::AtLeast1 => "at least 1",
            Range::AtLeast0 => "at least 0",
            Range::Above0 => "above 0",
            Range::Share => "0 to 1",
            Range::Below1 => "at least 0 and below 1",
        }
    }
}

/// A configuration that comes with Tablero.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name on the command line.
    pub name: &'static str,
    /// The documented TOML file.
    pub toml: &'static str,
}

impl Preset {
    /// The first comment line of the file: what the preset is for.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        let line = self.toml.lines().next().unwrap_or_default();
        line.trim_start_matches('#').trim()
    }
}

/// Every preset.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "quickstart",
        toml: include_str!("../presets/quickstart.toml"),
    },
    Preset {
        name: "dots-and-boxes-3x3",
        toml: include_str!("../presets/dots-and-boxes-3x3.toml"),
    },
    Preset {
        name: "dots-and-boxes-5x5",
        toml: include_str!("../presets/dots-and-boxes-5x5.toml"),
    },
];

fn preset_names() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_value_out_of_range_is_named() {
        type Change = fn(&mut RunConfig);
        let changes: [(&str, Change); 9] = [
            ("keep_checkpoints", |config| config.keep_checkpoints = 0),
            ("self_play.temperature", |config| {
                config.self_play.temperature = 0.0
            }),
            ("learner.batch_size", |config| config.learner.batch_size = 0),
            ("learner.learning_rate", |config| {
                config.learner.learning_rate = f64::NAN
            }),
            ("learner.root_value_share", |config| {
                config.learner.root_value_share = 1.5
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

//! What a player is: a kind, and for each kind a struct of options.

use super::PlayerError;
use crate::budget::Limit;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tablero_minimax::{LEVELS, Level, Limits};
use tablero_models::{Overlay, SearchConfig};

/// The kinds of players that Tablero has.
pub(super) const KINDS: [&str; 8] = [
    "random", "greedy", "solver", "minimax", "mcts", "zoo", "policy", "uhp",
];

/// The depth of `minimax` without limits.
const DEFAULT_DEPTH: u32 = 4;
/// The depth of `uhp` without limits: engines differ much in speed.
const DEFAULT_ENGINE_DEPTH: u32 = 2;
/// Seconds that an engine's answer may take: see [`EngineOptions::wait`].
const WAIT_BESIDE_TIME: u32 = 10;
const WAIT_BESIDE_DEPTH: u32 = 600;
const MOST_WAIT: u32 = 86_400;
const MOST_TEMPERATURE: f32 = 100.0;
/// Simulations of `mcts` without a number.
const DEFAULT_MCTS_SIMULATIONS: u32 = 800;

/// A player as text. `Display` writes what `FromStr` reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerSpec {
    /// Uniformly random legal actions.
    Random,
    /// The action that looks best at once: minimax of depth 1.
    Greedy,
    /// Alpha-beta.
    Minimax(MinimaxOptions),
    /// Perfect play, on boards that the exact solver takes.
    Solver,
    /// Tree search with one random rollout a leaf.
    Mcts(SearchOptions),
    /// A trained policy.
    Policy {
        /// Where it is.
        source: PolicySource,
        /// What is not as in the policy's own configuration.
        options: SearchOptions,
    },
    /// A player of the program's own: see [`Players`](super::Players).
    Own {
        /// Its name.
        name: String,
        /// How it searches, where it is an evaluator.
        options: SearchOptions,
    },
    /// An engine of another program, for Hive: see [`uhp`](crate::uhp).
    Uhp {
        /// The program and its arguments.
        command: String,
        /// Its limits.
        options: EngineOptions,
    },
}

/// Where a trained policy is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicySource {
    /// A policy directory, or a run (its latest checkpoint).
    Directory(PathBuf),
    /// That of the game played, among those that come with Tablero:
    /// [`ZOO`](tablero_models::ZOO).
    Zoo,
}

impl PolicySource {
    /// Whether it comes with Tablero.
    #[must_use]
    pub fn is_zoo(&self) -> bool {
        *self == PolicySource::Zoo
    }
}

/// The options of `minimax`. Without a limit it searches to depth 4.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MinimaxOptions {
    /// A named limit in nodes, beside which there is no other.
    pub level: Option<LevelName>,
    /// Turns, at least 1: as in [`Limits::depth`].
    pub depth: Option<u32>,
    /// Positions visited a move, at least 1.
    pub nodes: Option<u64>,
    /// The time.
    #[serde(flatten)]
    pub limit: Limit,
}

/// A level by name or number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelName(pub Level);

/// The options of a tree search: a time, and the fields of a [`SearchConfig`] that change. With a
/// time and without `sims` the time alone is the limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchOptions {
    /// The time.
    pub limit: Limit,
    /// How its moves are drawn.
    pub draw: Draw,
    /// The fields.
    pub search: Overlay,
}

/// How a tree search draws its moves, as a field of its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draw {
    /// Moves are drawn by their visits to the power of 1 / `temperature`, 0 to 100. At 0, the default,
    /// the best one is played, as always where nothing is searched (`sims=0`).
    pub temperature: f32,
}

/// The options of `uhp`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineOptions {
    /// Plies; used where there is no time. Default 2.
    pub depth: Option<u32>,
    /// Seconds, 1 to 86,400, that each answer may take beyond the time that is asked for; then the
    /// engine is killed and has lost the game. Default 10 beside a time, 600 beside a depth alone,
    /// whose searches may take long.
    pub wait: Option<u32>,
    /// The time, which engines may round up to whole seconds.
    #[serde(flatten)]
    pub limit: Limit,
}

/// The forms of a player, for help texts and errors.
pub const PLAYER_FORMS: &str = "random | greedy | solver | minimax:level=1..6 | \
     minimax:depth=N,nodes=N,ms=N,clock=BASE+INC,threads=N | mcts:sims=N,… | zoo:sims=N,… | \
     policy:DIR,sims=N,… | uhp:\"COMMAND\",depth=N,ms=N,clock=BASE+INC,wait=S";

impl PlayerSpec {
    /// The policy in a directory, as it is configured.
    #[must_use]
    pub fn of_directory(directory: &Path) -> PlayerSpec {
        PlayerSpec::Policy {
            source: PolicySource::Directory(directory.to_owned()),
            options: SearchOptions::default(),
        }
    }
}

impl MinimaxOptions {
    /// The limits of one move, without those of the clock.
    #[must_use]
    pub fn limits(&self) -> Limits {
        if let Some(LevelName(level)) = self.level {
            return level.limits;
        }
        let is_limited = self.nodes.is_some() || self.limit.is_timed();
        Limits {
            depth: self.depth.or((!is_limited).then_some(DEFAULT_DEPTH)),
            nodes: self.nodes,
            time: self.limit.ms.map(|ms| Duration::from_millis(ms.into())),
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.limit.check()?;
        let others = Self {
            level: None,
            ..self.clone()
        };
        match self {
            Self { level: Some(_), .. } if others != Self::default() => {
                Err("a level has no other limits".to_owned())
            }
            Self { depth: Some(0), .. } => Err("depth is at least 1, got 0".to_owned()),
            Self { nodes: Some(0), .. } => Err("nodes are at least 1, got 0".to_owned()),
            Self { nodes, limit, .. }
                if limit.threads > 1 && (nodes.is_some() || !limit.is_timed()) =>
            {
                Err(
                    "threads need a limit in time (ms or clock) and none in nodes: their number may \
                     change no other answer"
                        .to_owned(),
                )
            }
            _ => Ok(()),
        }
    }
}

impl SearchOptions {
    /// The options of a text; `base` is what the fields are laid over to check them.
    pub(super) fn read(mut options: Overlay, base: SearchConfig) -> Result<Self, String> {
        let limit = options.split_off::<Limit>().over(&Limit::default());
        let draw = options.split_off::<Draw>().over(&Draw::default());
        let options = SearchOptions {
            limit: limit.map_err(|error| error.to_string())?,
            draw: draw.map_err(|error| error.to_string())?,
            search: options,
        };
        let Draw { temperature } = options.draw;
        if !(0.0..=MOST_TEMPERATURE).contains(&temperature) {
            return Err(format!(
                "temperature is 0 to {MOST_TEMPERATURE}, got {temperature}"
            ));
        }
        options.limit.check()?;
        if options.limit.threads > 1 {
            return Err("one thread searches a tree".to_owned());
        }
        options.over(&base).map_err(|error| error.to_string())?;
        Ok(options)
    }

    /// How the agent searches, where this is its own configuration.
    ///
    /// # Errors
    /// The field that cannot be laid over.
    pub fn over(&self, base: &SearchConfig) -> Result<SearchConfig, PlayerError> {
        let config = base.with(&self.search)?;
        let by_time_alone = self.limit.is_timed() && !self.search.sets("sims");
        let sims = if by_time_alone { u32::MAX } else { config.sims };
        Ok(SearchConfig { sims, ..config })
    }

    /// How `mcts` searches, where nothing is said.
    #[must_use]
    pub fn rollouts() -> SearchConfig {
        let mut config = SearchConfig {
            sims: DEFAULT_MCTS_SIMULATIONS,
            ..SearchConfig::default()
        };
        config.tree.transpositions = false;
        config
    }
}

impl EngineOptions {
    /// The depth asked for, where there is no time.
    #[must_use]
    pub fn depth(&self) -> Option<u32> {
        let default = (!self.limit.is_timed()).then_some(DEFAULT_ENGINE_DEPTH);
        self.depth.or(default)
    }

    /// How long an answer may take beyond the time that is asked for.
    #[must_use]
    pub fn patience(&self) -> Duration {
        let default = if self.limit.is_timed() {
            WAIT_BESIDE_TIME
        } else {
            WAIT_BESIDE_DEPTH
        };
        Duration::from_secs(self.wait.unwrap_or(default).into())
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.limit.check()?;
        match self {
            Self { depth: Some(0), .. } => Err("depth is at least 1, got 0".to_owned()),
            Self {
                wait: Some(wait), ..
            } if !(1..=MOST_WAIT).contains(wait) => {
                Err(format!("wait is 1 to {MOST_WAIT} seconds, got {wait}"))
            }
            _ => Ok(()),
        }
    }
}

impl Serialize for LevelName {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.0.name)
    }
}

impl<'de> Deserialize<'de> for LevelName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Text {
            Number(u64),
            Name(String),
        }
        let text = match Text::deserialize(from)? {
            Text::Number(number) => number.to_string(),
            Text::Name(name) => name,
        };
        let forms = || {
            let levels = LEVELS.iter().enumerate();
            let forms = levels.map(|(index, level)| format!("{} ({})", index + 1, level.name));
            forms.collect::<Vec<_>>().join(", ")
        };
        Level::parse(&text)
            .map(LevelName)
            .ok_or_else(|| D::Error::custom(format!("a level is {}", forms())))
    }
}

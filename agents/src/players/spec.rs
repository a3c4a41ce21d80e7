//! Players as text: `kind:KEY=VALUE,KEY=VALUE`. Each kind has a struct of options, over which the
//! text is laid.

use super::PlayerError;
use crate::budget::Limit;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use tablero_minimax::{LEVELS, Level, Limits};
use tablero_models::{Overlay, SearchConfig};

/// The depth of `minimax` without limits.
const DEFAULT_DEPTH: u32 = 4;
/// The depth of `uhp` without limits: engines differ much in speed.
const DEFAULT_ENGINE_DEPTH: u32 = 2;
/// Seconds that an engine's answer may take: see [`EngineOptions::wait`].
const WAIT_BESIDE_TIME: u32 = 10;
const WAIT_BESIDE_DEPTH: u32 = 600;
const MOST_WAIT: u32 = 86_400;
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
    /// A policy directory, or a run (the checkpoint that plays: the latest, but for a gate).
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
    /// The fields.
    pub search: Overlay,
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

    fn check(&self) -> Result<(), String> {
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
    fn read(mut options: Overlay, base: SearchConfig) -> Result<Self, String> {
        let limit = options.split_off::<Limit>().over(&Limit::default());
        let options = SearchOptions {
            limit: limit.map_err(|error| error.to_string())?,
            search: options,
        };
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

    fn check(&self) -> Result<(), String> {
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

impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let wrong = |reason: String| PlayerError::Syntax {
            got: text.to_owned(),
            reason,
        };
        let (kind, rest) = match text.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest)),
            None => (text, None),
        };
        let (named, options) = split_name(kind, rest.unwrap_or_default());
        let options = Overlay::parse(options).map_err(|error| wrong(error.to_string()))?;
        let laid_over = |error: tablero_models::OverlayError| wrong(error.to_string());
        let name = || {
            named
                .clone()
                .ok_or_else(|| wrong(format!("{kind} of what?")))
        };
        let search = |options, base| SearchOptions::read(options, base).map_err(wrong);
        let spec = match kind {
            "random" | "greedy" | "solver" if rest.is_some() => {
                return Err(wrong("it takes no options".to_owned()));
            }
            "random" => PlayerSpec::Random,
            "greedy" => PlayerSpec::Greedy,
            "solver" => PlayerSpec::Solver,
            "minimax" => {
                let read = options.over(&MinimaxOptions::default());
                let options: MinimaxOptions = read.map_err(laid_over)?;
                options.check().map_err(wrong)?;
                PlayerSpec::Minimax(options)
            }
            "mcts" => {
                let options = search(options, SearchOptions::rollouts())?;
                if options.over(&SearchOptions::rollouts())?.sims == 0 {
                    return Err(wrong("sims is at least 1, got 0".to_owned()));
                }
                PlayerSpec::Mcts(options)
            }
            "zoo" => PlayerSpec::Policy {
                source: PolicySource::Zoo,
                options: search(options, SearchConfig::default())?,
            },
            "policy" => PlayerSpec::Policy {
                source: PolicySource::Directory(name()?.into()),
                options: search(options, SearchConfig::default())?,
            },
            "uhp" => {
                let read = options.over(&EngineOptions::default());
                let options: EngineOptions = read.map_err(laid_over)?;
                options.check().map_err(wrong)?;
                PlayerSpec::Uhp {
                    command: name()?,
                    options,
                }
            }
            _ => return Err(wrong("no such kind of player".to_owned())),
        };
        Ok(spec)
    }
}

/// The directory of a policy or the command of an engine, and the options behind it.
fn split_name<'a>(kind: &str, text: &'a str) -> (Option<String>, &'a str) {
    let (name, options) = match kind {
        // A directory's name may hold commas: only KEY=VALUE, and nothing else behind it, is an
        // option.
        "policy" => {
            let mut name = text;
            while let Some((head, tail)) = name.rsplit_once(',')
                && tail.split_once('=').is_some_and(|(key, _)| is_key(key))
            {
                name = head;
            }
            (name, &text[name.len()..])
        }
        // In double quotes, which may hold others and commas; or plain, without options.
        "uhp" => match text.strip_prefix('"').and_then(|t| t.rsplit_once('"')) {
            Some(quoted) => quoted,
            None => (text, ""),
        },
        _ => ("", text),
    };
    let name = name.trim();
    ((!name.is_empty()).then(|| name.to_owned()), options)
}

fn is_key(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_part)
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Random => write!(f, "random"),
            PlayerSpec::Greedy => write!(f, "greedy"),
            PlayerSpec::Solver => write!(f, "solver"),
            PlayerSpec::Minimax(options) => {
                let default = MinimaxOptions::default();
                write_options(f, "minimax", &Overlay::between(&default, options))
            }
            PlayerSpec::Mcts(options) => write_options(f, "mcts", &options.as_overlay()),
            PlayerSpec::Policy { source, options } => match source {
                PolicySource::Zoo => write_options(f, "zoo", &options.as_overlay()),
                PolicySource::Directory(directory) => {
                    write!(f, "policy:{}", directory.display())?;
                    write_rest(f, &options.as_overlay())
                }
            },
            PlayerSpec::Uhp { command, options } => {
                write!(f, "uhp:\"{command}\"")?;
                write_rest(f, &Overlay::between(&EngineOptions::default(), options))
            }
        }
    }
}

impl SearchOptions {
    fn as_overlay(&self) -> Overlay {
        self.search
            .and(&Overlay::between(&Limit::default(), &self.limit))
    }
}

fn write_options(f: &mut fmt::Formatter<'_>, kind: &str, options: &Overlay) -> fmt::Result {
    if options.is_empty() {
        return write!(f, "{kind}");
    }
    write!(f, "{kind}:{options}")
}

fn write_rest(f: &mut fmt::Formatter<'_>, options: &Overlay) -> fmt::Result {
    if options.is_empty() {
        return Ok(());
    }
    write!(f, ",{options}")
}

impl From<PlayerSpec> for String {
    fn from(spec: PlayerSpec) -> String {
        spec.to_string()
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = PlayerError;

    fn try_from(text: String) -> Result<Self, PlayerError> {
        text.parse()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PlayerSpec, PlayerError> {
        text.parse()
    }

    #[test]
    fn every_form_is_written_as_it_is_read() {
        for text in [
            "random",
            "greedy",
            "solver",
            "minimax",
            "minimax:depth=6",
            "minimax:level=novice",
            "minimax:nodes=1000",
            "minimax:ms=500,threads=2",
            "minimax:clock=60+1",
            "mcts",
            "mcts:sims=2000",
            "mcts:ms=100",
            "zoo",
            "zoo:root=gumbel,sims=400",
            "zoo:clock=60+1",
            "policy:runs/mine",
            "policy:a,b/c=d,sims=7",
            "policy:runs/x,analyser_nodes=0,symmetries=true",
            "uhp:\"nokamute --threads 1\"",
            "uhp:\"a, \"b\" c\",depth=3",
            "uhp:\"x\",clock=300+2",
            "uhp:\"x\",ms=100,wait=3",
        ] {
            let spec = parse(text).unwrap();
            assert_eq!(parse(&spec.to_string()).unwrap(), spec, "{text}");
            assert_eq!(spec.to_string(), text);
        }
        assert_eq!(
            parse("minimax:level=2").unwrap(),
            parse("minimax:level=novice").unwrap()
        );
    }

    #[test]
    fn a_directory_may_hold_commas_and_equal_signs() {
        let PlayerSpec::Policy { source, options } = parse("policy:a,b/c=d,sims=7").unwrap() else {
            panic!("a policy");
        };
        assert_eq!(source, PolicySource::Directory("a,b/c=d".into()));
        assert_eq!(options.search, Overlay::parse("sims=7").unwrap());
    }

    #[test]
    fn a_time_alone_lifts_the_limit_of_simulations() {
        let sims = |text: &str| {
            let PlayerSpec::Policy { options, .. } = parse(text).unwrap() else {
                panic!("a policy");
            };
            options.over(&SearchConfig::default()).unwrap().sims
        };
        assert_eq!(sims("zoo"), 200);
        assert_eq!(sims("zoo:ms=50"), u32::MAX);
        assert_eq!(sims("zoo:clock=5+1"), u32::MAX);
        assert_eq!(sims("zoo:ms=50,sims=7"), 7);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("", "no such kind"),
            ("maximin", "no such kind"),
            ("random:sims=3", "no options"),
            ("minimax:depht=3", "\"depht\""),
            ("minimax:depth=0", "depth is at least 1"),
            ("minimax:depth=x", "depth"),
            ("minimax:nodes=0", "nodes are at least 1"),
            ("minimax:ms=0", "ms is at least 1"),
            ("minimax:level=7", "1 (beginner)"),
            ("minimax:level=2,depth=3", "no other limits"),
            ("minimax:threads=2", "limit in time"),
            ("minimax:ms=5,threads=0", "1 to 1024"),
            ("minimax:clock=60", "BASE+INCREMENT"),
            ("minimax:clock=1e19+1e19", "at most 10,000,000"),
            ("minimax:clock=-1+2", "BASE+INCREMENT"),
            ("zoo:max_nodes=1000000000", "67,108,864"),
            ("zoo:c_puct=1e30", "0 to 1,000,000"),
            ("zoo:noise_alpha=1e-30", "noise_alpha"),
            ("mcts:sims=0", "at least 1"),
            ("mcts:sims=99999999999", "sims"),
            ("zoo:leaf_nodes=3", "\"leaf_nodes\""),
            ("zoo:c_puct=-1", "c_puct"),
            ("zoo:ms=5,threads=2", "one thread"),
            ("policy:", "policy of what"),
            ("policy:,sims=3", "policy of what"),
            ("uhp:", "uhp of what"),
            ("uhp:\"x\",sims=3", "\"sims\""),
            ("uhp:\"x\",wait=0", "1 to 86400"),
            ("uhp:\"x\",wait=99999999999", "wait"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}

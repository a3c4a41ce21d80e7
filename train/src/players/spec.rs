//! Players as text.

mod options;
#[cfg(test)]
mod tests;

use crate::{LeafSearch, RootSearch};
use options::Options;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use tablero_mcts::SearchParams;
use tablero_minimax::{LEVELS, Level, Limits, SolveError};
use tablero_models::{PolicyError, Precision, WeightsError, ZOO};

/// The depth of `minimax` without limits.
const DEFAULT_DEPTH: u32 = 4;
/// The depth of `uhp` without limits: engines differ much in speed.
const DEFAULT_ENGINE_DEPTH: u32 = 2;
/// Simulations of `mcts` and `policy` without a number.
const DEFAULT_MCTS_SIMULATIONS: u32 = 800;
const DEFAULT_POLICY_SIMULATIONS: u32 = 200;

/// A player as text. `Display` writes what `FromStr` reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerSpec {
    /// Uniformly random legal actions.
    Random,
    /// The action that looks best at once: minimax of depth 1.
    Greedy,
    /// Alpha-beta.
    Minimax {
        /// At least one limit a move.
        limits: Limits,
        /// At least 1; more only where the limit is in time and not in nodes.
        threads: u32,
    },
    /// Alpha-beta at a named level.
    Level(Level),
    /// Perfect play, on boards that the exact solver takes.
    Solver,
    /// Tree search with one random rollout a leaf.
    Mcts {
        /// Simulations a move.
        sims: u32,
    },
    /// An engine of another program, for Hive: see [`tablero_minimax::uhp`].
    Uhp {
        /// The program and its arguments.
        command: String,
        /// Plies; used where there is no time.
        depth: Option<u32>,
        /// Milliseconds a move, which engines may round up to whole seconds.
        ms: Option<u64>,
    },
    /// A trained policy.
    Policy {
        /// Where it is.
        source: PolicySource,
        /// How it plays.
        options: PolicyOptions,
    },
}

/// How a trained policy plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyOptions {
    /// Simulations a move; 0 plays the network's most probable action without search.
    pub sims: u32,
    /// How exactly the network calculates.
    pub precision: Precision,
    /// Whether positions are judged through all symmetries of the game:
    /// [`Symmetrized`](tablero_mcts::Symmetrized).
    pub symmetries: bool,
    /// Whether positions that several orders of moves lead to share a node:
    /// [`transpositions`](tablero_mcts::SearchParams::transpositions).
    pub transpositions: bool,
    /// The search that looks at each leaf first: that of the policy's configuration if `None`, and
    /// none at all with 0 nodes of both kinds.
    pub leaf_search: Option<LeafSearch>,
    /// [`minimax_share`](tablero_mcts::SearchParams::minimax_share): that of the policy's
    /// configuration if `None`.
    pub minimax_share: Option<f32>,
    /// In positions that look lost to the search, the move is played after which minimax searches of
    /// up to so many nodes are likeliest to go wrong; with 0 the search's, as in all others. That of the
    /// policy's configuration if `None`.
    pub trap_nodes: Option<u64>,
    /// The search that looks at the moves that the tree search likes, before one of them is played: that
    /// of the policy's configuration if `None`, and none at all with 0 nodes.
    pub root_search: Option<RootSearch>,
}

impl Default for PolicyOptions {
    /// 200 simulations in 32-bit floats, with transpositions.
    fn default() -> Self {
        PolicyOptions {
            sims: DEFAULT_POLICY_SIMULATIONS,
            precision: Precision::F32,
            symmetries: false,
            transpositions: true,
            leaf_search: None,
            minimax_share: None,
            trap_nodes: None,
            root_search: None,
        }
    }
}

impl PolicyOptions {
    /// The parameters of its tree search.
    pub(crate) fn search_params(&self) -> SearchParams {
        SearchParams {
            transpositions: self.transpositions,
            minimax_share: self.minimax_share.unwrap_or(0.0),
            ..SearchParams::default()
        }
    }
}

/// Where a trained policy is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicySource {
    /// A policy directory, or a run (its latest checkpoint).
    Directory(PathBuf),
    /// That of the game played, among those that come with Tablero: [`ZOO`].
    Zoo,
}

/// A player that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// No policy for the game comes with Tablero.
    #[error(
        "no policy for {game} comes with Tablero; there are: {}; train your own: tablero train",
        zoo_games()
    )]
    NotInZoo {
        /// The game to be played.
        game: String,
    },
    /// There is no policy and no run.
    #[error(
        "{} is neither a training run nor a policy directory: it has no manifest.json and no \
         policy.json",
        directory.display()
    )]
    NoAgent {
        /// Where it should be.
        directory: PathBuf,
    },
    /// The text is not a player.
    #[error("not a player: {got:?}: {reason}; expected {PLAYER_FORMS}")]
    Syntax {
        /// The text.
        got: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An engine speaks of another game.
    #[error("uhp engines play hive, not {game}")]
    NotHive {
        /// The game to be played.
        game: String,
    },
    /// The player gives moves without reasons.
    #[error("{player} has nothing to say of a position; expected mcts, policy, minimax or solver")]
    NoAnalyst {
        /// The player.
        player: String,
    },
    /// The board is beyond the exact solver.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// The policy cannot be loaded, or belongs to another game.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The policy's weights are not those of its network.
    #[error(transparent)]
    Network(#[from] WeightsError),
    /// The run that the policy should come from.
    #[error(transparent)]
    Run(#[from] Box<crate::run::RunError>),
}

/// The forms of a player, for help texts and errors.
pub const PLAYER_FORMS: &str = "random | greedy | minimax:level=1..6 | \
                                minimax:depth=N,ms=N,nodes=N,threads=N | mcts:sims=N | \
                                policy:DIR,sims=N,precision=f32|bf16,symmetries=all,\
                                transpositions=on|off,leaf_nodes=N,leaf_share=X,solver_nodes=N,minimax_share=X,\
                                trap_nodes=N,root_nodes=N,root_share=X | \
                                zoo:… with the same options | solver | uhp:\"COMMAND\",depth=N,ms=N";

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Random => write!(f, "random"),
            PlayerSpec::Greedy => write!(f, "greedy"),
            PlayerSpec::Minimax { limits, threads } => {
                let options = [
                    limits.depth.map(|n| format!("depth={n}")),
                    limits.time.map(|time| format!("ms={}", time.as_millis())),
                    limits.nodes.map(|n| format!("nodes={n}")),
                    (*threads > 1).then(|| format!("threads={threads}")),
                ];
                let options: Vec<String> = options.into_iter().flatten().collect();
                write!(f, "minimax:{}", options.join(","))
            }
            PlayerSpec::Level(level) => write!(f, "minimax:level={}", level.name),
            PlayerSpec::Solver => write!(f, "solver"),
            PlayerSpec::Mcts { sims } => write!(f, "mcts:sims={sims}"),
            PlayerSpec::Uhp { command, depth, ms } => {
                write!(f, "uhp:\"{command}\"")?;
                depth.map_or(Ok(()), |n| write!(f, ",depth={n}"))?;
                ms.map_or(Ok(()), |n| write!(f, ",ms={n}"))
            }
            PlayerSpec::Policy { source, options } => {
                let sims = options.sims;
                match source {
                    PolicySource::Directory(directory) => {
                        write!(f, "policy:{},sims={sims}", directory.display())?;
                    }
                    PolicySource::Zoo => write!(f, "zoo:sims={sims}")?,
                }
                if options.precision != Precision::F32 {
                    write!(f, ",precision={}", options.precision)?;
                }
                if options.symmetries {
                    write!(f, ",symmetries=all")?;
                }
                if !options.transpositions {
                    write!(f, ",transpositions=off")?;
                }
                if let Some(search) = options.leaf_search {
                    write!(f, ",leaf_nodes={}", search.nodes)?;
                    if search.share > 0.0 {
                        write!(f, ",leaf_share={}", search.share)?;
                    }
                    if search.solver_nodes > 0 {
                        write!(f, ",solver_nodes={}", search.solver_nodes)?;
                    }
                }
                if let Some(share) = options.minimax_share {
                    write!(f, ",minimax_share={share}")?;
                }
                if let Some(nodes) = options.trap_nodes {
                    write!(f, ",trap_nodes={nodes}")?;
                }
                if let Some(search) = options.root_search {
                    write!(f, ",root_nodes={}", search.nodes)?;
                    if search.share > 0.0 {
                        write!(f, ",root_share={}", search.share)?;
                    }
                }
                Ok(())
            }
        }
    }
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

impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Self, PlayerError> {
        let wrong = |reason: &str| PlayerError::Syntax {
            got: text.to_owned(),
            reason: reason.to_owned(),
        };
        let (kind, rest) = match text.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest)),
            None => (text, None),
        };
        if let Some(name) = text.strip_prefix("minimax:level=") {
            return Level::parse(name).map(PlayerSpec::Level).ok_or_else(|| {
                wrong(&format!(
                    "a level is {}, without other limits",
                    level_forms()
                ))
            });
        }
        let options = Options::read(kind, rest.unwrap_or_default()).map_err(|why| wrong(&why))?;
        match kind {
            "random" | "greedy" | "solver" if rest.is_some() => Err(wrong("it takes no options")),
            "random" => Ok(PlayerSpec::Random),
            "greedy" => Ok(PlayerSpec::Greedy),
            "solver" => Ok(PlayerSpec::Solver),
            "minimax" => {
                let small = |n: u64| u32::try_from(n).map_err(|_| wrong("depth is too large"));
                let mut depth = options.get("depth").map(small).transpose()?;
                let (ms, nodes) = (options.get("ms"), options.get("nodes"));
                if [depth.map(u64::from), ms, nodes].contains(&Some(0)) {
                    return Err(wrong("a limit is at least 1"));
                }
                if ms.is_none() && nodes.is_none() {
                    depth = depth.or(Some(DEFAULT_DEPTH));
                }
                let threads = match options.get("threads") {
                    None => 1,
                    Some(_) if ms.is_none() || nodes.is_some() => {
                        return Err(wrong(
                            "threads need a limit in time (ms) and none in nodes: their number may \
                             change no other answer",
                        ));
                    }
                    Some(n @ 1..=1024) => n as u32,
                    Some(_) => return Err(wrong("threads are 1 to 1024")),
                };
                let time = ms.map(Duration::from_millis);
                let limits = Limits { depth, time, nodes };
                Ok(PlayerSpec::Minimax { limits, threads })
            }
            "mcts" => match options.simulations(DEFAULT_MCTS_SIMULATIONS) {
                Some(sims) if sims > 0 => Ok(PlayerSpec::Mcts { sims }),
                _ => Err(wrong("sims is 1 to 4294967295")),
            },
            "uhp" => {
                let small = |n: u64| u32::try_from(n).map_err(|_| wrong("depth is too large"));
                let ms = options.get("ms");
                let depth = options.get("depth").map(small).transpose()?;
                if [depth.map(u64::from), ms].contains(&Some(0)) {
                    return Err(wrong("a limit is at least 1"));
                }
                Ok(PlayerSpec::Uhp {
                    command: options
                        .name
                        .ok_or_else(|| wrong("the engine's command is missing"))?,
                    depth: if ms.is_none() {
                        depth.or(Some(DEFAULT_ENGINE_DEPTH))
                    } else {
                        depth
                    },
                    ms,
                })
            }
            "policy" | "zoo" => {
                let sims = options
                    .simulations(DEFAULT_POLICY_SIMULATIONS)
                    .ok_or_else(|| wrong("sims is 0 to 4294967295"))?;
                let (leaf_nodes, solver_nodes) =
                    (options.get("leaf_nodes"), options.get("solver_nodes"));
                let trap_nodes = options.get("trap_nodes");
                if options.leaf_share.is_some() && leaf_nodes.unwrap_or(0) == 0 {
                    return Err(wrong("leaf_share needs leaf_nodes of at least 1"));
                }
                let is_said = leaf_nodes.is_some() || solver_nodes.is_some();
                let leaf_search = is_said.then(|| LeafSearch {
                    nodes: leaf_nodes.unwrap_or(0),
                    share: options.leaf_share.unwrap_or(0.0),
                    solver_nodes: solver_nodes.unwrap_or(0),
                });
                let root_nodes = options.get("root_nodes");
                if options.root_share.is_some() && root_nodes.unwrap_or(0) == 0 {
                    return Err(wrong("root_share needs root_nodes of at least 1"));
                }
                let root_search = root_nodes.map(|nodes| RootSearch {
                    nodes,
                    share: options.root_share.unwrap_or(0.0),
                });
                let source = match options.name {
                    Some(directory) => PolicySource::Directory(PathBuf::from(directory)),
                    None if kind == "zoo" => PolicySource::Zoo,
                    None => return Err(wrong("the policy's directory is missing")),
                };
                Ok(PlayerSpec::Policy {
                    source,
                    options: PolicyOptions {
                        sims,
                        precision: options.precision,
                        symmetries: options.symmetries,
                        transpositions: options.transpositions,
                        leaf_search,
                        minimax_share: options.minimax_share,
                        trap_nodes,
                        root_search,
                    },
                })
            }
            _ => Err(wrong("no such kind of player")),
        }
    }
}

/// The games for which a policy comes with Tablero.
fn zoo_games() -> String {
    let games: Vec<&str> = ZOO.iter().map(|entry| entry.game).collect();
    games.join(", ")
}

/// "1 (beginner), 2 (novice), …".
fn level_forms() -> String {
    let forms = LEVELS.iter().enumerate();
    let forms: Vec<String> = forms
        .map(|(index, level)| format!("{} ({})", index + 1, level.name))
        .collect();
    forms.join(", ")
}

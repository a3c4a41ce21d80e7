//! Players, written alike everywhere: `random`, `greedy`, `minimax:depth=4`,
//! `mcts:sims=800`, `policy:DIR,sims=200`.

use crate::run::Run;
use rand::SeedableRng;
use std::fmt;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tablero_env::random::Stream;
use tablero_env::{ActionId, BoardGame, Game};
use tablero_mcts::{Batch, Evaluations, Evaluator, Request, Rollout, Search, SearchParams, run};
use tablero_minimax::{Baseline, Limits, Minimax};
use tablero_models::{LeafEvaluator, LeafNetwork, Policy, PolicyError, WeightsError};

/// MiB of a minimax player's transposition table.
pub const TABLE_MIB: usize = 64;
/// The depth of `minimax` without limits.
const DEFAULT_DEPTH: u32 = 4;
/// Simulations of `mcts` and `policy` without a number.
const DEFAULT_MCTS_SIMULATIONS: u32 = 800;
const DEFAULT_POLICY_SIMULATIONS: u32 = 200;

/// A player as text. `Display` writes what `FromStr` reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// Uniformly random legal actions.
    Random,
    /// The action that looks best at once: minimax of depth 1.
    Greedy,
    /// Alpha-beta; at least one limit.
    Minimax {
        /// Plies.
        depth: Option<u32>,
        /// Milliseconds a move.
        ms: Option<u64>,
        /// Nodes a move.
        nodes: Option<u64>,
    },
    /// Tree search with one random rollout a leaf.
    Mcts {
        /// Simulations a move.
        sims: u32,
    },
    /// A trained policy.
    Policy {
        /// A policy directory, or a run (its latest checkpoint).
        directory: PathBuf,
        /// Simulations a move; 0 plays the network's most probable action without search.
        sims: u32,
    },
}

/// A player that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The text is not a player.
    #[error("not a player: {got:?}: {reason}; expected {PLAYER_FORMS}")]
    Syntax {
        /// The text.
        got: String,
        /// What is wrong with it.
        reason: String,
    },
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
pub const PLAYER_FORMS: &str = "random | greedy | minimax:depth=N,ms=N,nodes=N | mcts:sims=N | \
                                policy:DIR,sims=N";

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Random => write!(f, "random"),
            PlayerSpec::Greedy => write!(f, "greedy"),
            PlayerSpec::Minimax { depth, ms, nodes } => {
                let limits = [
                    depth.map(|n| format!("depth={n}")),
                    ms.map(|n| format!("ms={n}")),
                    nodes.map(|n| format!("nodes={n}")),
                ];
                let limits: Vec<String> = limits.into_iter().flatten().collect();
                write!(f, "minimax:{}", limits.join(","))
            }
            PlayerSpec::Mcts { sims } => write!(f, "mcts:sims={sims}"),
            PlayerSpec::Policy { directory, sims } => {
                write!(f, "policy:{},sims={sims}", directory.display())
            }
        }
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
        let options = Options::read(kind, rest.unwrap_or_default()).map_err(|why| wrong(&why))?;
        match kind {
            "random" | "greedy" if rest.is_some() => Err(wrong("it takes no options")),
            "random" => Ok(PlayerSpec::Random),
            "greedy" => Ok(PlayerSpec::Greedy),
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
                Ok(PlayerSpec::Minimax { depth, ms, nodes })
            }
            "mcts" => match options.simulations(DEFAULT_MCTS_SIMULATIONS) {
                Some(sims) if sims > 0 => Ok(PlayerSpec::Mcts { sims }),
                _ => Err(wrong("sims is 1 to 4294967295")),
            },
            "policy" => {
                let sims = options
                    .simulations(DEFAULT_POLICY_SIMULATIONS)
                    .ok_or_else(|| wrong("sims is 0 to 4294967295"))?;
                let directory = options
                    .directory
                    .ok_or_else(|| wrong("the policy's directory is missing"))?;
                Ok(PlayerSpec::Policy { directory, sims })
            }
            _ => Err(wrong("no such kind of player")),
        }
    }
}

/// The `key=number` options after the colon; for a policy its directory comes first.
struct Options {
    directory: Option<PathBuf>,
    numbers: Vec<(String, u64)>,
}

impl Options {
    fn read(kind: &str, text: &str) -> Result<Options, String> {
        let allowed: &[&str] = match kind {
            "minimax" => &["depth", "ms", "nodes"],
            "mcts" | "policy" => &["sims"],
            _ => &[],
        };
        let mut options = Options {
            directory: None,
            numbers: Vec::new(),
        };
        let mut rest = text;
        if kind == "policy" {
            // A directory's name may hold commas: only a last `,sims=` is an option.
            let (directory, tail) = match text.rsplit_once(",sims=") {
                Some((directory, _)) => (directory, &text[directory.len() + 1..]),
                None => (text, ""),
            };
            options.directory = (!directory.is_empty()).then(|| PathBuf::from(directory));
            rest = tail;
        }
        for option in rest.split(',').filter(|option| !option.is_empty()) {
            let Some((key, value)) = option.split_once('=') else {
                return Err(format!("{option:?} is not KEY=NUMBER"));
            };
            if !allowed.contains(&key) {
                return Err(format!("{kind} has no option {key:?}"));
            }
            let number = value
                .parse()
                .map_err(|_| format!("{key} is a number of at least 0, got {value:?}"))?;
            options.numbers.push((key.to_owned(), number));
        }
        Ok(options)
    }

    fn get(&self, key: &str) -> Option<u64> {
        let found = self.numbers.iter().rev().find(|(name, _)| name == key);
        found.map(|&(_, number)| number)
    }

    /// `None` if the number is too large.
    fn simulations(&self, default: u32) -> Option<u32> {
        match self.get("sims") {
            None => Some(default),
            Some(n) => u32::try_from(n).ok(),
        }
    }
}

/// A choice and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The action.
    pub action: ActionId,
    /// Positions looked at: minimax nodes, tree simulations, network evaluations without search.
    pub nodes: u64,
}

/// Someone who chooses actions.
pub trait Agent<G: Game>: Send {
    /// Chooses a legal action. All randomness comes from `stream`.
    ///
    /// # Panics
    /// If the game is over.
    fn choose(&mut self, state: &G::State, stream: &mut Stream) -> Choice;

    /// Tells that `action` was played in the game under way, by whomever: a search keeps what it
    /// knows of the positions that can still come.
    fn played(&mut self, _action: ActionId) {}

    /// Tells that a new game begins: nothing of the last one may sway it.
    fn new_game(&mut self) {}
}

/// A player whose files are loaded; makes an agent for each thread.
#[derive(Clone, Debug)]
pub struct LoadedPlayer {
    spec: PlayerSpec,
    network: Option<Arc<LeafNetwork>>,
}

impl PlayerSpec {
    /// Loads what the player needs and checks that it fits the game.
    ///
    /// # Errors
    /// If a policy cannot be loaded or belongs to another game.
    pub fn load<G: BoardGame>(&self, game: &G) -> Result<LoadedPlayer, PlayerError> {
        let network = match self {
            PlayerSpec::Policy { directory, .. } => {
                let policy = load_policy(directory)?;
                policy.check_game(game)?;
                Some(Arc::new(policy.leaf_network()?))
            }
            _ => None,
        };
        Ok(LoadedPlayer {
            spec: self.clone(),
            network,
        })
    }
}

/// Loads a policy directory, or the latest weights of a run.
///
/// # Errors
/// If the directory is neither, or damaged.
pub fn load_policy(directory: &Path) -> Result<Policy, PlayerError> {
    if Run::is_run(directory) {
        let policy = Run::latest_policy(directory).map_err(Box::new)?;
        return Ok(policy);
    }
    Ok(Policy::load(directory)?)
}

impl LoadedPlayer {
    /// The text it was made from.
    #[must_use]
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// An agent for one thread.
    #[must_use]
    pub fn agent<G: BoardGame + Baseline>(&self, game: &G) -> Box<dyn Agent<G>> {
        let minimax = |depth, ms: Option<u64>, nodes| MinimaxAgent {
            minimax: Minimax::new(game.clone(), TABLE_MIB),
            limits: Limits {
                depth,
                time: ms.map(Duration::from_millis),
                nodes,
            },
        };
        match &self.spec {
            PlayerSpec::Random => Box::new(RandomAgent {
                game: game.clone(),
                buffer: Vec::new(),
            }),
            PlayerSpec::Greedy => Box::new(minimax(Some(1), None, None)),
            &PlayerSpec::Minimax { depth, ms, nodes } => Box::new(minimax(depth, ms, nodes)),
            &PlayerSpec::Mcts { sims } => {
                Box::new(SearchAgent::new(game, sims, Rollout::new(NonZeroU32::MIN)))
            }
            &PlayerSpec::Policy { sims, .. } => {
                let network = self.network.as_ref().expect("a policy is loaded");
                let evaluator = LeafEvaluator::new(Arc::clone(network));
                if sims == 0 {
                    Box::new(NetworkAgent {
                        game: game.clone(),
                        evaluator,
                        evaluations: Evaluations::new(),
                    })
                } else {
                    Box::new(SearchAgent::new(game, sims, evaluator))
                }
            }
        }
    }
}

struct RandomAgent<G> {
    game: G,
    buffer: Vec<ActionId>,
}

impl<G: Game> Agent<G> for RandomAgent<G> {
    fn choose(&mut self, state: &G::State, stream: &mut Stream) -> Choice {
        Choice {
            action: self.game.sample_action(state, &mut self.buffer, stream),
            nodes: 0,
        }
    }
}

struct MinimaxAgent<G: Baseline> {
    minimax: Minimax<G>,
    limits: Limits,
}

impl<G: Baseline> Agent<G> for MinimaxAgent<G> {
    fn choose(&mut self, state: &G::State, _stream: &mut Stream) -> Choice {
        // What the table holds from other games must not sway this one: the choice would then
        // depend on how games are dealt to threads.
        self.minimax.clear();
        let report = self.minimax.search(state, &self.limits);
        Choice {
            action: report.best,
            nodes: report.nodes,
        }
    }
}

struct SearchAgent<G: Game, E> {
    game: G,
    sims: u32,
    evaluator: E,
    batch: Batch<G>,
    /// The tree of the game under way, from the agent's first move on.
    search: Option<Search<G>>,
}

impl<G: Game, E: Evaluator<G>> SearchAgent<G, E> {
    fn new(game: &G, sims: u32, evaluator: E) -> Self {
        SearchAgent {
            game: game.clone(),
            sims,
            evaluator,
            batch: Batch::new(),
            search: None,
        }
    }
}

impl<G: Game, E: Evaluator<G> + Send> Agent<G> for SearchAgent<G, E> {
    fn choose(&mut self, state: &G::State, stream: &mut Stream) -> Choice {
        let kept = self.search.take().filter(|search| search.state() == state);
        let mut search = kept.unwrap_or_else(|| {
            Search::new(
                self.game.clone(),
                state.clone(),
                SearchParams::default(),
                Stream::from_rng(stream),
            )
        });
        let one = std::slice::from_mut(&mut search);
        run(one, self.sims, &mut self.evaluator, &mut self.batch);
        let choice = Choice {
            action: search.best(),
            nodes: u64::from(search.n_simulations()),
        };
        self.search = Some(search);
        choice
    }

    fn played(&mut self, action: ActionId) {
        // A tree that cannot follow is of no use.
        self.search = self
            .search
            .take()
            .and_then(|mut search| search.advance(action).is_ok().then_some(search));
    }

    fn new_game(&mut self) {
        self.search = None;
    }
}

struct NetworkAgent<G> {
    game: G,
    evaluator: LeafEvaluator,
    evaluations: Evaluations,
}

impl<G: BoardGame> Agent<G> for NetworkAgent<G> {
    fn choose(&mut self, state: &G::State, _stream: &mut Stream) -> Choice {
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        let request = Request {
            state,
            legal: &legal,
            nonce: 0,
        };
        self.evaluator
            .evaluate(&self.game, &[request], &mut self.evaluations);
        let priors = self.evaluations.get(0).priors;
        // The first of equals, so that the choice is one.
        let best = (0..legal.len())
            .rev()
            .max_by(|&a, &b| priors[a].total_cmp(&priors[b]));
        Choice {
            action: legal[best.expect("the game is not over")],
            nodes: 1,
        }
    }
}

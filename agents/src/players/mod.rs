//! Players: every command uses the same text for them: `random`, `greedy`, `minimax:level=3`,
//! `minimax:ms=500`, `mcts:sims=800`, `zoo:sims=200`, `policy:DIR`, `solver`, `uhp:"COMMAND"`.

mod agents;
mod error;
mod levels;
mod own;
mod spec;
mod text;

pub use agents::{Agent, AgentError, Choice};
pub use error::PlayerError;
pub use levels::{POLICY_LEVELS, PolicyLevel, level_text};
pub(crate) use own::own_evaluator;
pub use own::{OwnKind, Players, own_kind, own_names, own_names_of};
pub use spec::{
    Draw, EngineOptions, LevelName, MinimaxOptions, PLAYER_FORMS, PlayerSpec, PolicySource,
    SearchOptions,
};

use crate::budget::{Limit, Watch};
use crate::informed::Informed;
use crate::memory;
use crate::uhp::Client;
use agents::{EngineAgent, MinimaxAgent, NetworkAgent, RandomAgent, SearchAgent, SolverAgent};
use own::{OwnAgent, own_agent};
use std::any::Any;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tablero_env::Game;
use tablero_env::hive::Hive;
use tablero_mcts::Rollout;
use tablero_minimax::{Baseline, Limits, Minimax, Playable};
use tablero_models::{LeafEvaluator, LeafNetwork, Policy, SearchConfig, ZooEntry};

/// MiB of a minimax player's transposition table.
pub const TABLE_MIB: usize = 64;

/// The folder within a run that holds the policy of the weights that play.
const POLICY_OF_A_RUN: &str = "policy";

/// A player whose files are loaded; makes an agent for each game.
#[derive(Clone, Debug)]
pub struct LoadedPlayer {
    spec: PlayerSpec,
    policy: Option<Trained>,
    table_mib: usize,
    /// MiB of all tables at most, whoever has them.
    most_mib: usize,
    /// Nodes of a tree at most, whatever the configuration allows.
    most_nodes: usize,
}

/// A network, and how its agent searches.
#[derive(Clone, Debug)]
struct Trained {
    network: Arc<LeafNetwork>,
    search: SearchConfig,
}

impl PlayerSpec {
    /// Loads what the player needs and checks that it fits the game.
    ///
    /// # Errors
    /// If a policy cannot be loaded or belongs to another game, an engine does not start or plays
    /// another game, or the board is beyond the solver.
    pub fn load<G: Playable>(&self, game: &G) -> Result<LoadedPlayer, PlayerError> {
        match self {
            PlayerSpec::Policy { source, .. } => {
                let policy = match source {
                    PolicySource::Directory(directory) => load_policy(directory)?,
                    PolicySource::Zoo => load_from_zoo(&game.spec())?,
                };
                policy.check_game(game)?;
                return LoadedPlayer::of_policy(self.clone(), &policy);
            }
            PlayerSpec::Solver => {
                game.solver()?;
            }
            PlayerSpec::Uhp { .. } if !(game as &dyn Any).is::<Hive>() => {
                return Err(PlayerError::NotHive { game: game.spec() });
            }
            PlayerSpec::Uhp { command, options } => {
                // One that never starts should be known before the games, not lose all of them.
                let started = Client::start(command, options.patience());
                drop(started.map_err(|error| PlayerError::Engine {
                    command: command.clone(),
                    error,
                })?);
            }
            PlayerSpec::Own { name, .. } => {
                let made = match own_kind(name) {
                    Some(OwnKind::Evaluator) => own_evaluator(name, game).map(drop),
                    _ => own_agent(name, game).map(drop),
                };
                let player = name.clone();
                made.map_err(|reason| PlayerError::Own { player, reason })?;
            }
            _ => {}
        }
        Ok(LoadedPlayer {
            spec: self.clone(),
            policy: None,
            table_mib: TABLE_MIB,
            most_mib: usize::MAX,
            most_nodes: usize::MAX,
        })
    }
}

/// The folder of a policy that `directory` stands for: itself, or that of the weights that
/// play where it is a training run.
#[must_use]
pub fn policy_folder(directory: &Path) -> PathBuf {
    let of_run = directory.join(POLICY_OF_A_RUN);
    if !Policy::is_policy(directory) && Policy::is_policy(&of_run) {
        return of_run;
    }
    directory.to_owned()
}

/// Loads a policy directory, the weights of a run that play, or those of one of its checkpoints, such
/// as `RUN/checkpoints/000012`.
///
/// # Errors
/// If the directory is none of these, or damaged.
pub fn load_policy(directory: &Path) -> Result<Policy, PlayerError> {
    let folder = policy_folder(directory);
    if !Policy::is_policy(&folder) {
        let (is_there, directory) = (directory.is_dir(), directory.to_owned());
        return Err(if is_there {
            PlayerError::NoAgent { directory }
        } else {
            PlayerError::NoFolder { directory }
        });
    }
    Ok(Policy::load(folder)?)
}

/// Loads an agent given as text: a run, one of its checkpoints, a policy directory, or `zoo:GAME`.
///
/// # Errors
/// If it is none of these, or damaged.
pub fn load_agent(agent: &str) -> Result<Policy, PlayerError> {
    match agent.strip_prefix("zoo:") {
        Some(game) => load_from_zoo(game),
        None => load_policy(agent.as_ref()),
    }
}

fn load_from_zoo(game: &str) -> Result<Policy, PlayerError> {
    let entry = ZooEntry::of_game(game).ok_or_else(|| PlayerError::NotInZoo {
        game: game.to_owned(),
    })?;
    Ok(entry.load()?)
}

impl LoadedPlayer {
    /// The player as text.
    #[must_use]
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// How the agent searches, where it is a tree search.
    #[must_use]
    pub fn search(&self) -> Option<SearchConfig> {
        let mut search = match (&self.spec, &self.policy) {
            (PlayerSpec::Mcts(options), _) => options.over(&SearchOptions::rollouts()).ok(),
            (PlayerSpec::Own { name, options }, _) => match own_kind(name)? {
                OwnKind::Evaluator => options.over(&SearchConfig::default()).ok(),
                OwnKind::Agent => None,
            },
            (_, policy) => policy.as_ref().map(|policy| policy.search.clone()),
        }?;
        search.tree.max_nodes = search.tree.max_nodes.min(self.most_nodes);
        Some(search)
    }

    /// The network of a policy.
    ///
    /// # Panics
    /// If it is another player.
    #[must_use]
    pub fn network(&self) -> &Arc<LeafNetwork> {
        let policy = self.policy.as_ref();
        &policy.expect("a policy is loaded").network
    }

    /// A policy in memory, which searches as its configuration and `spec` over it say, and is named
    /// by `spec` in reports.
    ///
    /// # Errors
    /// If its weights are not those of its network, or a field cannot be laid over.
    ///
    /// # Panics
    /// If `spec` is not [`PlayerSpec::Policy`].
    pub fn of_policy(spec: PlayerSpec, policy: &Policy) -> Result<LoadedPlayer, PlayerError> {
        let PlayerSpec::Policy { options, .. } = &spec else {
            panic!("expected a policy, got {spec}");
        };
        let search = options.over(&policy.manifest.search)?;
        let network = Arc::new(policy.leaf_network()?);
        Ok(LoadedPlayer::of_network(spec, network, search))
    }

    /// A policy whose network is in memory already, named by `spec` in reports.
    #[must_use]
    pub fn of_network(
        spec: PlayerSpec,
        network: Arc<LeafNetwork>,
        search: SearchConfig,
    ) -> LoadedPlayer {
        LoadedPlayer {
            spec,
            policy: Some(Trained { network, search }),
            table_mib: TABLE_MIB,
            most_mib: usize::MAX,
            most_nodes: usize::MAX,
        }
    }

    /// The same with a table of `table_mib` MiB where it is minimax; 0 means none.
    #[must_use]
    pub fn with_table_mib(mut self, table_mib: usize) -> LoadedPlayer {
        self.table_mib = table_mib;
        self
    }

    /// The same with tables of about `mib` MiB at most in each agent and each analyst: those of
    /// minimax, of an analyser beside a network, and of the exact solver, which is slower then.
    #[must_use]
    pub fn with_tables_within(mut self, mib: usize) -> LoadedPlayer {
        self.most_mib = mib;
        self
    }

    /// The same with at most `nodes` nodes in the tree of each agent and of each analyst.
    #[must_use]
    pub fn with_nodes_within(mut self, nodes: usize) -> LoadedPlayer {
        self.most_nodes = nodes;
        self
    }

    /// About how many bytes an agent needs beside what all of them share.
    pub(crate) fn memory<G: Game>(&self, game: &G) -> u64 {
        match &self.spec {
            PlayerSpec::Greedy | PlayerSpec::Minimax(_) => (self.minimax_mib() as u64) << 20,
            PlayerSpec::Mcts(options)
            | PlayerSpec::Policy { options, .. }
            | PlayerSpec::Own { options, .. } => {
                let time = Watch::new(options.limit).start().allowed;
                self.search()
                    .map_or(0, |search| memory::of_tree(game, &search, time))
            }
            PlayerSpec::Random | PlayerSpec::Solver | PlayerSpec::Uhp { .. } => 0,
        }
    }

    /// An agent for one game.
    #[must_use]
    pub fn agent<G: Playable>(&self, game: &G) -> Box<dyn Agent<G>> {
        match &self.spec {
            PlayerSpec::Random => Box::new(RandomAgent { game: game.clone() }),
            PlayerSpec::Greedy => Box::new(self.minimax(game, Limits::depth(1), Limit::default())),
            PlayerSpec::Minimax(options) => {
                Box::new(self.minimax(game, options.limits(), options.limit))
            }
            PlayerSpec::Solver => Box::new(SolverAgent {
                game: game.clone(),
                solver: game
                    .solver_within(self.most_mib)
                    .expect("checked when loaded"),
            }),
            PlayerSpec::Uhp { command, options } => {
                let game = *(game as &dyn Any)
                    .downcast_ref()
                    .expect("checked when loaded");
                let agent = EngineAgent::new(game, command.clone(), options);
                let agent: Box<dyn Agent<Hive>> = Box::new(agent);
                // G is Hive: the box changes its name, not its type.
                let agent: Box<dyn Any> = Box::new(agent);
                *agent.downcast().expect("checked when loaded")
            }
            PlayerSpec::Mcts(options) => {
                let config = self.search().expect("checked when read");
                let evaluator = Rollout::new(NonZeroU32::MIN);
                let evaluator = self.informed(game, evaluator, &config);
                Box::new(SearchAgent::new(game, config, evaluator, options))
            }
            PlayerSpec::Own { name, options } => match self.search() {
                None => Box::new(OwnAgent::new(game, name, own_agent(name, game))),
                Some(config) => match own_evaluator(name, game) {
                    Ok(evaluator) => {
                        let evaluator = self.informed(game, evaluator, &config);
                        Box::new(SearchAgent::new(game, config, evaluator, options))
                    }
                    Err(reason) => Box::new(OwnAgent::new(game, name, Err(reason))),
                },
            },
            PlayerSpec::Policy { options, .. } => {
                let config = self.search().expect("a policy is loaded");
                let evaluator = LeafEvaluator::new(Arc::clone(self.network()));
                if config.sims == 0 {
                    let game = game.clone();
                    return Box::new(NetworkAgent { game, evaluator });
                }
                let evaluator = self.informed(game, evaluator, &config);
                Box::new(SearchAgent::new(game, config, evaluator, options))
            }
        }
    }

    /// MiB of a table of minimax.
    pub(crate) fn minimax_mib(&self) -> usize {
        self.table_mib.min(self.most_mib)
    }

    /// MiB of all other tables, at most.
    pub(crate) fn most_mib(&self) -> usize {
        self.most_mib
    }

    fn informed<G: Playable, E>(
        &self,
        game: &G,
        evaluator: E,
        config: &SearchConfig,
    ) -> Informed<G, E> {
        Informed::within(game, evaluator, config, self.most_mib)
    }

    fn minimax<G: Baseline>(&self, game: &G, limits: Limits, limit: Limit) -> MinimaxAgent<G> {
        let minimax = Minimax::new(game.clone(), self.minimax_mib());
        MinimaxAgent {
            minimax: minimax.with_threads(limit.threads as usize),
            limits,
            watch: Watch::new(limit),
        }
    }
}

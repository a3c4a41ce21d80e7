//! Players, written alike everywhere: `random`, `greedy`, `minimax:level=3`, `minimax:depth=4`,
//! `mcts:sims=800`, `policy:DIR,sims=200`, `zoo:sims=200`, `solver`, `uhp:"COMMAND"`.

mod agents;
mod spec;

pub use agents::{Agent, AgentError, Choice};
pub use spec::{PLAYER_FORMS, PlayerError, PlayerSpec, PolicyOptions, PolicySource};

use crate::decider::Decider;
use crate::run::Run;
use agents::{EngineAgent, MinimaxAgent, NetworkAgent, RandomAgent, SearchAgent, SolverAgent};
use serde::de::DeserializeOwned;
use std::any::Any;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tablero_env::BoardGame;
use tablero_env::hive::Hive;
use tablero_mcts::{Rollout, SearchParams, Symmetrized};
use tablero_minimax::{Baseline, Limits, Minimax, Solvable};
use tablero_models::{LeafEvaluator, LeafNetwork, Policy, ZooEntry};

/// MiB of a minimax player's transposition table.
pub const TABLE_MIB: usize = 64;

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
    /// If a policy cannot be loaded or belongs to another game, an engine plays another game, or
    /// the board is beyond the solver.
    pub fn load<G: BoardGame + Solvable>(&self, game: &G) -> Result<LoadedPlayer, PlayerError> {
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
            _ => {}
        }
        Ok(LoadedPlayer {
            spec: self.clone(),
            network: None,
        })
    }
}

/// A field of the policy's configuration: that of `[play]` or, where nothing is said there, the one at
/// `otherwise`, a JSON pointer, if there is one. The rest of the configuration is not asked for, so that policies
/// of other versions play, too.
fn configured<T: DeserializeOwned>(
    policy: &Policy,
    field: &str,
    otherwise: Option<&str>,
) -> Option<T> {
    let config = policy.manifest.training.get("config")?;
    let in_play = config.get("play").and_then(|play| play.get(field));
    let value = in_play.or_else(|| config.pointer(otherwise?))?;
    T::deserialize(value).ok()
}

/// Loads a policy directory, the latest weights of a run, or those of one of its checkpoints, such
/// as `RUN/checkpoints/000012`.
///
/// # Errors
/// If the directory is neither, or damaged.
pub fn load_policy(directory: &Path) -> Result<Policy, PlayerError> {
    if Run::is_agent(directory) {
        let policy = Run::policy(directory).map_err(Box::new)?;
        return Ok(policy);
    }
    if !Policy::is_policy(directory) {
        let directory = directory.to_owned();
        return Err(PlayerError::NoAgent { directory });
    }
    Ok(Policy::load(directory)?)
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
    /// The player, with all that its text left to the policy.
    #[must_use]
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// The network of a policy.
    ///
    /// # Panics
    /// If it is another player.
    #[must_use]
    pub fn network(&self) -> &Arc<LeafNetwork> {
        self.network.as_ref().expect("a policy is loaded")
    }

    /// A policy in memory, which plays as `spec` says and is named by it in reports.
    ///
    /// # Errors
    /// If its weights are not those of its network.
    ///
    /// # Panics
    /// If `spec` is not [`PlayerSpec::Policy`].
    pub fn of_policy(mut spec: PlayerSpec, policy: &Policy) -> Result<LoadedPlayer, PlayerError> {
        let PlayerSpec::Policy { options, .. } = &mut spec else {
            panic!("expected a policy, got {spec}");
        };
        options.leaf_search = options
            .leaf_search
            .or_else(|| configured(policy, "leaf_search", Some("/self_play/leaf_search")));
        options.minimax_share = options.minimax_share.or_else(|| {
            let share = configured(
                policy,
                "minimax_share",
                Some("/self_play/search/minimax_share"),
            );
            share.filter(|&share| share > 0.0)
        });
        options.trap_nodes = options.trap_nodes.or_else(|| {
            let nodes = configured(policy, "trap_nodes", None);
            nodes.filter(|&nodes| nodes > 0)
        });
        options.root_search = options
            .root_search
            .or_else(|| configured(policy, "root_search", None));
        let network = policy.leaf_network(options.precision)?;
        Ok(LoadedPlayer::of_network(spec, Arc::new(network)))
    }

    /// The same policy with so many simulations a move; players of other kinds stay as they are.
    #[must_use]
    pub fn with_simulations(mut self, n: u32) -> LoadedPlayer {
        if let PlayerSpec::Policy { options, .. } = &mut self.spec {
            options.sims = n;
        }
        self
    }

    /// A policy whose network is in memory already.
    pub(crate) fn of_network(spec: PlayerSpec, network: Arc<LeafNetwork>) -> LoadedPlayer {
        LoadedPlayer {
            spec,
            network: Some(network),
        }
    }

    /// An agent for one thread.
    #[must_use]
    pub fn agent<G: BoardGame + Baseline + Solvable>(&self, game: &G) -> Box<dyn Agent<G>> {
        let minimax = |limits, threads: u32| MinimaxAgent {
            minimax: Minimax::new(game.clone(), TABLE_MIB).with_threads(threads as usize),
            limits,
        };
        match &self.spec {
            PlayerSpec::Random => Box::new(RandomAgent {
                game: game.clone(),
                buffer: Vec::new(),
            }),
            PlayerSpec::Greedy => Box::new(minimax(Limits::depth(1), 1)),
            &PlayerSpec::Minimax { limits, threads } => Box::new(minimax(limits, threads)),
            PlayerSpec::Level(level) => Box::new(minimax(level.limits, 1)),
            PlayerSpec::Solver => Box::new(SolverAgent {
                game: game.clone(),
                solver: game.solver().expect("checked when loaded"),
            }),
            PlayerSpec::Uhp { command, depth, ms } => {
                let limits = Limits {
                    depth: *depth,
                    time: ms.map(Duration::from_millis),
                    nodes: None,
                };
                let game = (game as &dyn Any)
                    .downcast_ref()
                    .expect("checked when loaded");
                let agent: Box<dyn Agent<Hive>> =
                    Box::new(EngineAgent::new(*game, command.clone(), limits));
                // G is Hive: the box changes its name, not its type.
                let agent: Box<dyn Any> = Box::new(agent);
                *agent.downcast().expect("checked when loaded")
            }
            &PlayerSpec::Mcts { sims } => {
                let rollout = Rollout::new(NonZeroU32::MIN);
                Box::new(SearchAgent::new(
                    game,
                    sims,
                    SearchParams::default(),
                    rollout,
                ))
            }
            &PlayerSpec::Policy { options, .. } => {
                let PolicyOptions {
                    sims,
                    symmetries,
                    leaf_search,
                    ..
                } = options;
                let evaluator = LeafEvaluator::new(Arc::clone(self.network()));
                let evaluator = Symmetrized::new(evaluator, symmetries);
                if sims == 0 {
                    Box::new(NetworkAgent {
                        game: game.clone(),
                        evaluator,
                    })
                } else {
                    let decider = Decider::new(game, &options);
                    let evaluator = decider.searched_leaves(game, evaluator, leaf_search);
                    let params = options.search_params();
                    let agent = SearchAgent::new(game, sims, params, evaluator);
                    Box::new(agent.with_decider(decider))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tablero_env::{AnyGame, with_game};

    #[test]
    fn a_policy_searches_its_leaves_as_its_configuration_has_it_if_nothing_is_said() {
        for (game, text, expected) in [
            // In play.
            (
                "dots-and-boxes:5x5",
                "zoo:sims=9",
                "zoo:sims=9,leaf_nodes=400,leaf_share=0.5,solver_nodes=3000",
            ),
            // In self-play, as nothing else is said of play.
            (
                "dots-and-boxes:3x3",
                "zoo:sims=9",
                "zoo:sims=9,leaf_nodes=100,leaf_share=0.5",
            ),
            (
                "dots-and-boxes:5x5",
                "zoo:sims=9,leaf_nodes=7",
                "zoo:sims=9,leaf_nodes=7",
            ),
            (
                "dots-and-boxes:5x5",
                "zoo:sims=9,leaf_nodes=0",
                "zoo:sims=9,leaf_nodes=0",
            ),
            ("queens:8", "zoo:sims=9", "zoo:sims=9"),
        ] {
            let spec: PlayerSpec = text.parse().unwrap();
            let any = AnyGame::parse(game).unwrap();
            let loaded = with_game!(&any, game => spec.load(game)).unwrap();
            assert_eq!(loaded.spec().to_string(), expected);
        }
    }

    #[test]
    fn a_policy_sets_traps_as_its_configuration_has_it_if_nothing_is_said() {
        let mut policy = ZooEntry::of_game("queens:8").unwrap().load().unwrap();
        let config = policy.manifest.training.get_mut("config").unwrap();
        config["play"] = json!({ "trap_nodes": 600 });
        for (text, expected) in [
            ("zoo:sims=9", "zoo:sims=9,trap_nodes=600"),
            ("zoo:sims=9,trap_nodes=7", "zoo:sims=9,trap_nodes=7"),
            ("zoo:sims=9,trap_nodes=0", "zoo:sims=9,trap_nodes=0"),
        ] {
            let player = LoadedPlayer::of_policy(text.parse().unwrap(), &policy).unwrap();
            assert_eq!(player.spec().to_string(), expected);
        }
    }

    /// What `[play]` says of the best line's share goes before what self-play has, and the player's
    /// text before both; none is the same as 0.
    #[test]
    fn a_policy_s_search_goes_by_the_best_line_as_its_configuration_has_it() {
        let zoo = ZooEntry::of_game("queens:8").unwrap().load().unwrap();
        for (in_self_play, in_play, text, expected) in [
            (None, None, "zoo:sims=9", "zoo:sims=9"),
            (Some(0.0), None, "zoo:sims=9", "zoo:sims=9"),
            (
                Some(0.5),
                None,
                "zoo:sims=9",
                "zoo:sims=9,minimax_share=0.5",
            ),
            (Some(0.5), Some(0.0), "zoo:sims=9", "zoo:sims=9"),
            (
                None,
                Some(0.25),
                "zoo:sims=9",
                "zoo:sims=9,minimax_share=0.25",
            ),
            (
                None,
                Some(0.25),
                "zoo:sims=9,minimax_share=0",
                "zoo:sims=9,minimax_share=0",
            ),
        ] {
            let mut policy = zoo.clone();
            let config = policy.manifest.training.get_mut("config").unwrap();
            if let Some(share) = in_self_play {
                config["self_play"]["search"]["minimax_share"] = json!(share);
            }
            if let Some(share) = in_play {
                config["play"] = json!({ "minimax_share": share });
            }
            let player = LoadedPlayer::of_policy(text.parse().unwrap(), &policy).unwrap();
            assert_eq!(player.spec().to_string(), expected);
        }
    }
}

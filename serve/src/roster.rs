//! The agents that the page may name. It names each by an id and the number of a level: players as
//! text, which could hold paths and commands, are made here alone.

use crate::error::Refusal;
use crate::runs::Runs;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use tablero_agents::players::{OwnKind, POLICY_LEVELS, PolicyLevel, own_kind, own_names_of};
use tablero_agents::{
    LoadedPlayer, PlayerError, PlayerSpec, PolicySource, load_agent, load_policy,
};
use tablero_env::{AnyGame, with_game};
use tablero_minimax::{LEVELS, Playable, Solvable};
use tablero_models::{LeafNetwork, SearchConfig, ZooEntry};

/// Simulations of a policy's analyses.
const POLICY_EFFORTS: [u32; 4] = [200, 1_000, 5_000, 30_000];
/// Simulations a move of a search without a network, and of its analyses.
const ROLLOUT_LEVELS: [u32; 3] = [100, 1_000, 5_000];
const ROLLOUT_EFFORTS: [u32; 3] = [1_000, 10_000, 100_000];
/// Nodes of minimax's analyses, all moves together.
const MINIMAX_EFFORTS: [u64; 4] = [20_000, 200_000, 1_000_000, 5_000_000];

/// Networks in memory, at most.
const MOST_NETWORKS: usize = 8;
/// The most nodes of a tree: several searches run at a time, and as long as a page asks for.
const MOST_NODES: usize = 1 << 18;

/// An agent as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AgentView {
    id: String,
    name: String,
    /// Who that is, in a sentence.
    about: String,
    /// Whether its analyses are exact.
    exact: bool,
    /// How strong it can play, from the weakest on.
    levels: Vec<String>,
    /// Limits of its analyses, from the smallest; none if it gives none.
    efforts: Vec<String>,
}

/// Which agent, and how strong.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chosen {
    id: String,
    #[serde(default)]
    level: usize,
}

/// For what an agent is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Play,
    Look,
}

/// An agent that is ready.
pub(crate) struct Loaded {
    pub(crate) player: LoadedPlayer,
    is_exact: bool,
}

impl Loaded {
    /// Checks that the agent answers soon.
    pub(crate) fn check<G: Playable>(&self, game: &G, state: &G::State) -> Result<(), Refusal> {
        if self.is_exact && !game.is_quickly_solved(state) {
            return Err(Refusal::illegal(
                "the position is too far from the end of the game to be solved quickly",
            ));
        }
        Ok(())
    }
}

/// A network with the time of its file.
#[derive(Clone)]
struct Network {
    key: (String, Option<SystemTime>),
    network: Arc<LeafNetwork>,
    search: SearchConfig,
}

/// Agents, and the networks that were loaded for them.
pub(crate) struct Roster {
    networks: Mutex<Vec<Network>>,
    table_mib: usize,
}

impl Roster {
    /// Agents with tables of `table_mib` MiB at most.
    pub(crate) fn new(table_mib: usize) -> Roster {
        Roster {
            networks: Mutex::default(),
            table_mib,
        }
    }

    /// MiB of a table, at most.
    pub(crate) fn table_mib(&self) -> usize {
        self.table_mib
    }

    /// The agents of a game, those to play against first.
    pub(crate) fn agents(&self, any: &AnyGame, runs: &Runs) -> Vec<AgentView> {
        let spec = any.spec();
        let mut agents = Vec::new();
        if let Some(entry) = ZooEntry::of_game(&spec) {
            let about = format!(
                "A network trained by self-play, with tree search: {}.",
                entry.strength
            );
            agents.push(policy("zoo", "Trained network", about, &spec));
        }
        agents.extend(runs.policies(&spec).into_iter().map(|(id, name)| {
            let about = "The current policy of this training run.".to_owned();
            policy(&format!("run-{id}"), &format!("Run {name}"), about, &spec)
        }));
        agents.push(minimax(&spec));
        agents.push(AgentView {
            id: "mcts".to_owned(),
            name: "Tree search".to_owned(),
            about: "Monte-Carlo tree search with random games, without any training.".to_owned(),
            exact: false,
            levels: ROLLOUT_LEVELS.map(simulations).to_vec(),
            efforts: ROLLOUT_EFFORTS.map(simulations).to_vec(),
        });
        if with_game!(any, game => game.solver().is_ok()) {
            agents.push(AgentView {
                id: "solver".to_owned(),
                name: "Exact solver".to_owned(),
                about:
                    "Knows the exact result of every move, in positions that it can solve quickly."
                        .to_owned(),
                exact: true,
                levels: vec!["perfect".to_owned()],
                efforts: vec!["exact".to_owned()],
            });
        }
        agents.extend(with_game!(any, game => own(game)));
        agents.extend([
            simple("greedy", "Greedy", "Plays the best immediate move."),
            simple("random", "Random", "Any legal move."),
        ]);
        agents
    }

    /// The agent that a request names.
    pub(crate) fn load(
        &self,
        any: &AnyGame,
        chosen: &Chosen,
        task: Task,
        runs: &Runs,
    ) -> Result<Loaded, Refusal> {
        let unknown = || Refusal::unknown("there is no such agent, or no such level of it");
        let text = text_of(chosen, task).ok_or_else(unknown)?;
        let mut spec: PlayerSpec = text.parse().map_err(Refusal::failed)?;
        if let PlayerSpec::Policy { source, .. } = &mut spec
            && let Some(id) = chosen.id.strip_prefix("run-")
        {
            let id = id.parse().ok();
            let folder = id.and_then(|id| runs.folder(id)).ok_or_else(unknown)?;
            *source = PolicySource::Directory(folder);
        }
        let player = match &spec {
            PlayerSpec::Policy { source, options } => {
                let network = self.network(any, source)?;
                let search = options.over(&network.search).map_err(Refusal::failed)?;
                LoadedPlayer::of_network(spec.clone(), network.network, search)
            }
            _ => with_game!(any, game => spec.load(game)).map_err(Refusal::illegal)?,
        };
        Ok(Loaded {
            player: player
                .with_tables_within(self.table_mib)
                .with_nodes_within(MOST_NODES),
            is_exact: spec == PlayerSpec::Solver,
        })
    }

    /// The network of a policy, loaded once as long as its file stays the same.
    fn network(&self, any: &AnyGame, source: &PolicySource) -> Result<Network, Refusal> {
        let (name, time) = match source {
            PolicySource::Zoo => (format!("zoo:{}", any.spec()), None),
            PolicySource::Directory(folder) => (folder.display().to_string(), changed(folder)),
        };
        let key = (name, time);
        // Held while one loads, so that a second request for the same waits instead of loading, too.
        let mut networks = self
            .networks
            .lock()
            .unwrap_or_else(|lock| lock.into_inner());
        if let Some(network) = networks.iter().find(|network| network.key == key) {
            return Ok(network.clone());
        }
        let load = || -> Result<Network, PlayerError> {
            let policy = match source {
                PolicySource::Zoo => load_agent(&key.0)?,
                PolicySource::Directory(folder) => load_policy(folder)?,
            };
            with_game!(any, game => policy.check_game(game))?;
            let search = policy.manifest.search.clone();
            Ok(Network {
                network: Arc::new(policy.leaf_network()?),
                search,
                key,
            })
        };
        let network = load().map_err(Refusal::illegal)?;
        networks.retain(|other| other.key.0 != network.key.0);
        if networks.len() >= MOST_NETWORKS {
            networks.remove(0);
        }
        networks.push(network.clone());
        Ok(network)
    }
}

/// When the policy of a run was written.
fn changed(folder: &Path) -> Option<SystemTime> {
    let folder = tablero_agents::players::policy_folder(folder);
    let file = std::fs::metadata(folder.join("policy.json")).ok()?;
    file.modified().ok()
}

/// The text of a player; that of a run has a name in place of its folder.
fn text_of(chosen: &Chosen, task: Task) -> Option<String> {
    let level = chosen.level;
    Some(match chosen.id.as_str() {
        "minimax" => match task {
            Task::Play => format!("minimax:level={}", LEVELS.get(level)?.name),
            Task::Look => format!("minimax:nodes={}", MINIMAX_EFFORTS.get(level)?),
        },
        "mcts" => match task {
            Task::Play => format!("mcts:sims={}", ROLLOUT_LEVELS.get(level)?),
            Task::Look => format!("mcts:sims={}", ROLLOUT_EFFORTS.get(level)?),
        },
        "zoo" => format!("zoo:{}", policy_options(level, task)?),
        "solver" if level == 0 => "solver".to_owned(),
        id @ ("greedy" | "random") if level == 0 && task == Task::Play => id.to_owned(),
        id if id.starts_with("own-") => {
            let name = id.strip_prefix("own-")?;
            match own_kind(name)? {
                OwnKind::Agent if level == 0 && task == Task::Play => name.to_owned(),
                OwnKind::Agent => return None,
                OwnKind::Evaluator => format!("{name}:{}", policy_options(level, task)?),
            }
        }
        id if id.starts_with("run-") => {
            format!("policy:run,{}", policy_options(level, task)?)
        }
        _ => return None,
    })
}

/// The options of a policy at a level, or for an analysis.
fn policy_options(level: usize, task: Task) -> Option<String> {
    Some(match task {
        Task::Play => POLICY_LEVELS.get(level)?.options(),
        Task::Look => format!("sims={}", POLICY_EFFORTS.get(level)?),
    })
}

fn simulations(n: u32) -> String {
    format!("{} simulations", with_commas(n.into()))
}

fn with_commas(n: u64) -> String {
    match n {
        0..=999 => n.to_string(),
        n => format!("{},{:03}", with_commas(n / 1000), n % 1000),
    }
}

/// Elo of the bundled policies' levels from the first on, where `greedy` has 0, as `docs/strength.md`
/// says.
const RATED: [(&str, [i32; 6]); 7] = [
    ("dots-and-boxes:3x3", [297, 311, 347, 332, 343, 332]),
    ("dots-and-boxes:5x5", [126, 187, 408, 565, 673, 821]),
    ("paper-soccer:8x10", [20, 200, 360, 494, 636, 779]),
    ("queens:8", [322, 317, 329, 323, 321, 319]),
    ("xadrersi", [302, 371, 497, 586, 675, 722]),
    ("hive:base", [155, 209, 435, 556, 731, 932]),
    ("hive:base+mlp", [260, 355, 516, 618, 808, 943]),
];

fn beside_greedy(elo: i32) -> String {
    let side = if elo < 0 { "below" } else { "above" };
    format!("{} Elo {side} greedy", elo.abs())
}

fn policy(id: &str, name: &str, about: String, game: &str) -> AgentView {
    let is_bundled = id == "zoo";
    let rated = RATED.iter().find(|row| is_bundled && row.0 == game);
    let levels = LEVELS.iter().zip(POLICY_LEVELS).enumerate();
    let levels = levels.map(|(index, (level, PolicyLevel { sims, temperature }))| {
        let elo = rated.and_then(|(_, elo)| elo.get(index));
        let elo = elo.map_or(String::new(), |&elo| format!(", {}", beside_greedy(elo)));
        let drawn = match temperature {
            0.0 => String::new(),
            _ => format!(", temperature {temperature}"),
        };
        format!("{}: {}{drawn}{elo}", level.name, simulations(sims))
    });
    AgentView {
        id: id.to_owned(),
        name: name.to_owned(),
        about,
        exact: false,
        levels: levels.collect(),
        efforts: POLICY_EFFORTS.map(simulations).to_vec(),
    }
}

/// Elo of minimax's levels from the first on, where `greedy` has 0: sums of the pairs of the ladder in
/// `docs/baselines.md`, by the board on which they were played.
const MEASURED: [(&str, [i32; 6]); 8] = [
    ("dots-and-boxes:3x3", [262, 402, 487, 516, 521, 521]),
    ("dots-and-boxes:5x5", [252, 474, 570, 728, 828, 951]),
    ("queens:8", [324, 390, 452, 452, 452, 452]),
    ("queens:12", [279, 447, 547, 653, 736, 736]),
    ("paper-soccer:8x10", [177, 316, 463, 596, 705, 794]),
    ("xadrersi", [166, 251, 365, 525, 615, 783]),
    ("hive:base", [268, 611, 731, 1004, 1190, 1358]),
    ("hive:base+mlp", [94, 379, 636, 851, 1174, 1304]),
];

fn minimax(game: &str) -> AgentView {
    let nodes = |n: u64| format!("{} positions", with_commas(n));
    let measured = MEASURED.iter().find(|(spec, _)| *spec == game);
    let levels = LEVELS.iter().enumerate().map(|(index, level)| {
        let n_nodes = level.limits.nodes.unwrap_or_default();
        let elo = measured.and_then(|(_, elo)| elo.get(index));
        let elo = elo.map_or(String::new(), |&elo| format!(", {}", beside_greedy(elo)));
        format!("{}: {}{elo}", level.name, nodes(n_nodes))
    });
    AgentView {
        id: "minimax".to_owned(),
        name: "Minimax".to_owned(),
        about:
            "Looks ahead by the rules and evaluates what it sees; plays the same on every machine."
                .to_owned(),
        exact: false,
        levels: levels.collect(),
        efforts: MINIMAX_EFFORTS.map(nodes).to_vec(),
    }
}

/// The players of the program's own that play a game.
fn own<G: Playable>(game: &G) -> Vec<AgentView> {
    let agents = own_names_of::<G>().into_iter().map(|name| {
        let id = format!("own-{name}");
        match own_kind(&name) {
            Some(OwnKind::Evaluator) => {
                let about = "Tree search over an evaluator of this program's own.".to_owned();
                policy(&id, &name, about, &game.spec())
            }
            _ => simple(&id, &name, "An agent of this program's own."),
        }
    });
    agents.collect()
}

fn simple(id: &str, name: &str, about: &str) -> AgentView {
    AgentView {
        id: id.to_owned(),
        name: name.to_owned(),
        about: about.to_owned(),
        exact: false,
        levels: vec!["as it is".to_owned()],
        efforts: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_agents::Players;
    use tablero_env::dots_and_boxes::DotsAndBoxes;
    use tablero_env::games;
    use tablero_mcts::Uniform;

    fn chosen(id: &str, level: usize) -> Chosen {
        Chosen {
            id: id.to_owned(),
            level,
        }
    }

    #[test]
    fn no_tree_of_the_page_is_larger_than_all_may_be() {
        let (roster, runs) = (Roster::new(16), Runs::new("no runs".into()));
        let any = AnyGame::parse("dots-and-boxes:3x3").unwrap();
        for id in ["mcts", "zoo"] {
            for task in [Task::Play, Task::Look] {
                let loaded = roster.load(&any, &chosen(id, 0), task, &runs).unwrap();
                let search = loaded.player.search().expect("a tree search");
                assert_eq!(search.tree.max_nodes, MOST_NODES, "{id}");
            }
        }
    }

    /// Every agent that the page is offered can be loaded at every level, and no other.
    #[test]
    fn the_levels_offered_are_those_that_there_are() {
        let (roster, runs) = (Roster::new(16), Runs::new("no runs".into()));
        Players::new()
            .with_evaluator("uniform", |_: &DotsAndBoxes| Ok(Uniform))
            .install();
        let own = |spec: &str| {
            let agents = roster.agents(&AnyGame::parse(spec).unwrap(), &runs);
            agents.iter().any(|agent| agent.id == "own-uniform")
        };
        assert!(own("dots-and-boxes") && !own("queens"));
        for entry in games() {
            let any = AnyGame::parse(entry.name).unwrap();
            for agent in roster.agents(&any, &runs) {
                let tasks = [
                    (Task::Play, agent.levels.len()),
                    (Task::Look, agent.efforts.len()),
                ];
                for (task, n_levels) in tasks {
                    for level in 0..n_levels {
                        let text = text_of(&chosen(&agent.id, level), task).unwrap();
                        assert!(text.parse::<PlayerSpec>().is_ok(), "{text}");
                    }
                    let beyond = chosen(&agent.id, n_levels.max(1));
                    assert!(roster.load(&any, &beyond, task, &runs).is_err());
                }
            }
        }
    }

    #[test]
    fn no_text_of_a_player_passes_as_an_id() {
        let (roster, runs) = (Roster::new(16), Runs::new("no runs".into()));
        let any = AnyGame::parse("hive").unwrap();
        for id in [
            "",
            "uhp:\"touch /tmp/x\"",
            "policy:/etc",
            "zoo:sims=1",
            "run-",
            "run-0",
            "run-../..",
            "minimax:level=1",
        ] {
            assert!(
                roster
                    .load(&any, &chosen(id, 0), Task::Play, &runs)
                    .is_err(),
                "{id}"
            );
        }
    }
}

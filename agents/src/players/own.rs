//! Players of a program's own: agents and evaluators that it adds under names, which every command
//! then takes like those of Tablero.

use super::agents::{Agent, AgentError, Choice};
use super::spec::KINDS;
use crate::cancel::Cancel;
use crate::uhp::Fault;
use std::any::{Any, type_name};
use std::sync::{Arc, PoisonError, RwLock};
use tablero_env::random::Stream;
use tablero_env::{ActionId, Game};
use tablero_mcts::Evaluator;
use tablero_minimax::Limits;

/// Agents and evaluators by name. A player of that name is `NAME`; with an evaluator it is a tree search
/// and takes the options of one: `NAME:sims=400`.
///
/// ```
/// use tablero_agents::players::{Agent, AgentError, Choice, PlayerSpec, Players};
/// use tablero_env::{Game, dots_and_boxes::{DotsAndBoxes, State}, random::Stream};
///
/// /// Plays the first legal action.
/// struct First(DotsAndBoxes);
///
/// impl Agent<DotsAndBoxes> for First {
///     fn choose(&mut self, state: &State, _: &mut Stream) -> Result<Choice, AgentError> {
///         let mut legal = Vec::new();
///         self.0.legal_actions(state, &mut legal);
///         Ok(Choice { action: legal[0], nodes: 0, is_late: false })
///     }
/// }
///
/// Players::new()
///     .with_agent("first", |game: &DotsAndBoxes| Ok(First(game.clone())))
///     .install();
/// let spec: PlayerSpec = "first".parse()?;
/// assert!(spec.load(&DotsAndBoxes::new(3, 3)?).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Players {
    entries: Vec<Entry>,
}

/// How a player of one's own decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnKind {
    /// By itself: an [`Agent`].
    Agent,
    /// By tree search over an [`Evaluator`].
    Evaluator,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    kind: OwnKind,
    /// The type of the game.
    game: &'static str,
    /// A [`Make`] of that type.
    make: Arc<dyn Any + Send + Sync>,
}

type Make<T, G> = Box<dyn Fn(&G) -> Result<T, String> + Send + Sync>;
type BoxedAgent<G> = Box<dyn Agent<G>>;
type BoxedEvaluator<G> = Box<dyn Evaluator<G> + Send>;

/// The players of the process.
static INSTALLED: RwLock<Vec<Entry>> = RwLock::new(Vec::new());

impl Players {
    /// None.
    #[must_use]
    pub fn new() -> Players {
        Players::default()
    }

    /// Adds an agent of a type of game, [`OtherGame`](tablero_env::OtherGame) for games that are not
    /// Tablero's. `make` is asked for a new one for each game played; its error, such as a missing file,
    /// is shown as it is.
    ///
    /// # Panics
    /// If there is a player of this name for this type of game, or an evaluator of this name, or the name
    /// is Tablero's or not of lower-case letters, digits and `-`.
    #[must_use]
    pub fn with_agent<G: Game, A: Agent<G> + 'static>(
        self,
        name: &str,
        make: impl Fn(&G) -> Result<A, String> + Send + Sync + 'static,
    ) -> Players {
        let make: Make<BoxedAgent<G>, G> =
            Box::new(move |game| make(game).map(|agent| Box::new(agent) as BoxedAgent<G>));
        self.with(name, OwnKind::Agent, type_name::<G>(), Arc::new(make))
    }

    /// Adds a tree search over an evaluator of a type of game, as [`with_agent`](Self::with_agent) adds
    /// agents.
    ///
    /// # Panics
    /// As there.
    #[must_use]
    pub fn with_evaluator<G: Game, E: Evaluator<G> + Send + 'static>(
        self,
        name: &str,
        make: impl Fn(&G) -> Result<E, String> + Send + Sync + 'static,
    ) -> Players {
        let make: Make<BoxedEvaluator<G>, G> =
            Box::new(move |game| make(game).map(|it| Box::new(it) as BoxedEvaluator<G>));
        self.with(name, OwnKind::Evaluator, type_name::<G>(), Arc::new(make))
    }

    fn with(
        mut self,
        name: &str,
        kind: OwnKind,
        game: &'static str,
        make: Arc<dyn Any + Send + Sync>,
    ) -> Players {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(
            !name.is_empty() && name.chars().all(is_plain),
            "the name of a player is of lower-case letters, digits and '-', got {name:?}"
        );
        assert!(
            !KINDS.contains(&name),
            "Tablero has a player of the name {name:?}"
        );
        for other in self.entries.iter().filter(|entry| entry.name == name) {
            assert!(
                other.game != game,
                "there are two players of the name {name:?} for {game}"
            );
            assert!(
                other.kind == kind,
                "{name:?} is the name of an agent and of an evaluator"
            );
        }
        self.entries.push(Entry {
            name: name.to_owned(),
            kind,
            game,
            make,
        });
        self
    }

    /// Makes these the players of the process beside Tablero's, instead of those before.
    pub fn install(self) {
        *INSTALLED.write().unwrap_or_else(PoisonError::into_inner) = self.entries;
    }
}

/// What a name means, if it is that of a player of one's own.
#[must_use]
pub fn own_kind(name: &str) -> Option<OwnKind> {
    let entries = INSTALLED.read().unwrap_or_else(PoisonError::into_inner);
    let entry = entries.iter().find(|entry| entry.name == name);
    entry.map(|entry| entry.kind)
}

/// The names of the players of one's own, each once, in the order of the alphabet.
#[must_use]
pub fn own_names() -> Vec<String> {
    names(|_| true)
}

/// Those of a type of game.
#[must_use]
pub fn own_names_of<G: Game>() -> Vec<String> {
    names(|entry| entry.game == type_name::<G>())
}

fn names(is_meant: impl Fn(&Entry) -> bool) -> Vec<String> {
    let entries = INSTALLED.read().unwrap_or_else(PoisonError::into_inner);
    let meant = entries.iter().filter(|entry| is_meant(entry));
    let mut names: Vec<String> = meant.map(|entry| entry.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Makes the agent of a name for a game; the error says why there is none.
pub(super) fn own_agent<G: Game>(name: &str, game: &G) -> Result<BoxedAgent<G>, String> {
    make(name, game)
}

/// Makes the evaluator of a name for a game; the error says why there is none.
pub(crate) fn own_evaluator<G: Game>(name: &str, game: &G) -> Result<BoxedEvaluator<G>, String> {
    make(name, game)
}

fn make<T: 'static, G: Game>(name: &str, game: &G) -> Result<T, String> {
    let made = {
        let entries = INSTALLED.read().unwrap_or_else(PoisonError::into_inner);
        let mut named = entries.iter().filter(|entry| entry.name == name);
        named.find_map(|entry| {
            let is_meant = entry.make.is::<Make<T, G>>();
            is_meant.then(|| Arc::clone(&entry.make))
        })
    };
    let made = made.ok_or_else(|| format!("it does not play {}", game.spec()))?;
    let make: &Make<T, G> = made.downcast_ref().expect("just looked at");
    make(game)
}

/// An agent of one's own at a board. Its faults cost it the game, never the match.
pub(super) struct OwnAgent<G: Game> {
    game: G,
    name: String,
    agent: Result<BoxedAgent<G>, String>,
}

impl<G: Game> OwnAgent<G> {
    /// The player of a name: an agent, or the reason why there is none, which is told when it is asked.
    pub(super) fn new(game: &G, name: &str, agent: Result<BoxedAgent<G>, String>) -> Self {
        OwnAgent {
            game: game.clone(),
            name: name.to_owned(),
            agent,
        }
    }
}

impl<G: Game> Agent<G> for OwnAgent<G> {
    fn choose(&mut self, state: &G::State, stream: &mut Stream) -> Result<Choice, AgentError> {
        let failed = |fault, reason: String| AgentError::Own {
            player: self.name.clone(),
            fault,
            reason,
        };
        let agent = self.agent.as_mut();
        let agent = agent.map_err(|reason| failed(Fault::Crash, reason.clone()))?;
        let choice = agent.choose(state, stream)?;
        match self.game.legality(state, choice.action) {
            Ok(()) => Ok(choice),
            Err(illegal) => Err(failed(Fault::IllegalMove, illegal.to_string())),
        }
    }

    fn limit(&mut self, limits: &Limits, threads: u32) {
        if let Ok(agent) = &mut self.agent {
            agent.limit(limits, threads);
        }
    }

    fn played(&mut self, action: ActionId) {
        if let Ok(agent) = &mut self.agent {
            agent.played(action);
        }
    }

    fn cancelled_by(&mut self, cancel: &Cancel) {
        if let Ok(agent) = &mut self.agent {
            agent.cancelled_by(cancel);
        }
    }

    fn finished(&mut self, state: &G::State) -> Result<(), AgentError> {
        match &mut self.agent {
            Ok(agent) => agent.finished(state),
            Err(_) => Ok(()),
        }
    }
}

//! Who chooses: one agent a kind of player.

use super::spec::{Draw, EngineOptions, SearchOptions};
use crate::budget::Watch;
use crate::cancel::Cancel;
use crate::informed::Informed;
use crate::memory::NotEnoughMemory;
use crate::search::run_for;
use crate::uhp::{Client, ClientError, Fault};
use rand::SeedableRng;
use std::time::Duration;
use tablero_env::hive::{Hive, State};
use tablero_env::random::Stream;
use tablero_env::{ActionId, BoardGame, Game};
use tablero_mcts::{Batch, Evaluator, Search};
use tablero_minimax::{
    Baseline, Limits, Minimax, Playable, Solvable, SolveError, Solver, unless_interrupted,
};
use tablero_models::{LeafEvaluator, SearchConfig};

/// A choice and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The action.
    pub action: ActionId,
    /// Positions looked at: minimax nodes, tree simulations, network evaluations without search.
    pub nodes: u64,
    /// Whether it took longer than the agent's time.
    pub is_late: bool,
}

/// Why an agent gave no move.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// An engine of another program failed.
    #[error("the engine {command:?}: {error}")]
    Engine {
        /// Its command.
        command: String,
        /// What went wrong.
        error: ClientError,
    },
    /// A player of the program's own failed.
    #[error("the player {player:?}: {reason}")]
    Own {
        /// Its name.
        player: String,
        /// What kind of failure it is.
        fault: Fault,
        /// What went wrong.
        reason: String,
    },
    /// A position is beyond the exact solver, or it was cancelled.
    #[error("the solver of {game}: {error}")]
    Solver {
        /// The spec of the game.
        game: String,
        /// How far the solver reaches, or that it was interrupted.
        error: SolveError,
    },
    /// The match needs more memory than there is.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
}

impl AgentError {
    /// What an engine or a player of one's own did that costs it the game; `None` if the game cannot be
    /// blamed on it.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        match self {
            AgentError::Engine { error, .. } => error.fault(),
            AgentError::Own { fault, .. } => Some(*fault),
            AgentError::Solver { .. } | AgentError::Memory(_) => None,
        }
    }
}

/// Someone who chooses actions in one game. What an agent remembers lives as long as it does: each
/// game has a new one.
pub trait Agent<G: Game>: Send {
    /// Chooses a legal action. All randomness comes from `stream`.
    ///
    /// # Errors
    /// If the agent depends on another program, and that fails; if the solver does not reach so
    /// far.
    ///
    /// # Panics
    /// If the game is over.
    fn choose(&mut self, state: &G::State, stream: &mut Stream) -> Result<Choice, AgentError>;

    /// Replaces the agent's own limits for the moves to come by those that it can keep: a tree
    /// search has no depth and one thread.
    fn limit(&mut self, _limits: &Limits, _threads: u32) {}

    /// Says that `action` was played in the game, by either player: a search keeps what it knows of
    /// the positions that can still come.
    fn played(&mut self, _action: ActionId) {}

    /// Gives the choices to come a way to be ended from another thread: the agent then answers at once
    /// with what it has. The solver has nothing then, and says so; agents that answer at once anyway, and
    /// engines, ignore it.
    fn cancelled_by(&mut self, _cancel: &Cancel) {}

    /// Shows the agent the end of its game. Only another program has anything to say to that.
    ///
    /// # Errors
    /// If it refuses the last move or has another opinion on the end.
    fn finished(&mut self, _state: &G::State) -> Result<(), AgentError> {
        Ok(())
    }
}

pub(super) struct RandomAgent<G> {
    pub(super) game: G,
}

impl<G: Game> Agent<G> for RandomAgent<G> {
    fn choose(&mut self, state: &G::State, stream: &mut Stream) -> Result<Choice, AgentError> {
        Ok(Choice {
            action: self.game.sample_action(state, &mut Vec::new(), stream),
            nodes: 0,
            is_late: false,
        })
    }
}

pub(super) struct MinimaxAgent<G: Baseline> {
    pub(super) minimax: Minimax<G>,
    pub(super) limits: Limits,
    pub(super) watch: Watch,
}

impl<G: Baseline> Agent<G> for MinimaxAgent<G> {
    fn choose(&mut self, state: &G::State, _stream: &mut Stream) -> Result<Choice, AgentError> {
        let time = self.watch.start();
        // A choice is a function of the position alone.
        self.minimax.clear();
        let limits = Limits {
            time: time.allowed,
            ..self.limits
        };
        let report = self.minimax.search(state, &limits);
        Ok(Choice {
            action: report.best,
            nodes: report.nodes,
            is_late: self.watch.stop(time),
        })
    }

    fn limit(&mut self, limits: &Limits, threads: u32) {
        self.limits = *limits;
        self.minimax.set_threads(threads as usize);
        self.watch = Watch::of_move(limits.time);
    }

    fn cancelled_by(&mut self, cancel: &Cancel) {
        self.minimax.set_interrupt(cancel.flag());
    }
}

pub(super) struct SolverAgent<G: Solvable> {
    pub(super) game: G,
    pub(super) solver: G::Solver,
}

impl<G: Playable> Agent<G> for SolverAgent<G> {
    /// The first of the best actions. What the solver remembers of other positions makes it faster,
    /// and changes no choice.
    fn choose(&mut self, state: &G::State, _stream: &mut Stream) -> Result<Choice, AgentError> {
        let beyond = |error| AgentError::Solver {
            game: self.game.spec(),
            error,
        };
        self.solver.check(state).map_err(beyond)?;
        let solution = unless_interrupted(|| self.solver.solve(state)).map_err(beyond)?;
        Ok(Choice {
            action: solution.best[0],
            nodes: solution.nodes,
            is_late: false,
        })
    }

    fn cancelled_by(&mut self, cancel: &Cancel) {
        self.solver.set_interrupt(cancel.flag());
    }
}

pub(super) struct SearchAgent<G: Game, E> {
    game: G,
    config: SearchConfig,
    draw: Draw,
    evaluator: Informed<G, E>,
    watch: Watch,
    /// The time of the next moves instead of its own.
    given: Option<Watch>,
    batch: Batch<G>,
    /// The tree of the game, from the agent's first move on.
    search: Option<Search<G>>,
    cancel: Cancel,
}

impl<G: Game, E: Evaluator<G>> SearchAgent<G, E> {
    pub(super) fn new(
        game: &G,
        config: SearchConfig,
        evaluator: Informed<G, E>,
        options: &SearchOptions,
    ) -> Self {
        SearchAgent {
            game: game.clone(),
            config,
            draw: options.draw,
            evaluator,
            watch: Watch::new(options.limit),
            given: None,
            batch: Batch::new(),
            search: None,
            cancel: Cancel::new(),
        }
    }
}

impl<G: Game, E: Evaluator<G> + Send> Agent<G> for SearchAgent<G, E> {
    fn choose(&mut self, state: &G::State, stream: &mut Stream) -> Result<Choice, AgentError> {
        let sims = match self.given {
            Some(_) => u32::MAX,
            None => self.config.sims,
        };
        let watch = self.given.as_mut().unwrap_or(&mut self.watch);
        let time = watch.start();
        let kept = self.search.take().filter(|search| search.state() == state);
        let mut search = kept.unwrap_or_else(|| {
            let (game, tree) = (self.game.clone(), self.config.tree.clone());
            Search::new(game, state.clone(), tree, Stream::from_rng(stream))
        });
        let (evaluator, batch) = (&mut self.evaluator, &mut self.batch);
        let cancel = &self.cancel;
        run_for(
            &mut search,
            sims,
            time.allowed,
            evaluator,
            batch,
            &mut |_| !cancel.is_cancelled(),
        );
        let choice = Choice {
            action: search.choose(self.draw.temperature),
            nodes: u64::from(search.n_simulations()),
            is_late: watch.stop(time),
        };
        self.search = Some(search);
        Ok(choice)
    }

    fn limit(&mut self, limits: &Limits, _threads: u32) {
        self.given = limits.time.map(|time| Watch::of_move(Some(time)));
    }

    fn cancelled_by(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
    }

    fn played(&mut self, action: ActionId) {
        // A tree that cannot follow is of no use.
        self.search = self
            .search
            .take()
            .and_then(|mut search| search.advance(action).is_ok().then_some(search));
    }
}

pub(super) struct NetworkAgent<G> {
    pub(super) game: G,
    pub(super) evaluator: LeafEvaluator,
}

impl<G: BoardGame> Agent<G> for NetworkAgent<G> {
    fn choose(&mut self, state: &G::State, _stream: &mut Stream) -> Result<Choice, AgentError> {
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        let answers = self.evaluator.evaluate_states(&self.game, &[state]);
        let priors = answers.get(0).priors;
        // The first of equals, so that the choice is one.
        let best = (0..legal.len())
            .rev()
            .max_by(|&a, &b| priors[a].total_cmp(&priors[b]));
        Ok(Choice {
            action: legal[best.expect("the game is not over")],
            nodes: 1,
            is_late: false,
        })
    }
}

pub(super) struct EngineAgent {
    game: Hive,
    command: String,
    depth: Option<u32>,
    /// How long each answer may take beyond the time that is asked for.
    patience: Duration,
    watch: Watch,
    /// Started with the first move, and after a failure.
    client: Option<Client>,
}

impl EngineAgent {
    pub(super) fn new(game: Hive, command: String, options: &EngineOptions) -> Self {
        EngineAgent {
            game,
            command,
            depth: options.depth(),
            patience: options.patience(),
            watch: Watch::new(options.limit),
            client: None,
        }
    }

    /// Asks the engine that runs, or a new one.
    fn ask(&mut self, state: &State, limits: &Limits) -> Result<ActionId, ClientError> {
        let mut client = match self.client.take() {
            Some(client) => client,
            None => Client::start(&self.command, self.patience)?,
        };
        let action = client.best_action(&self.game, state, limits)?;
        self.client = Some(client);
        Ok(action)
    }

    fn failed(&self, error: ClientError) -> AgentError {
        AgentError::Engine {
            command: self.command.clone(),
            error,
        }
    }
}

impl Agent<Hive> for EngineAgent {
    fn choose(&mut self, state: &State, _stream: &mut Stream) -> Result<Choice, AgentError> {
        let time = self.watch.start();
        let limits = Limits {
            depth: self.depth,
            time: time.allowed,
            nodes: None,
        };
        let action = self.ask(state, &limits);
        Ok(Choice {
            action: action.map_err(|error| self.failed(error))?,
            nodes: 0,
            is_late: self.watch.stop(time),
        })
    }

    fn finished(&mut self, state: &State) -> Result<(), AgentError> {
        let Some(mut client) = self.client.take() else {
            return Ok(());
        };
        match client.finish(&self.game, state) {
            Err(error) if matches!(error.fault(), Some(Fault::OtherEnding | Fault::Refusal)) => {
                Err(self.failed(error))
            }
            // It owes no answer any more.
            _ => Ok(()),
        }
    }
}

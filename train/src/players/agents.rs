//! Who chooses: one agent a kind of player.

use crate::decider::Decider;
use rand::SeedableRng;
use std::time::Duration;
use tablero_env::hive::{Hive, State};
use tablero_env::random::Stream;
use tablero_env::{ActionId, BoardGame, Game};
use tablero_mcts::{Batch, Evaluator, Search, SearchParams, Symmetrized, run};
use tablero_minimax::uhp::{Client, ClientError};
use tablero_minimax::{Baseline, Limits, Minimax, Solvable, SolveError, Solver};
use tablero_models::LeafEvaluator;

/// A choice and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The action.
    pub action: ActionId,
    /// Positions looked at: minimax nodes, tree simulations, network evaluations without search.
    pub nodes: u64,
}

/// Why a player gave no move.
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
    /// A position is beyond the exact solver.
    #[error("the solver of {game}: {error}")]
    Solver {
        /// The spec of the game.
        game: String,
        /// How far the solver reaches.
        error: SolveError,
    },
}

/// Someone who chooses actions.
pub trait Agent<G: Game>: Send {
    /// Chooses a legal action. All randomness comes from `stream`.
    ///
    /// # Errors
    /// If the player depends on another program, and that fails; if the solver does not reach so far.
    ///
    /// # Panics
    /// If the game is over.
    fn choose(&mut self, state: &G::State, stream: &mut Stream) -> Result<Choice, AgentError>;

    /// Tells that `action` was played in the game under way, by whomever: a search keeps what it
    /// knows of the positions that can still come.
    fn played(&mut self, _action: ActionId) {}

    /// Tells that a new game begins: nothing of the last one may sway it.
    fn new_game(&mut self) {}
}

pub(super) struct RandomAgent<G> {
    pub(super) game: G,
    pub(super) buffer: Vec<ActionId>,
}

impl<G: Game> Agent<G> for RandomAgent<G> {
    fn choose(&mut self, state: &G::State, stream: &mut Stream) -> Result<Choice, AgentError> {
        Ok(Choice {
            action: self.game.sample_action(state, &mut self.buffer, stream),
            nodes: 0,
        })
    }
}

pub(super) struct MinimaxAgent<G: Baseline> {
    pub(super) minimax: Minimax<G>,
    pub(super) limits: Limits,
}

impl<G: Baseline> Agent<G> for MinimaxAgent<G> {
    fn choose(&mut self, state: &G::State, _stream: &mut Stream) -> Result<Choice, AgentError> {
        // What the table holds from other games must not sway this one: the choice would then
        // depend on how games are dealt to threads.
        self.minimax.clear();
        let report = self.minimax.search(state, &self.limits);
        Ok(Choice {
            action: report.best,
            nodes: report.nodes,
        })
    }
}

pub(super) struct SolverAgent<G: Solvable> {
    pub(super) game: G,
    pub(super) solver: G::Solver,
}

impl<G: BoardGame + Solvable> Agent<G> for SolverAgent<G> {
    /// The first of the best actions. What the solver remembers of other positions makes it faster,
    /// and changes no choice.
    fn choose(&mut self, state: &G::State, _stream: &mut Stream) -> Result<Choice, AgentError> {
        let beyond = |error| AgentError::Solver {
            game: self.game.spec(),
            error,
        };
        self.solver.check(state).map_err(beyond)?;
        let solution = self.solver.solve(state);
        Ok(Choice {
            action: solution.best[0],
            nodes: solution.nodes,
        })
    }
}

pub(super) struct SearchAgent<G: Baseline, E> {
    game: G,
    sims: u32,
    params: SearchParams,
    evaluator: E,
    decider: Decider<G>,
    batch: Batch<G>,
    /// The tree of the game under way, from the agent's first move on.
    search: Option<Search<G>>,
}

impl<G: Baseline, E: Evaluator<G>> SearchAgent<G, E> {
    pub(super) fn new(game: &G, sims: u32, params: SearchParams, evaluator: E) -> Self {
        SearchAgent {
            game: game.clone(),
            sims,
            params,
            evaluator,
            decider: Decider::by_search(),
            batch: Batch::new(),
            search: None,
        }
    }

    /// Asks somebody else after each search.
    pub(super) fn with_decider(mut self, decider: Decider<G>) -> Self {
        self.decider = decider;
        self
    }
}

impl<G: Baseline, E: Evaluator<G> + Send> Agent<G> for SearchAgent<G, E> {
    fn choose(&mut self, state: &G::State, stream: &mut Stream) -> Result<Choice, AgentError> {
        let kept = self.search.take().filter(|search| search.state() == state);
        let mut search = kept.unwrap_or_else(|| {
            self.evaluator.new_game();
            self.decider.new_game();
            Search::new(
                self.game.clone(),
                state.clone(),
                self.params.clone(),
                Stream::from_rng(stream),
            )
        });
        // What is remembered of other games must not sway this one.
        self.evaluator.forget();
        let one = std::slice::from_mut(&mut search);
        run(one, self.sims, &mut self.evaluator, &mut self.batch);
        let choice = Choice {
            action: self.decider.decide(&search).action,
            nodes: u64::from(search.n_simulations()),
        };
        self.search = Some(search);
        Ok(choice)
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

pub(super) struct NetworkAgent<G> {
    pub(super) game: G,
    pub(super) evaluator: Symmetrized<LeafEvaluator>,
}

impl<G: BoardGame> Agent<G> for NetworkAgent<G> {
    fn choose(&mut self, state: &G::State, _stream: &mut Stream) -> Result<Choice, AgentError> {
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        let answers = self.evaluator.judge(&self.game, &[state]);
        let priors = answers.get(0).priors;
        // The first of equals, so that the choice is one.
        let best = (0..legal.len())
            .rev()
            .max_by(|&a, &b| priors[a].total_cmp(&priors[b]));
        Ok(Choice {
            action: legal[best.expect("the game is not over")],
            nodes: 1,
        })
    }
}

pub(super) struct EngineAgent {
    game: Hive,
    command: String,
    limits: Limits,
    /// Started with the first move, and again after a failure.
    client: Option<Client>,
}

impl EngineAgent {
    /// How long an engine may take for what has no limit in time: a search to a depth.
    const PATIENCE: Duration = Duration::from_secs(600);

    pub(super) fn new(game: Hive, command: String, limits: Limits) -> Self {
        EngineAgent {
            game,
            command,
            limits,
            client: None,
        }
    }

    /// Asks the engine that runs, or a new one.
    fn ask(&mut self, state: &State) -> Result<ActionId, ClientError> {
        let mut client = match self.client.take() {
            Some(client) => client,
            None => Client::start(&self.command, Self::PATIENCE)?,
        };
        let action = client.best_action(&self.game, state, &self.limits)?;
        self.client = Some(client);
        Ok(action)
    }
}

impl Agent<Hive> for EngineAgent {
    fn choose(&mut self, state: &State, _stream: &mut Stream) -> Result<Choice, AgentError> {
        // An engine that crashes in the middle of a match is asked once more, afresh.
        let action = match self.ask(state) {
            Err(ClientError::Ended { .. }) => self.ask(state),
            asked => asked,
        };
        Ok(Choice {
            action: action.map_err(|error| AgentError::Engine {
                command: self.command.clone(),
                error,
            })?,
            nodes: 0,
        })
    }
}

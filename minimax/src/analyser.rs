//! What informs a search from outside: a position and a node budget in, evidence out.

use crate::heuristic::{Baseline, Heuristic};
use crate::limits::Limits;
use crate::search::Minimax;
use crate::solver::{EndgameSolver, Solvable};
use std::fmt::Debug;
use tablero_env::{ActionId, ForFirst, ForMover, Game};

/// The most that a score says, as log-odds: a chance of 3 in 10,000 remains that a game is not won
/// which a search takes for won, but has not proven.
const MAX_LOG_ODDS: f64 = 8.0;

/// Nodes of the solver of endgames for each node of the budget: its nodes are few and decide much.
const SOLVER_NODES_PER_NODE: u64 = 8;

/// What an analyser says of an unfinished position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The return under best play, +1, 0 or -1, where it is proven.
    pub proven: Option<ForMover<i8>>,
    /// The log-odds of a win against a loss where nothing is proven; 0 says nothing.
    pub log_odds: ForMover<f64>,
    /// The best action, where the analyser knows it without further search.
    pub best: Option<ActionId>,
}

/// Someone who analyses positions of one game within a node budget.
///
/// What was found before helps, so an answer depends on the questions since the analyser was made
/// or [cleared](Analyser::clear), in their order. What is proven never does.
pub trait Analyser<G: Game>: Debug + Send {
    /// Looks at an unfinished position with about `nodes` nodes, at least 1.
    fn analyse(&mut self, state: &G::State, nodes: u64) -> Evidence;

    /// The action to play in an unfinished position, found with about `nodes` nodes, and what is
    /// known of the position.
    fn decide(&mut self, state: &G::State, nodes: u64) -> (ActionId, Evidence);

    /// Forgets what was found.
    fn clear(&mut self);
}

impl<G: Baseline> Analyser<G> for Minimax<G> {
    fn analyse(&mut self, state: &G::State, nodes: u64) -> Evidence {
        self.decide(state, nodes).1
    }

    fn decide(&mut self, state: &G::State, nodes: u64) -> (ActionId, Evidence) {
        let report = self.search(state, &Limits::nodes(nodes.max(1)));
        let mover = self.game().player_to_move(state);
        let log_odds = G::Heuristic::LOG_ODDS_PER_UNIT * f64::from(report.score.0);
        let evidence = Evidence {
            proven: report.proven.map(|value| value.for_mover(mover)),
            log_odds: ForFirst(log_odds.clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS)).for_mover(mover),
            best: Some(report.best),
        };
        (report.best, evidence)
    }

    fn clear(&mut self) {
        Minimax::clear(self);
    }
}

/// The solver of endgames, and minimax where that does not decide.
#[derive(Debug)]
struct WithEndgames<G: Baseline> {
    game: G,
    endgames: Box<dyn EndgameSolver<G>>,
    minimax: Minimax<G>,
    legal: Vec<ActionId>,
}

impl<G: Baseline> WithEndgames<G> {
    fn result(&mut self, state: &G::State, nodes: u64) -> Option<ForFirst<i8>> {
        let nodes = nodes.saturating_mul(SOLVER_NODES_PER_NODE);
        match self.game.outcome(state) {
            Some(outcome) => Some(outcome.value()),
            None => self.endgames.result(state, nodes),
        }
    }
}

impl<G: Baseline> Analyser<G> for WithEndgames<G> {
    fn analyse(&mut self, state: &G::State, nodes: u64) -> Evidence {
        let Some(value) = self.result(state, nodes) else {
            return self.minimax.analyse(state, nodes);
        };
        Evidence {
            proven: Some(value.for_mover(self.game.player_to_move(state))),
            ..Evidence::default()
        }
    }

    fn decide(&mut self, state: &G::State, nodes: u64) -> (ActionId, Evidence) {
        let (preferred, evidence) = self.minimax.decide(state, nodes);
        if evidence.proven.is_some() {
            return (preferred, evidence);
        }
        let Some(value) = self.result(state, nodes) else {
            return (preferred, evidence);
        };
        let mover = self.game.player_to_move(state);
        let solved = Evidence {
            proven: Some(value.for_mover(mover)),
            ..evidence
        };
        if value.seen_by(mover) == -1 {
            return (preferred, solved);
        }
        let mut legal = std::mem::take(&mut self.legal);
        self.game.legal_actions(state, &mut legal);
        let mut next = state.clone();
        let keeping = std::iter::once(preferred)
            .chain(legal.iter().copied())
            .find(|&action| {
                next.clone_from(state);
                self.game.play_unchecked(&mut next, action);
                self.result(&next, nodes) == Some(value)
            });
        self.legal = legal;
        match keeping {
            Some(action) => (action, solved),
            None => (preferred, evidence),
        }
    }

    fn clear(&mut self) {
        self.endgames.clear();
        self.minimax.clear();
    }
}

/// An analyser of a game: minimax with a table of `table_mib` MiB, and before it the solver of
/// endgames where there is [one](Solvable::endgame_solver).
#[must_use]
pub fn analyser<G: Baseline + Solvable>(game: &G, table_mib: usize) -> Box<dyn Analyser<G>> {
    let minimax = Minimax::new(game.clone(), table_mib);
    match game.endgame_solver(table_mib.clamp(1, 16)) {
        Some(endgames) => Box::new(WithEndgames {
            game: game.clone(),
            endgames,
            minimax,
            legal: Vec::new(),
        }),
        None => Box::new(minimax),
    }
}

//! A game of somebody else: its own solver where it has one, else alpha-beta with a table.

use super::alpha_beta::{AlphaBeta, estimated_nodes};
use super::other_endgames::OtherEndgames;
use crate::solver::{ActionValue, EndgameSolver, Solution, Solvable, SolveError, Solver};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tablero_env::{ActionId, ExactSolver, Game, OtherGame, OtherState, Player};

/// MiB of tables where nobody says how many.
const TABLE_MIB: usize = 256;
/// Positions that take no longer than anyone waits, about a minute; and about a second.
const MOST_NODES: f64 = 1e8;
const QUICK_NODES: f64 = 1e5;

/// The solver of a game of somebody else.
pub struct OtherSolver {
    game: OtherGame,
    own: Option<Box<dyn ExactSolver<OtherState>>>,
    alpha_beta: AlphaBeta<OtherGame>,
}

impl Solvable for OtherGame {
    type Solver = OtherSolver;

    fn solver(&self) -> Result<OtherSolver, SolveError> {
        self.solver_within(TABLE_MIB)
    }

    fn solver_within(&self, mib: usize) -> Result<OtherSolver, SolveError> {
        if self.max_plies().is_none() {
            return Err(SolveError::NoSolver {
                game: self.spec(),
                reason: "its rules give no bound on the length of its games",
            });
        }
        let mib = mib.min(TABLE_MIB);
        Ok(OtherSolver {
            game: self.clone(),
            own: self.own_solver(mib),
            alpha_beta: AlphaBeta::new(self.clone(), mib),
        })
    }

    fn is_quickly_solved(&self, state: &OtherState) -> bool {
        self.max_plies().is_some() && estimated_nodes(self, state) <= QUICK_NODES
    }

    fn endgame_solver(&self, table_mib: usize) -> Option<Box<dyn EndgameSolver<Self>>> {
        Some(Box::new(OtherEndgames::new(self, table_mib)?))
    }
}

impl OtherSolver {
    /// The exact score of a position, for player 0, as [`AlphaBeta`] counts.
    fn score(&mut self, state: &OtherState) -> i32 {
        let Some(own) = &mut self.own else {
            return self.alpha_beta.score(state);
        };
        match self.game.outcome(state) {
            Some(outcome) => outcome.value().0.into(),
            None => {
                let nodes = self.alpha_beta.nodes();
                let value = own.value(state, &mut || nodes.visit());
                value.for_first(self.game.player_to_move(state)).0.into()
            }
        }
    }

    /// Each legal action with the score and the position after it.
    fn scored(&mut self, state: &OtherState) -> Vec<(ActionId, i32, OtherState)> {
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        let scored = legal.into_iter().map(|action| {
            let mut next = state.clone();
            self.game.play_unchecked(&mut next, action);
            (action, self.score(&next), next)
        });
        scored.collect()
    }
}

impl Solver<OtherGame> for OtherSolver {
    fn check(&self, state: &OtherState) -> Result<(), SolveError> {
        if let Some(own) = &self.own {
            let is_in_reach = self.game.is_over(state) || own.is_in_reach(state);
            return if is_in_reach {
                Ok(())
            } else {
                Err(SolveError::NoSolver {
                    game: self.game.spec(),
                    reason: "the position is beyond the game's own solver; ask later in the game",
                })
            };
        }
        let nodes = estimated_nodes(&self.game, state);
        if nodes <= MOST_NODES {
            return Ok(());
        }
        Err(SolveError::TooLarge {
            game: self.game.spec(),
            size: nodes as usize,
            max: MOST_NODES as usize,
            unit: "positions by estimate",
            practical: "ask later in the game, or give the game a solver of its own",
        })
    }

    fn action_values(&mut self, state: &OtherState) -> Vec<ActionValue> {
        let scored = self.scored(state).into_iter();
        let values = scored.map(|(action, score, next)| ActionValue {
            action,
            value: self.alpha_beta.value(score),
            points: self.alpha_beta.final_points(&next),
        });
        values.collect()
    }

    fn solve(&mut self, state: &OtherState) -> Solution {
        let before = self.nodes();
        let scored = self.scored(state);
        let scores = scored.iter().map(|&(_, score, _)| score);
        let best = match self.game.player_to_move(state) {
            Player::First => scores.max(),
            Player::Second => scores.min(),
        };
        let score = best.unwrap_or_else(|| self.score(state));
        let optimal = scored.iter().filter(|&&(_, other, _)| other == score);
        Solution {
            value: self.alpha_beta.value(score),
            points: self.alpha_beta.final_points(state),
            best: optimal.map(|&(action, _, _)| action).collect(),
            nodes: self.nodes() - before,
        }
    }

    fn nodes(&self) -> u64 {
        self.alpha_beta.n_nodes()
    }

    fn set_interrupt(&mut self, interrupt: Arc<AtomicBool>) {
        self.alpha_beta.set_interrupt(interrupt);
    }
}

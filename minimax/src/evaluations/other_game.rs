//! A game of somebody else: its own evaluation, by default the lead in points.

use crate::heuristic::{Baseline, Heuristic};
use tablero_env::{ForFirst, OtherGame, OtherState};

/// The evaluation that the rules give.
#[derive(Clone, Copy, Debug, Default)]
pub struct OfRules;

impl Baseline for OtherGame {
    type Heuristic = OfRules;

    fn heuristic(&self) -> OfRules {
        OfRules
    }
}

impl Heuristic<OtherGame> for OfRules {
    /// By the contract of [`Rules::evaluate`](tablero_env::Rules::evaluate).
    const LOG_ODDS_PER_UNIT: f64 = 0.01;

    fn evaluate(&self, game: &OtherGame, state: &OtherState) -> ForFirst<i32> {
        game.evaluate(state)
    }
}

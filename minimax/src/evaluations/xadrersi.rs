//! Xadrersi: the lead in points on the board as it is.

use crate::heuristic::{Baseline, Heuristic};
use tablero_env::xadrersi::{State, Xadrersi};
use tablero_env::{ForFirst, Game};

/// The evaluation, in points; it needs no tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lead;

impl Baseline for Xadrersi {
    type Heuristic = Lead;

    fn heuristic(&self) -> Lead {
        Lead
    }
}

impl Heuristic<Xadrersi> for Lead {
    const LOG_ODDS_PER_UNIT: f64 = 0.075;

    fn evaluate(&self, game: &Xadrersi, state: &State) -> ForFirst<i32> {
        let [first, second] = game.points(state).expect("Xadrersi has points");
        ForFirst(first - second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, MAX_EVALUATION, Minimax, Solvable, Solver, WIN_SCORE};
    use tablero_env::Notation;
    use tablero_env::random::{positions, stream};
    use tablero_env::xadrersi::MAX_POINTS;

    #[test]
    fn evaluations_stay_below_decided_games() {
        const { assert!(MAX_POINTS < MAX_EVALUATION) };
        let state = Xadrersi.parse_state("8/8/8/3q4/3K4/8/8/8:-").unwrap();
        assert_eq!(Lead.evaluate(&Xadrersi, &state), ForFirst(7 - 23));
    }

    #[test]
    fn alpha_beta_to_the_end_finds_the_solvers_lead() {
        let mut solver = Xadrersi.solver().unwrap();
        let mut minimax = Minimax::new(Xadrersi, 4);
        for index in 0..12 {
            let mut random = positions(&Xadrersi, stream(0, "xadrersi endings", index as u64));
            let state = random.nth(12 + index % 4).unwrap();
            minimax.clear();
            let report = minimax.search(&state, &Limits::depth(4));
            let solution = solver.solve(&state);
            let [first, second] = solution.points.unwrap();
            let score = i32::from(solution.value.0) * WIN_SCORE + first - second;
            assert_eq!(report.proven, Some(solution.value));
            assert_eq!(report.score, ForFirst(score));
        }
    }
}

//! Decisions against the exact solver.

use crate::interrupt;
use crate::matches::PlayedDecision;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use tablero_env::{ActionId, Game, Player};
use tablero_minimax::{ActionValue, Solver};

/// How many decisions of a set were right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DecisionTally {
    /// Decisions, repeated positions included.
    pub decisions: u64,
    /// Distinct positions among them.
    pub distinct_positions: u64,
    /// Decisions that keep the exact result (win, draw, loss) of the position.
    pub optimal: u64,
    /// Decisions that keep the exact points too; equal to `optimal` in games without points.
    pub points_optimal: u64,
    /// `optimal / decisions`; `None` without decisions.
    pub optimal_share: Option<f64>,
    /// `points_optimal / decisions`.
    pub points_optimal_share: Option<f64>,
}

/// A player's decisions against the exact solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct OracleReport {
    /// Decisions in which some legal action keeps the exact result and some other does not.
    pub critical: DecisionTally,
    /// All decisions, those included in which nothing could go wrong.
    pub all: DecisionTally,
    /// Decisions left out, since their positions are beyond the solver's reach.
    pub beyond_reach: u64,
}

/// Compares decisions with exact play. `on_decision` is called after each.
pub fn compare<G: Game>(
    game: &G,
    solver: &mut impl Solver<G>,
    decisions: &[PlayedDecision<G::State>],
    on_decision: &mut impl FnMut(),
) -> OracleReport {
    let mut known: FxHashMap<&G::State, Vec<ActionValue>> = FxHashMap::default();
    let mut critical_positions = FxHashSet::default();
    let mut report = OracleReport::default();
    for decision in decisions {
        if interrupt::is_requested() {
            break;
        }
        let state = &decision.state;
        if solver.check(state).is_err() {
            report.beyond_reach += 1;
            on_decision();
            continue;
        }
        let mover = game.player_to_move(state);
        let values = known
            .entry(state)
            .or_insert_with(|| solver.action_values(state));
        let verdict = Verdict::of(values, decision.action, mover);
        report.all.add(&verdict);
        if verdict.critical {
            report.critical.add(&verdict);
            critical_positions.insert(state);
        }
        on_decision();
    }
    report.all.finish(known.len());
    report.critical.finish(critical_positions.len());
    report
}

struct Verdict {
    critical: bool,
    optimal: bool,
    points_optimal: bool,
}

impl Verdict {
    fn of(values: &[ActionValue], action: ActionId, mover: Player) -> Verdict {
        // The mover's return first, then the mover's lead in points.
        let result = |value: &ActionValue| value.value.seen_by(mover);
        let lead = |value: &ActionValue| {
            let points = value.points.unwrap_or_default();
            points[mover.index()] - points[mover.opponent().index()]
        };
        let best_result = values.iter().map(result).max();
        let worst_result = values.iter().map(result).min();
        let best_lead = values.iter().map(lead).max();
        let chosen = values
            .iter()
            .find(|value| value.action == action)
            .expect("a played action is legal");
        let optimal = Some(result(chosen)) == best_result;
        Verdict {
            critical: best_result != worst_result,
            optimal,
            points_optimal: optimal && Some(lead(chosen)) == best_lead,
        }
    }
}

impl DecisionTally {
    fn add(&mut self, verdict: &Verdict) {
        self.decisions += 1;
        self.optimal += u64::from(verdict.optimal);
        self.points_optimal += u64::from(verdict.points_optimal);
    }

    fn finish(&mut self, distinct_positions: usize) {
        self.distinct_positions = distinct_positions as u64;
        let share = |n: u64| (self.decisions > 0).then(|| n as f64 / self.decisions as f64);
        self.optimal_share = share(self.optimal);
        self.points_optimal_share = share(self.points_optimal);
    }
}

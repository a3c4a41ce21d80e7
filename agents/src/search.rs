//! One tree within a budget.

use crate::informed::Informed;
use std::time::{Duration, Instant};
use tablero_env::Game;
use tablero_mcts::{Batch, Evaluator, Search};

/// Simulations after which a search limited by time plans anew, at first; then twice as many, up to
/// [`MOST_PLANNED`] more: Gumbel halves its moves by a number of simulations.
const FIRST_PLAN: u32 = 64;
const MOST_PLANNED: u32 = 4096;

/// Runs a search until it has done `n_sims` simulations since it was made or last advanced, its root
/// is proven, or the time is up; a root that is not evaluated is so in any case. `goes_on` is asked
/// after every evaluation; once it says no, the search is left as it is.
pub(crate) fn run_for<G: Game, E: Evaluator<G>>(
    search: &mut Search<G>,
    n_sims: u32,
    allowed: Option<Duration>,
    evaluator: &mut Informed<G, E>,
    batch: &mut Batch<G>,
    goes_on: &mut dyn FnMut(&Search<G>) -> bool,
) {
    let start = Instant::now();
    let is_up = || allowed.is_some_and(|time| start.elapsed() >= time);
    let mut plan = if allowed.is_some() {
        FIRST_PLAN
    } else {
        n_sims
    };
    while search.root_visits() == 0 || !is_up() {
        let target = plan.min(n_sims);
        let one = std::slice::from_mut(search);
        let size = batch.round(one, |_| target, evaluator);
        let is_done = size == 0 && (target == n_sims || search.root_proven().is_some());
        if is_done {
            break;
        }
        if !goes_on(search) {
            return;
        }
        if size == 0 {
            plan = plan.saturating_add(plan.min(MOST_PLANNED));
        }
    }
}

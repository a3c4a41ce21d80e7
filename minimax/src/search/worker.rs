//! One thread's search: deeper and deeper.

use super::budget::{Budget, Stopped};
use super::frame::Frame;
use super::report::Report;
use super::units::{SAME_TURN, TURN};
use super::window::Window;
use crate::heuristic::{Baseline, Heuristic, MAX_EVALUATION};
use crate::ordering::Ordering;
use crate::table::{COMPLETE, Table};
use tablero_env::{ActionId, ForFirst, ForMover, Game};

/// What a thread keeps for its next search, so that it need not be allocated again.
#[derive(Debug)]
pub(super) struct Storage<S> {
    pub(super) ordering: Ordering,
    /// Those that no node uses at the moment.
    pub(super) frames: Vec<Box<Frame<S>>>,
}

impl<S> Storage<S> {
    pub(super) fn new<G: Game<State = S>>(game: &G) -> Self {
        Storage {
            ordering: Ordering::new(game.n_actions()),
            frames: Vec::new(),
        }
    }
}

/// A thread of a search: what all of them share, and what is its own.
#[derive(Debug)]
pub(super) struct Worker<'a, G: Baseline> {
    pub(super) game: &'a G,
    pub(super) heuristic: &'a G::Heuristic,
    pub(super) table: &'a Table,
    pub(super) storage: &'a mut Storage<G::State>,
    pub(super) budget: Budget<'a>,
    /// Whether a win may weigh more than another.
    pub(super) has_points: bool,
    /// See [`Heuristic::LATE_REDUCTION`].
    pub(super) late_reduction: u16,
    /// Whether no deeper search can change the scores found since the flag was last set.
    pub(super) complete: bool,
    /// The best action of the iteration under way that is known to beat the window's lower end,
    /// with its score for the player to move at the root.
    pub(super) root_best: Option<(ActionId, i32)>,
}

impl<'a, G: Baseline> Worker<'a, G> {
    pub(super) fn new(
        game: &'a G,
        heuristic: &'a G::Heuristic,
        table: &'a Table,
        storage: &'a mut Storage<G::State>,
        budget: Budget<'a>,
    ) -> Self {
        let limited_by_depth = budget.limits().depth.is_some();
        storage.ordering.clear();
        Worker {
            game,
            heuristic,
            table,
            storage,
            budget,
            has_points: game.points(&game.initial()).is_some(),
            late_reduction: if limited_by_depth {
                0
            } else {
                G::Heuristic::LATE_REDUCTION
            },
            complete: false,
            root_best: None,
        }
    }

    /// Searches to each of `depths`, ascending, until the score is exact or the budget is spent.
    pub(super) fn deepen(mut self, state: &G::State, depths: impl Iterator<Item = u16>) -> Report {
        let mover = self.game.player_to_move(state);
        let mut report = self.first_answer(state);
        let mut scores = Vec::new();
        for depth in depths {
            let iterated = self.iterate(state, depth, Window::around(&scores));
            let completed = iterated.is_ok();
            if let Some((best, score)) = self.root_best {
                // Given up, the iteration has seen only some of the actions: that one wins is
                // still a proof.
                let decided = score > MAX_EVALUATION || completed && score < -MAX_EVALUATION;
                let exact = completed && self.complete;
                report.best = best;
                report.score = ForMover(score).for_first(mover);
                let value = ForFirst(report.score.0.signum() as i8);
                report.proven = (decided || exact).then_some(value);
                report.pv = self.principal_variation(state, best, depth);
            }
            if !completed {
                break;
            }
            report.depth = u32::from(depth);
            scores.extend(self.root_best.map(|(_, score)| score));
            if self.complete {
                break;
            }
        }
        report.nodes = self.budget.nodes();
        report
    }

    /// The answer before any search: a forcing action, or else the first.
    fn first_answer(&self, state: &G::State) -> Report {
        let mut actions = Vec::new();
        self.heuristic
            .forcing_actions(self.game, state, &mut actions);
        if actions.is_empty() {
            self.game.legal_actions(state, &mut actions);
        }
        let best = actions[0];
        Report {
            best,
            score: self.heuristic.evaluate(self.game, state),
            proven: None,
            depth: 0,
            nodes: 0,
            pv: vec![best],
        }
    }

    /// One whole search to `depth`, first inside `window`. It leaves the exact score and its action
    /// in `root_best`, and whether a deeper search would return the same score in `complete`.
    fn iterate(&mut self, state: &G::State, depth: u16, mut window: Window) -> Result<(), Stopped> {
        self.root_best = None;
        loop {
            self.complete = true;
            let score = self.node(state, depth * TURN, 0, window.alpha, window.beta)?;
            match window.widened(score) {
                None => return Ok(()),
                Some(wider) => window = wider,
            }
        }
    }

    /// Follows the table's actions from `state`, beginning with `best`, for `depth` turns.
    fn principal_variation(&self, state: &G::State, best: ActionId, depth: u16) -> Vec<ActionId> {
        let mut state = state.clone();
        let mut pv = Vec::new();
        let mut next = Some(best);
        let mut left = depth * TURN;
        while let Some(action) = next
            && left > 0
            && self.game.is_legal(&state, action)
        {
            let mover = self.game.player_to_move(&state);
            self.game.play_unchecked(&mut state, action);
            pv.push(action);
            let passes = self.game.player_to_move(&state) != mover;
            left = left.saturating_sub(if passes { TURN } else { SAME_TURN });
            next = self
                .table
                .get(self.game.hash(&state))
                .map(|entry| entry.action);
        }
        pv
    }
}

/// The deepest iteration that the table can store, in turns.
pub(super) const DEEPEST: u16 = (COMPLETE - 1) / TURN;

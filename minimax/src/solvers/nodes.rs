//! The nodes of a solver, and the end of a question from another thread.

use crate::solver::SolveError;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Nodes between two looks at the flag: far below a millisecond in most games, and some milliseconds
/// where a node takes longest.
const PERIOD: u64 = 64;

/// What unwinds from a question that is ended.
struct Interrupted;

/// Counts nodes, and ends the question once its flag is set.
///
/// A question ends by unwinding: no search then holds a value that it does not know, and none has to
/// pass on that there is none. What the tables hold is finished at any node, so the solver can be
/// asked again.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    n_nodes: u64,
    interrupt: Option<Arc<AtomicBool>>,
}

impl Nodes {
    /// One more.
    #[inline]
    pub(super) fn visit(&mut self) {
        self.n_nodes += 1;
        if self.n_nodes.is_multiple_of(PERIOD) {
            self.end_if_interrupted();
        }
    }

    /// Ends the question if it is to end.
    #[cold]
    fn end_if_interrupted(&self) {
        let flag = self.interrupt.as_ref();
        if flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            // Not a panic: nothing is printed.
            resume_unwind(Box::new(Interrupted));
        }
    }

    /// How many there were.
    pub(super) fn count(&self) -> u64 {
        self.n_nodes
    }

    pub(super) fn set_interrupt(&mut self, interrupt: Arc<AtomicBool>) {
        self.interrupt = Some(interrupt);
    }
}

/// The answer of `ask`, which asks a solver.
///
/// # Errors
/// [`SolveError::Interrupted`], if the solver's flag ended the question: see
/// [`Solver::set_interrupt`](crate::Solver::set_interrupt).
///
/// # Panics
/// If `ask` does.
pub fn unless_interrupted<T>(ask: impl FnOnce() -> T) -> Result<T, SolveError> {
    // The solver is as it was at some node.
    catch_unwind(AssertUnwindSafe(ask)).map_err(|payload| {
        if payload.is::<Interrupted>() {
            return SolveError::Interrupted;
        }
        resume_unwind(payload)
    })
}

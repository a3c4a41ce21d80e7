//! How much a search may still spend.

use crate::limits::Limits;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// How many nodes pass between two looks at the clock. One node takes 0.2 to 20 microseconds,
/// a look 0.03: time limits are kept to about a millisecond, and the looks cost nothing.
pub(super) const NODES_PER_CLOCK: u64 = 64;

/// The search was given up because time or nodes ran out.
#[derive(Debug)]
pub(super) struct Stopped;

/// The limits of one search in time and nodes, and what a thread of it has spent of them.
#[derive(Clone, Debug)]
pub(super) struct Budget<'a> {
    limits: Limits,
    /// Set when any thread of the search has ended.
    stop: &'a AtomicBool,
    /// Set from outside to end the search.
    interrupt: Option<&'a AtomicBool>,
    /// The clock, which tests replace.
    now: fn() -> Instant,
    started: Instant,
    nodes: u64,
}

impl<'a> Budget<'a> {
    /// Starts the clock.
    pub(super) fn start(limits: Limits, now: fn() -> Instant, stop: &'a AtomicBool) -> Self {
        Budget {
            limits,
            stop,
            interrupt: None,
            now,
            started: now(),
            nodes: 0,
        }
    }

    /// The same for a search that ends, too, once `interrupt` is set.
    pub(super) fn interrupted_by(self, interrupt: Option<&'a AtomicBool>) -> Self {
        Budget { interrupt, ..self }
    }

    /// What the search may spend.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The positions visited.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Pays for one more node, unless there is nothing left to pay with.
    #[inline]
    pub(super) fn spend_node(&mut self) -> Result<(), Stopped> {
        if self.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(NODES_PER_CLOCK) && self.is_up() {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    fn is_up(&self) -> bool {
        if self
            .interrupt
            .is_some_and(|interrupt| interrupt.load(Relaxed))
        {
            return true;
        }
        self.limits.time.is_some_and(|limit| {
            self.stop.load(Relaxed) || (self.now)().duration_since(self.started) >= limit
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    static GOES_ON: AtomicBool = AtomicBool::new(false);

    #[test]
    fn exactly_the_limit_in_nodes_is_spent() {
        for limit in [0, 1, 63, 64, 65] {
            let mut budget = Budget::start(Limits::nodes(limit), Instant::now, &GOES_ON);
            let spent = (0..100).take_while(|_| budget.spend_node().is_ok()).count();
            assert_eq!((spent as u64, budget.nodes()), (limit, limit));
        }
    }

    #[test]
    fn no_time_pays_for_no_node() {
        let mut budget = Budget::start(Limits::time(Duration::ZERO), Instant::now, &GOES_ON);
        assert!(budget.spend_node().is_err());
    }

    #[test]
    fn a_thread_whose_search_has_ended_stops_before_it_looks_at_the_clock_again() {
        let stop = AtomicBool::new(false);
        let limits = Limits::time(Duration::MAX);
        let mut budget = Budget::start(limits, Instant::now, &stop);
        assert!(budget.spend_node().is_ok());
        stop.store(true, Relaxed);
        while budget.spend_node().is_ok() {}
        assert_eq!(budget.nodes(), NODES_PER_CLOCK);
    }

    #[test]
    fn an_interrupt_ends_a_search_without_a_limit_in_time() {
        let interrupt = AtomicBool::new(false);
        let budget = Budget::start(Limits::nodes(u64::MAX), Instant::now, &GOES_ON);
        let mut budget = budget.interrupted_by(Some(&interrupt));
        assert!(budget.spend_node().is_ok());
        interrupt.store(true, Relaxed);
        while budget.spend_node().is_ok() {}
        assert_eq!(budget.nodes(), NODES_PER_CLOCK);
    }
}

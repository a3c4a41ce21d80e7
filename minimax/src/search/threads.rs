//! Several threads, each with a search of its own over one table: what one has found cuts the others
//! short ("Lazy SMP"; Östensen, "A Complete Chess Engine Parallelized Using Lazy SMP", 2016).
//! They part because every second one begins a turn deeper, and because none waits for another.
//!
//! Every claim in the table is sound whoever made it, so what is proven stays so: a thread stores
//! a proof only after those it rests on.

use super::report::Report;
use super::worker::{DEEPEST, Worker};
use crate::heuristic::Baseline;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Builder};

/// Ends the search of all threads when one of them ends, be it by a panic.
struct EndsAll<'a>(&'a AtomicBool);

impl Drop for EndsAll<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Searches with every worker until the first of them is done: what the one that came farthest has
/// found, and the nodes of all. The first worker searches on this thread.
///
/// # Panics
/// If there is no worker, or a worker panics.
pub(super) fn search<G: Baseline>(
    workers: Vec<Worker<'_, G>>,
    state: &G::State,
    depth: Option<u32>,
    stop: &AtomicBool,
) -> Report {
    let deepest = depth.unwrap_or(u32::MAX).clamp(1, DEEPEST.into()) as u16;
    let run = |worker: Worker<'_, G>, first_depth: u16| {
        let _ends_all = EndsAll(stop);
        worker.deepen(state, first_depth.min(deepest)..=deepest)
    };
    let mut workers = workers.into_iter();
    let here = workers.next().expect("there is a worker");
    let reports = thread::scope(|scope| {
        let others: Vec<_> = workers
            .zip([2, 1].into_iter().cycle())
            .filter_map(|(worker, depth)| {
                let name = "minimax".to_owned();
                let started = Builder::new().name(name);
                started.spawn_scoped(scope, move || run(worker, depth)).ok()
            })
            .collect();
        let mut reports = vec![run(here, 1)];
        for other in others {
            reports.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        reports
    });
    let nodes = reports.iter().map(|report| report.nodes).sum();
    let best = reports
        .into_iter()
        .rev()
        .max_by_key(|report| (report.proven.is_some(), report.depth))
        .expect("a report a worker");
    Report { nodes, ..best }
}

#[cfg(test)]
mod tests {
    use super::super::{Minimax, budget::NODES_PER_CLOCK};
    use crate::Limits;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::thread;
    use std::time::{Duration, Instant};
    use tablero_env::Game;
    use tablero_env::dots_and_boxes::DotsAndBoxes;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    static LOOKS: AtomicU32 = AtomicU32::new(0);

    /// A clock of all threads that goes on by a millisecond whenever one of them looks at it.
    fn slow_clock() -> Instant {
        *START + Duration::from_millis(LOOKS.fetch_add(1, Relaxed).into())
    }

    /// Each look pays for as many nodes of the thread that looks; the first starts the clock. When
    /// the time is up, every thread looks once more at most.
    #[test]
    fn all_threads_end_with_their_next_look_at_the_clock() {
        let game = DotsAndBoxes::new(5, 5).unwrap();
        for n_threads in 1..=4 {
            let mut searcher = Minimax::new(game.clone(), 1).with_threads(n_threads as usize);
            searcher.now = slow_clock;
            for n_millis in [1, 2, 10, 100] {
                LOOKS.store(0, Relaxed);
                let limits = Limits::time(Duration::from_millis(n_millis));
                let report = searcher.search(&game.initial(), &limits);
                assert!(game.is_legal(&game.initial(), report.best));
                assert!(report.nodes <= (n_millis - 1) * NODES_PER_CLOCK);
                assert!(u64::from(LOOKS.load(Relaxed)) <= n_millis + n_threads);
            }
        }
    }

    fn clock_for_minimax_threads_only() -> Instant {
        assert_eq!(thread::current().name(), Some("minimax"), "a broken clock");
        Instant::now()
    }

    fn clock_for_other_threads_only() -> Instant {
        assert_ne!(thread::current().name(), Some("minimax"), "a broken clock");
        Instant::now()
    }

    /// A panic in any thread ends the others, long before their time is up, and comes through.
    #[test]
    fn a_panic_in_a_thread_ends_the_search() {
        let game = DotsAndBoxes::new(10, 10).unwrap();
        let mut searcher = Minimax::new(game.clone(), 1).with_threads(3);
        let limits = Limits::time(Duration::from_secs(1_000_000));
        for now in [clock_for_minimax_threads_only, clock_for_other_threads_only] {
            searcher.now = now;
            let search = AssertUnwindSafe(|| searcher.search(&game.initial(), &limits));
            let panic = catch_unwind(search).unwrap_err();
            let message = panic.downcast_ref::<String>().unwrap();
            assert!(message.contains("a broken clock"), "{message}");
        }
        // The player is none the worse for it.
        let report = searcher.search(&game.initial(), &Limits::nodes(500));
        assert_eq!(report.nodes, 500);
    }
}

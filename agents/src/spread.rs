//! Work over threads.

use crate::cancel::Cancel;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbered jobs, handed out in ascending order, each once.
#[derive(Debug)]
pub struct Jobs {
    next: AtomicU64,
    end: u64,
    cancel: Cancel,
}

impl Jobs {
    /// The next job; `None` when all are taken, and once they are cancelled.
    pub fn take(&self) -> Option<u64> {
        if self.is_cancelled() {
            return None;
        }
        let job = self.next.fetch_add(1, Ordering::Relaxed);
        (job < self.end).then_some(job)
    }

    /// Whether those under way are to be dropped, too.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Hands out no more jobs.
    pub fn stop(&self) {
        self.next.store(self.end, Ordering::Relaxed);
    }
}

/// A thread for each core.
#[must_use]
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What a thread does its whole work within.
pub type Around = fn(work: &mut (dyn FnMut() + Send));

static AROUND: OnceLock<Around> = OnceLock::new();

/// Makes every thread of [`spread`] do its work within `around`, which calls it once: an interpreter, for
/// instance, keeps what it knows about the thread meanwhile. Only the first call counts.
pub fn surround(around: Around) {
    let _ = AROUND.set(around);
}

fn surrounded<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let Some(around) = AROUND.get() else {
        return work();
    };
    let (mut work, mut made) = (Some(work), None);
    around(&mut || made = work.take().map(|work| work()));
    made.expect("the work is called")
}

/// Runs `work` on `threads` threads (0 counts as 1), which share the jobs; returns what each thread
/// made of its part. Which thread does which job depends on the clock: who wants the same result
/// for any number of threads makes each job a function of its number, and sorts.
///
/// # Panics
/// If `work` panics.
pub fn spread<T: Send>(
    threads: usize,
    jobs: Range<u64>,
    work: impl Fn(&Jobs) -> T + Sync,
) -> Vec<T> {
    spread_until(&Cancel::new(), threads, jobs, work)
}

/// The same with jobs that may be cancelled: then no more are handed out, and work that
/// [asks](Jobs::is_cancelled) ends at once.
///
/// # Panics
/// If `work` panics.
pub fn spread_until<T: Send>(
    cancel: &Cancel,
    threads: usize,
    jobs: Range<u64>,
    work: impl Fn(&Jobs) -> T + Sync,
) -> Vec<T> {
    let jobs = Jobs {
        next: AtomicU64::new(jobs.start),
        end: jobs.end,
        cancel: cancel.clone(),
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1))
            .map(|_| scope.spawn(|| surrounded(|| work(&jobs))))
            .collect();
        threads
            .into_iter()
            .map(|thread| match thread.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once_whatever_the_threads() {
        for threads in [0, 1, 3, 20] {
            let parts = spread(threads, 5..15, |jobs| {
                std::iter::from_fn(|| jobs.take()).collect::<Vec<u64>>()
            });
            let mut all = parts.concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(5..15), "{threads}");
        }
    }

    #[test]
    fn after_a_stop_no_job_is_handed_out() {
        let parts = spread(1, 0..10, |jobs| {
            let first = jobs.take();
            jobs.stop();
            (first, jobs.take())
        });
        assert_eq!(parts, [(Some(0), None)]);
    }

    #[test]
    fn cancelled_jobs_are_not_handed_out() {
        let cancel = Cancel::new();
        let parts = spread_until(&cancel, 1, 0..10, |jobs| {
            let first = (jobs.take(), jobs.is_cancelled());
            cancel.cancel();
            (first, (jobs.take(), jobs.is_cancelled()))
        });
        assert_eq!(parts, [((Some(0), false), (None, true))]);
    }
}

//! Alpha-beta: depth-first minimax that skips what cannot change the answer (Knuth and Moore,
//! 1975), as principal variation search (Marsland and Campbell, 1982) inside iterative
//! deepening with aspiration windows.

mod budget;
mod frame;
mod node;
mod report;
mod threads;
mod units;
mod window;
mod worker;

use crate::heuristic::{Baseline, Heuristic};
use crate::limits::Limits;
use crate::table::Table;
use budget::Budget;
pub use report::Report;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
pub use units::WIN_SCORE;
use worker::{Storage, Worker};

/// The alpha-beta player of a game.
///
/// A search limited by depth or nodes is a pure function of the state, the limits and the
/// contents of the transposition table; [`clear`](Minimax::clear) empties the table. Only a
/// limit in time makes the answer depend on the clock, and on the
/// [number of threads](Minimax::with_threads).
///
/// ```
/// use tablero_env::{ForFirst, Game, dots_and_boxes::DotsAndBoxes};
/// use tablero_minimax::{Limits, Minimax};
/// let game = DotsAndBoxes::new(1, 2).unwrap();
/// let state = game.initial();
/// let report = Minimax::new(game, 1).search(&state, &Limits::depth(7));
/// assert_eq!(report.proven, Some(ForFirst(0)), "seven plies are the whole game, and it is a draw");
/// ```
#[derive(Debug)]
pub struct Minimax<G: Baseline> {
    game: G,
    heuristic: G::Heuristic,
    table: Table,
    /// One a thread.
    storages: Vec<Storage<G::State>>,
    /// The clock of searches to come.
    now: fn() -> Instant,
    /// Ends searches when it is set.
    interrupt: Option<Arc<AtomicBool>>,
}

impl<G: Baseline> Minimax<G> {
    /// A player of one thread, with a transposition table of at most `table_mib` MiB; 0 means none.
    /// It takes as much only as the table fills. All else that a search of a registered game holds
    /// is less than 1 MiB a thread.
    #[must_use]
    pub fn new(game: G, table_mib: usize) -> Self {
        Minimax {
            heuristic: game.heuristic(),
            table: Table::new(table_mib),
            storages: vec![Storage::new(&game)],
            now: Instant::now,
            interrupt: None,
            game,
        }
    }

    /// A player of so many threads, which share its table; 0 counts as 1.
    ///
    /// Which of them comes first to a position changes what the others find, so they search
    /// together only where the answer depends on the clock anyway: under a limit in time
    /// and none in nodes. Any other search is made by one thread, and its answer is the same
    /// whatever their number. A thread that the system refuses to start is done without. A search
    /// waits until all of its threads have stopped: more than there are free cores make it late.
    #[must_use]
    pub fn with_threads(mut self, n_threads: usize) -> Self {
        self.set_threads(n_threads);
        self
    }

    /// The same for a player that is there.
    pub fn set_threads(&mut self, n_threads: usize) {
        let game = &self.game;
        self.storages
            .resize_with(n_threads.max(1), || Storage::new(game));
    }

    /// Ends the search under way, and those to come, once `interrupt` is set, as if its nodes were
    /// spent; within microseconds.
    pub fn set_interrupt(&mut self, interrupt: Arc<AtomicBool>) {
        self.interrupt = Some(interrupt);
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches deeper and deeper until a limit is reached or the score is exact.
    ///
    /// # Panics
    /// If the game is over.
    pub fn search(&mut self, state: &G::State, limits: &Limits) -> Report {
        assert!(!self.game.is_over(state), "the game is over");
        let stop = AtomicBool::new(false);
        let interrupt = self.interrupt.as_deref();
        let budget = Budget::start(*limits, self.now, &stop).interrupted_by(interrupt);
        if G::Heuristic::POSITIONS_RECUR {
            // What was found when other positions had been repeated proves nothing now.
            self.table.clear();
        }
        let together = limits.time.is_some() && limits.nodes.is_none();
        let n_threads = if together { self.storages.len() } else { 1 };
        let workers = self.storages[..n_threads].iter_mut().map(|storage| {
            Worker::new(
                &self.game,
                &self.heuristic,
                &self.table,
                storage,
                budget.clone(),
            )
        });
        threads::search(workers.collect(), state, limits.depth, &stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::LazyLock;
    use std::time::Duration;
    use tablero_env::random::{positions, stream};
    use tablero_env::{AnyGame, games, with_game};

    thread_local! {
        static LOOKS: Cell<u32> = const { Cell::new(0) };
    }

    /// A clock that goes on by a millisecond whenever someone looks at it.
    fn slow_clock() -> Instant {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        let looks = LOOKS.get();
        LOOKS.set(looks + 1);
        *START + Duration::from_millis(looks.into())
    }

    /// The nodes that pass until the look at the clock that says that the time is up: the first
    /// look starts it, and each further one pays for as many nodes. Nothing else takes a time that
    /// grows with the table: clearing it does not touch it.
    fn check_nodes_in_time<G: Baseline>(game: &G, n_plies: usize) {
        let random = positions(game, stream(1, "clock test", n_plies as u64));
        let state = random.take(1 + n_plies).last().unwrap();
        let mut searcher = Minimax::new(game.clone(), 1);
        searcher.now = slow_clock;
        for n_millis in [1, 2, 10] {
            LOOKS.set(0);
            let limits = Limits::time(Duration::from_millis(n_millis));
            let report = searcher.search(&state, &limits);
            assert!(game.is_legal(&state, report.best));
            // Small endgames end before the time is up.
            if report.proven.is_none() {
                assert_eq!(report.nodes, (n_millis - 1) * budget::NODES_PER_CLOCK);
                assert_eq!(u64::from(LOOKS.get()), n_millis + 1, "{}", game.spec());
            }
        }
    }

    /// On default boards and on the largest, at the beginning and later.
    #[test]
    fn the_search_ends_with_the_look_at_the_clock_that_says_so() {
        let largest = [
            "dots-and-boxes:10x10",
            "queens:16",
            "paper-soccer:16x16",
            "hive:base+mlp",
        ];
        for spec in games().iter().map(|entry| entry.name).chain(largest) {
            let any = AnyGame::parse(spec).unwrap();
            for n_plies in [0, 3, 12, 40] {
                with_game!(&any, game => check_nodes_in_time(game, n_plies));
            }
        }
    }
}

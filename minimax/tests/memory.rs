//! A player's memory is bounded, whatever it searches: its table, and a little for the rest.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tablero_env::random::{positions, stream};
use tablero_env::{AnyGame, with_game};
use tablero_minimax::{Baseline, Limits, Minimax};

/// The system's allocator, which counts the bytes that are held, and the most so far.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(held, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Every game, on its default board and on its largest.
const SPECS: [&str; 8] = [
    "dots-and-boxes:5x5",
    "dots-and-boxes:10x10",
    "queens:8",
    "queens:16",
    "paper-soccer:8x10",
    "paper-soccer:16x16",
    "xadrersi",
    "hive:base+mlp",
];

/// What a thread of a search takes beside the table: ordering, and a frame for every ply of the
/// deepest line.
const BYTES_A_THREAD: usize = 1 << 20;

/// The most bytes that a player of so many threads holds, the game's own included, in searches from
/// the positions of random games. Its table is one of a single MiB, so that it soon is full.
fn most_held<G: Baseline>(game: &G, n_threads: usize) -> usize {
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    let mut player = Minimax::new(game.clone(), 1).with_threads(n_threads);
    for index in 0..4 {
        let random = positions(game, stream(1, "memory test", index));
        for state in random.step_by(5).take(30) {
            player.search(&state, &Limits::nodes(3_000));
            player.search(&state, &Limits::time(Duration::from_millis(2)));
        }
    }
    MOST.load(Relaxed) - before
}

/// One test, so that no other thread's memory is counted.
#[test]
fn a_player_holds_its_table_and_a_little_more() {
    for spec in SPECS {
        let any = AnyGame::parse(spec).unwrap();
        for n_threads in [1, 3] {
            let most = with_game!(&any, game => most_held(game, n_threads));
            let table = 1 << 20;
            assert!(most > table - 100, "{spec}: the table is counted");
            assert!(most <= table + n_threads * BYTES_A_THREAD, "{spec}: {most}");
        }
    }
}

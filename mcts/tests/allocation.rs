//! A warm search allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::num::NonZeroU32;
use tablero_env::Game;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::random::stream;
use tablero_mcts::{Batch, Evaluator, Fake, Rollout, Search, SearchParams, run};

/// The system's allocator, which counts what each thread asks of it.
struct Counting;

thread_local! {
    static N_ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        N_ALLOCATIONS.set(N_ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The allocations of a search of 500 simulations, after a first one of 2,000 and a move that
/// keeps little of its tree.
fn n_allocations(params: &SearchParams, mut evaluator: impl Evaluator<DotsAndBoxes>) -> usize {
    let game = DotsAndBoxes::new(4, 4).unwrap();
    let mut searches: Vec<_> = (0..4)
        .map(|index| {
            let stream = stream(0, "test search", index);
            Search::new(game.clone(), game.initial(), params.clone(), stream)
        })
        .collect();
    let mut batch = Batch::new();
    let mut grow = |searches: &mut [Search<_>], n_sims| {
        let before = N_ALLOCATIONS.get();
        run(searches, n_sims, &mut evaluator, &mut batch);
        N_ALLOCATIONS.get() - before
    };
    // The searches after the move take other ways; four times the simulations leave room for them.
    assert!(grow(&mut searches, 2000) > 0);
    for search in &mut searches {
        let edges = search.root_edges();
        let least = edges.iter().min_by_key(|edge| edge.visits).unwrap();
        search.advance(least.action).unwrap();
    }
    grow(&mut searches, 500)
}

#[test]
fn after_a_first_search_the_next_ones_do_not_allocate() {
    for transpositions in [false, true] {
        let params = SearchParams {
            transpositions,
            ..SearchParams::default()
        };
        assert_eq!(n_allocations(&params, Fake), 0);
        assert_eq!(n_allocations(&params, Rollout::new(NonZeroU32::MIN)), 0);
    }
}

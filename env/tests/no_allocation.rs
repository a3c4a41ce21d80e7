//! Stepping does not allocate. A test file of its own, since it replaces the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::random::stream;
use tablero_env::{ActionId, Autoreset, Env, EnvOptions, Game, VecEnv, playout};

/// The system's allocator, which counts its calls thread by thread: the test harness allocates
/// in others.
struct Counting;

thread_local! {
    static N_CALLS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged. The counter is a plain cell that
// needs neither initialisation nor a destructor, so counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        N_CALLS.set(N_CALLS.get() + 1);
        // SAFETY: as required of the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        N_CALLS.set(N_CALLS.get() + 1);
        // SAFETY: as required of the caller.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        N_CALLS.set(N_CALLS.get() + 1);
        // SAFETY: as required of the caller.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often the allocator is called by `work`.
fn n_allocator_calls(work: impl FnOnce()) -> usize {
    let before = N_CALLS.get();
    work();
    N_CALLS.get() - before
}

const OPTIONS: EnvOptions = EnvOptions {
    max_plies: Some(50),
    random_opening_plies: 4,
};

#[test]
fn the_counter_counts() {
    let calls = n_allocator_calls(|| drop(std::hint::black_box(vec![1, 2, 3])));
    assert_eq!(calls, 2);
}

#[test]
fn env_reset_and_step_do_not_allocate() {
    let mut env = Env::new(DotsAndBoxes::new(5, 5).unwrap(), OPTIONS);
    let calls = n_allocator_calls(|| {
        for seed in 0..10 {
            env.reset(seed);
            // Refused actions included: an error is a plain value.
            for edge in (0..60).chain(0..60) {
                let _ = std::hint::black_box(env.step(ActionId(edge)));
            }
        }
    });
    assert_eq!(calls, 0);
}

#[test]
fn vec_env_reset_and_step_do_not_allocate() {
    let game = DotsAndBoxes::new(5, 5).unwrap();
    let mut envs = VecEnv::new(game.clone(), 16, OPTIONS, Autoreset::SameStep);
    let mut actions = vec![ActionId(0); 16];
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let mut rng = stream(0, "actions", 0);
    let mut n_ended = 0;
    let calls = n_allocator_calls(|| {
        envs.reset(0);
        for _ in 0..200 {
            for (index, action) in actions.iter_mut().enumerate() {
                *action = game.sample_action(envs.state(index), &mut buffer, &mut rng);
            }
            let step = envs.step(&actions).unwrap();
            n_ended += step
                .truncated
                .iter()
                .filter(|&&truncated| truncated)
                .count();
        }
    });
    assert_eq!(calls, 0);
    assert_eq!(n_ended, 16 * 4, "200 steps hold 4 episodes of 50");
}

#[test]
fn playouts_do_not_allocate_once_the_buffer_has_room() {
    let game = DotsAndBoxes::new(5, 5).unwrap();
    let mut buffer = Vec::with_capacity(game.max_legal_actions());
    let mut rng = stream(0, "playouts", 0);
    let calls = n_allocator_calls(|| {
        for _ in 0..10 {
            std::hint::black_box(playout(&game, &mut game.initial(), &mut buffer, &mut rng));
        }
    });
    assert_eq!(calls, 0);
}

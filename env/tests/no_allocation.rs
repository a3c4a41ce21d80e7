//! Stepping does not allocate. A test file of its own, since it replaces the allocator.

use rand::RngExt;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tablero_env::random::{positions, stream};
use tablero_env::{
    ActionFeatures, ActionId, AnyGame, Autoreset, BoardGame, Env, EnvOptions, VecEnv, games,
    playout_up_to, with_game,
};

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

/// Runs a check on each registered game with its default parameters.
macro_rules! for_every_game {
    ($check:expr) => {
        for entry in games() {
            let any = AnyGame::parse(entry.name).unwrap();
            with_game!(&any, game => $check(game));
        }
    };
}

#[test]
fn env_reset_and_step_do_not_allocate() {
    fn check<G: BoardGame>(game: &G) {
        let mut env = Env::new(game.clone(), OPTIONS);
        let mut buffer = Vec::with_capacity(game.max_legal_actions());
        let mut rng = stream(0, "actions", 0);
        let mut n_steps = 0;
        let calls = n_allocator_calls(|| {
            for seed in 0..10 {
                env.reset(seed);
                loop {
                    // Refused actions included: an error is a plain value.
                    let any = ActionId::from(rng.random_range(0..=game.n_actions()));
                    if !game.is_legal(env.state(), any) {
                        assert!(std::hint::black_box(env.step(any)).is_err());
                    }
                    let action = game.sample_action(env.state(), &mut buffer, &mut rng);
                    let step = env.step(action).unwrap();
                    n_steps += 1;
                    if step.terminated || step.truncated {
                        break;
                    }
                }
            }
        });
        assert_eq!(calls, 0, "{} in {n_steps} steps", game.spec());
    }
    for_every_game!(check);
}

#[test]
fn vec_env_reset_and_step_do_not_allocate() {
    fn check<G: BoardGame>(game: &G) {
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
                let ends = step.terminated.iter().zip(step.truncated);
                n_ended += ends.filter(|(done, cut)| **done || **cut).count();
            }
        });
        assert_eq!(calls, 0, "{}", game.spec());
        assert!(n_ended >= 16 * 4, "200 steps hold 4 episodes of at most 50");
    }
    for_every_game!(check);
}

#[test]
fn playouts_do_not_allocate_once_the_buffer_has_room() {
    fn check<G: BoardGame>(game: &G) {
        let mut buffer = Vec::with_capacity(game.max_legal_actions());
        let mut rng = stream(0, "playouts", 0);
        let mut state = game.initial();
        let calls = n_allocator_calls(|| {
            let outcome = playout_up_to(game, &mut state, 200, &mut buffer, &mut rng);
            std::hint::black_box(outcome);
        });
        assert_eq!(calls, 0, "{}", game.spec());
    }
    for_every_game!(check);
}

/// Where a game names its own features; those from planes allocate.
#[test]
fn features_do_not_allocate_once_the_buffers_have_room() {
    fn check<G: BoardGame>(game: &G) {
        let mut legal = Vec::with_capacity(game.max_legal_actions());
        let mut features = Vec::with_capacity(game.feature_sizes().most_active);
        let mut actions = ActionFeatures::new();
        let mut states = Vec::new();
        for index in 0..3 {
            states.extend(positions(game, stream(0, "features", index)).take(100));
        }
        let mut write = || {
            for state in &states {
                game.legal_actions(state, &mut legal);
                game.write_features(state, &legal, &mut features, &mut actions);
            }
        };
        write();
        assert_eq!(n_allocator_calls(write), 0, "{}", game.spec());
    }
    for_every_game!(check);
}

//! A question to a solver ends when it is to end, and its tables are bounded.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::queens::{FullBoard, Queens};
use tablero_env::random::stream;
use tablero_env::xadrersi::Xadrersi;
use tablero_env::{BoardGame, Game};
use tablero_minimax::{Solvable, SolveError, Solver, unless_interrupted};

/// A position in which the solver has minutes to do, or at least much longer than it is given.
fn check_end<G: Game + Solvable>(game: &G, state: &G::State) {
    let mut solver = game.solver().unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    solver.set_interrupt(Arc::clone(&flag));
    let set = thread::spawn({
        let flag = Arc::clone(&flag);
        move || {
            thread::sleep(Duration::from_millis(30));
            flag.store(true, Ordering::Relaxed);
            Instant::now()
        }
    });
    let answer = unless_interrupted(|| solver.solve(state));
    let late = set.join().unwrap().elapsed();
    assert_eq!(answer, Err(SolveError::Interrupted));
    // Far beyond what it takes, on a machine that does much else.
    assert!(late < Duration::from_millis(500), "{late:?}");
}

#[test]
fn a_question_ends_when_it_is_to_end() {
    let dots = DotsAndBoxes::new(4, 4).unwrap();
    check_end(&dots, &dots.initial());
    let queens = Queens::new(12, FullBoard::White).unwrap();
    check_end(&queens, &queens.initial());
    let soccer = PaperSoccer::new(2, 8).unwrap();
    check_end(&soccer, &soccer.initial());
    check_end(&Xadrersi, &Xadrersi.initial());
}

/// A position of a random game that is solved soon.
fn quick<G: BoardGame + Solvable>(game: &G, seed: u64) -> G::State {
    let mut rng = stream(seed, "solver ends", 0);
    let mut state = game.initial();
    while !game.is_quickly_solved(&state) {
        let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
        game.play_unchecked(&mut state, action);
    }
    state
}

/// What it knows when it is interrupted is true, and it may be asked again.
fn check_again<G: BoardGame + Solvable>(game: &G) {
    for seed in 0..2 {
        let state = quick(game, seed);
        let expected = game.solver().unwrap().action_values(&state);
        let mut solver = game.solver().unwrap();
        let set = Arc::new(AtomicBool::new(true));
        solver.set_interrupt(set);
        // Small positions need fewer nodes than it takes to look at the flag.
        let ended = unless_interrupted(|| solver.action_values(&state));
        assert!(ended.is_err() || ended.as_ref() == Ok(&expected));
        solver.set_interrupt(Arc::default());
        let again = unless_interrupted(|| solver.action_values(&state));
        assert_eq!(again, Ok(expected));
    }
}

#[test]
fn an_interrupted_solver_can_be_asked_again() {
    check_again(&DotsAndBoxes::new(3, 4).unwrap());
    check_again(&Queens::new(8, FullBoard::White).unwrap());
    check_again(&PaperSoccer::new(4, 4).unwrap());
    check_again(&Xadrersi);
}

/// With hardly a table the answer is the same.
fn check_small<G: BoardGame + Solvable>(game: &G) {
    let state = quick(game, 1);
    let [small, large] = [0, usize::MAX].map(|mib| {
        let mut solver = game.solver_within(mib).unwrap();
        solver.action_values(&state)
    });
    assert_eq!(small, large);
}

#[test]
fn a_small_table_changes_no_answer() {
    check_small(&DotsAndBoxes::new(3, 3).unwrap());
    check_small(&Queens::new(6, FullBoard::White).unwrap());
    check_small(&PaperSoccer::new(4, 4).unwrap());
}

/// A panic of the one who asks stays one.
#[test]
#[should_panic(expected = "not the solver's")]
fn other_panics_go_on() {
    let _ = unless_interrupted(|| panic!("not the solver's"));
}

//! What is solved quickly can be solved.

use tablero_env::random::{positions, stream};
use tablero_env::{AnyGame, BoardGame, with_game};
use tablero_minimax::{Solvable, Solver};

/// How many positions of random games are solved quickly, and how many are not.
fn count<G: BoardGame + Solvable>(game: &G) -> [usize; 2] {
    let mut n = [0; 2];
    for index in 0..10 {
        for state in positions(game, stream(1, "quick", index)) {
            let is_quick = game.is_quickly_solved(&state);
            n[usize::from(!is_quick)] += 1;
            if is_quick {
                assert!(game.solver().unwrap().check(&state).is_ok(), "{state:?}");
            }
        }
    }
    n
}

#[test]
fn what_is_solved_quickly_is_within_the_solver_s_reach() {
    for (spec, has_quick, has_slow) in [
        ("dots-and-boxes:2x2", true, false),
        ("dots-and-boxes:5x5", true, true),
        ("dots-and-boxes:10x10", false, true),
        ("queens:8", true, false),
        ("queens:14", false, true),
        ("paper-soccer:4x4", true, false),
        ("paper-soccer:8x10", false, true),
        ("xadrersi", true, true),
        ("hive", false, true),
    ] {
        let any = AnyGame::parse(spec).unwrap();
        let [n_quick, n_slow] = with_game!(&any, game => count(game));
        assert_eq!((n_quick > 0, n_slow > 0), (has_quick, has_slow), "{spec}");
    }
}

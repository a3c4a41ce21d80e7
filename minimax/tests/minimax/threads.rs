//! A search of several threads: as legal, and as true, as that of one.

use crate::common::{SPECS, check_report, random_state};
use std::time::Duration;
use tablero_env::{AnyGame, ForFirst, with_game};
use tablero_minimax::{Baseline, Limits, Minimax, Solvable, Solver, WIN_SCORE};

/// No search of these tests takes as long.
const LONG: Duration = Duration::from_secs(100_000);

fn check_limits<G: Baseline>(game: &G) {
    let mut several = Minimax::new(game.clone(), 1).with_threads(3);
    for index in 0..3 {
        let state = random_state(game, 3 * index as usize, index);
        for limits in [
            Limits::nodes(2_000),
            Limits {
                nodes: Some(2_000),
                ..Limits::depth(1)
            },
            Limits {
                time: Some(LONG),
                ..Limits::nodes(2_000)
            },
        ] {
            several.clear();
            let one = Minimax::new(game.clone(), 1).search(&state, &limits);
            assert_eq!(several.search(&state, &limits), one, "{}", game.spec());
        }
        for limits in [
            Limits::time(Duration::ZERO),
            Limits::time(Duration::from_millis(2)),
            Limits {
                time: Some(LONG),
                ..Limits::depth(1)
            },
        ] {
            let report = several.search(&state, &limits);
            check_report(game, &state, &report);
        }
    }
}

#[test]
fn threads_change_no_answer_that_does_not_depend_on_the_clock_and_every_answer_is_legal() {
    for spec in SPECS {
        let any = AnyGame::parse(spec).unwrap();
        with_game!(&any, game => check_limits(game));
    }
}

/// How many of the positions were proven at `limits`, all of them as the solver says.
fn n_proven<G: Baseline + Solvable>(game: &G, n_plies: usize, limits: &Limits) -> usize {
    let mut solver = game.solver().unwrap();
    // A table that holds all positions of any of these searches: without, one may take minutes.
    let mut searcher = Minimax::new(game.clone(), 16).with_threads(4);
    let mut n_proven = 0;
    for index in 0..40 {
        let state = random_state(game, n_plies + index as usize % 8, index);
        let report = searcher.search(&state, limits);
        if let Some(value) = report.proven {
            n_proven += 1;
            let solution = solver.solve(&state);
            assert_eq!(solution.value, value, "{state:?}");
            let values = solver.action_values(&state);
            let played = values.iter().find(|value| value.action == report.best);
            assert_eq!(played.unwrap().value, value, "{state:?}");
            if let Some([first, second]) = solution.points
                && limits.depth.is_none()
            {
                let score = WIN_SCORE * i32::from(value.0) + first - second;
                assert_eq!(report.score, ForFirst(score), "{state:?}");
            }
        }
    }
    n_proven
}

#[test]
fn what_several_threads_prove_is_true() {
    let to_the_end = Limits::time(LONG);
    let shallow = Limits {
        time: Some(LONG),
        ..Limits::depth(3)
    };
    for (spec, n_plies) in [
        ("dots-and-boxes:3x3", 10),
        ("queens:6", 0),
        ("queens:8", 2),
        ("paper-soccer:4x4", 4),
        ("xadrersi", 12),
    ] {
        let any = AnyGame::parse(spec).unwrap();
        let all = with_game!(&any, game => n_proven(game, n_plies, &to_the_end));
        let some = with_game!(&any, game => n_proven(game, n_plies, &shallow));
        assert_eq!(all, 40, "{spec}");
        assert!(some > 5, "{spec}: {some}");
    }
}

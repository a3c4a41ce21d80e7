//! Proof-number search against the exact solvers.

use crate::common::game_positions;
use std::collections::HashMap;
use tablero_env::{AnyGame, ForFirst, with_game};
use tablero_minimax::{ProofNumberSearch, Solvable, Solver, Verdict};

/// The positions of random games with at most so many plies to go.
const BOARDS: [(&str, usize, u64); 8] = [
    ("dots-and-boxes:1x2", 7, 20),
    ("dots-and-boxes:2x2", 12, 30),
    ("dots-and-boxes:2x3", 10, 100),
    ("queens:4", 8, 100),
    ("queens:6,full_board=draw", 8, 200),
    ("paper-soccer:2x2", 30, 100),
    ("paper-soccer:4x4", 6, 60),
    ("xadrersi", 4, 40),
];

fn check<G: Solvable>(
    game: &G,
    plies_to_go: usize,
    n_games: u64,
    n: &mut HashMap<ForFirst<i8>, u32>,
) {
    let mut search = ProofNumberSearch::new(game.clone(), 16);
    let mut solver = game.solver().unwrap();
    for index in 0..n_games {
        for state in game_positions(game, 1000, index)
            .iter()
            .rev()
            .take(plies_to_go)
        {
            let expected = solver.solve(state).value;
            let report = search.search(state, 10_000_000);
            let value = report.verdict.value();
            assert_eq!(
                value,
                Some(expected),
                "{} {report:?} {state:?}",
                game.spec()
            );
            if let Verdict::Win(win) = &report.verdict {
                let mut end = state.clone();
                for &action in &win.line {
                    game.play(&mut end, action).unwrap();
                }
                assert_eq!(game.outcome(&end).unwrap().winner, Some(win.winner));
                assert_eq!(win.line.len(), win.plies);
                let values = solver.action_values(state);
                for action in &win.winning {
                    let exact = values.iter().find(|value| value.action == *action);
                    assert_eq!(exact.unwrap().value, expected, "{state:?}");
                }
            }
            *n.entry(expected).or_default() += 1;
        }
    }
}

#[test]
fn verdicts_are_those_of_the_exact_solvers() {
    let mut n = HashMap::new();
    for (spec, plies_to_go, n_games) in BOARDS {
        let any = AnyGame::parse(spec).unwrap();
        with_game!(&any, game => check(game, plies_to_go, n_games, &mut n));
    }
    for value in -1..=1 {
        assert!(n.get(&ForFirst(value)).is_some_and(|&n| n > 200), "{n:?}");
    }
}

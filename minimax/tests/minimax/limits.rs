//! Under any limits there is a legal answer, and the limits are kept.

use crate::common::{SPECS, check_report, game_positions, random_state};
use std::time::Duration;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{ActionId, AnyGame, Game, with_game};
use tablero_minimax::{Baseline, Limits, Minimax};

fn board(rows: usize, cols: usize) -> DotsAndBoxes {
    DotsAndBoxes::new(rows, cols).unwrap()
}

fn check_limits<G: Baseline>(game: &G) {
    let mut used = Minimax::new(game.clone(), 1);
    for index in 0..2 {
        for state in game_positions(game, 150, index).into_iter().step_by(13) {
            let by_nodes = [0, 1, 2, 10, 500].map(Limits::nodes);
            let by_depth = [0, 1, 2].map(|turns| Limits {
                nodes: Some(1000),
                ..Limits::depth(turns)
            });
            for limits in by_depth.into_iter().chain(by_nodes) {
                used.clear();
                let report = used.search(&state, &limits);
                check_report(game, &state, &report);
                assert!(limits.nodes.is_none_or(|limit| report.nodes <= limit));
                assert!(
                    limits
                        .depth
                        .is_none_or(|limit| report.depth <= limit.max(1))
                );
                let again = Minimax::new(game.clone(), 1).search(&state, &limits);
                assert_eq!(report, again, "a fresh table and a cleared one");
            }
            let report = used.search(&state, &Limits::time(Duration::ZERO));
            check_report(game, &state, &report);
            assert_eq!((report.depth, report.nodes), (0, 0));
        }
    }
}

#[test]
fn under_any_limit_there_is_a_legal_answer_and_always_the_same() {
    for spec in SPECS {
        let any = AnyGame::parse(spec).unwrap();
        with_game!(&any, game => check_limits(game));
    }
}

#[test]
fn limits_in_depth_and_nodes_give_the_same_report_whenever_the_table_is_fresh() {
    let game = board(4, 4);
    let mut used = Minimax::new(game.clone(), 2);
    for index in 0..4 {
        let state = random_state(&game, 6, index);
        for limits in [
            Limits::depth(4),
            Limits::nodes(20_000),
            Limits::nodes(1),
            Limits::nodes(500),
        ] {
            let mut fresh = Minimax::new(game.clone(), 2);
            used.clear();
            let report = used.search(&state, &limits);
            check_report(&game, &state, &report);
            assert_eq!(report, fresh.search(&state, &limits));
        }
    }
}

#[test]
fn nodes_keep_to_their_limit() {
    let game = board(5, 5);
    let state = game.initial();
    let mut searcher = Minimax::new(game, 2);
    let first = searcher.search(&state, &Limits::depth(1)).nodes;
    for limit in [0, 1, first - 1, first, 1_000, 54_321] {
        searcher.clear();
        let report = searcher.search(&state, &Limits::nodes(limit));
        assert_eq!(report.nodes, limit);
        assert_eq!(report.depth == 0, limit < first);
    }
}

#[test]
#[should_panic(expected = "the game is over")]
fn a_finished_game_is_refused() {
    let game = board(1, 1);
    let mut state = game.initial();
    for edge in 0..4 {
        game.play(&mut state, ActionId(edge)).unwrap();
    }
    Minimax::new(game, 1).search(&state, &Limits::depth(1));
}

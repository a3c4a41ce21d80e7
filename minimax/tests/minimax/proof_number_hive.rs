//! Forced wins in Hive against exhaustive search, and each strategy against every reply.

use crate::common::{check_strategy, game_positions};
use tablero_env::hive::{Hive, State};
use tablero_env::{Game, Player};
use tablero_minimax::{ProofNumberSearch, Solvable, SolveError, Verdict};

/// Whether a player can force a win within so many plies, by the definition.
fn wins_within(game: &Hive, state: &State, player: Player, plies: usize) -> bool {
    if let Some(outcome) = game.outcome(state) {
        return outcome.winner == Some(player);
    }
    if plies == 0 {
        return false;
    }
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mut wins = legal.into_iter().map(|action| {
        let mut next = state.clone();
        game.play(&mut next, action).unwrap();
        wins_within(game, &next, player, plies - 1)
    });
    if game.player_to_move(state) == player {
        wins.any(|wins| wins)
    } else {
        wins.all(|wins| wins)
    }
}

/// Late positions of random games of all types of Hive.
#[test]
fn forced_wins_are_found_and_hold_against_every_reply() {
    let (mut n_short, mut n_white, mut n_black, mut n_long) = (0, 0, 0, 0);
    for index in 0..96 {
        let game = Hive::all_types()[index as usize % 8];
        let mut search = ProofNumberSearch::new(game, 16);
        let states = game_positions(&game, 2000, index);
        for state in states.iter().rev().take(5) {
            let mover = game.player_to_move(state);
            // The opponent needs an even number of plies.
            let short = [(mover, 1), (mover.opponent(), 2), (mover, 3)]
                .into_iter()
                .find(|&(player, plies)| wins_within(&game, state, player, plies));
            let report = search.search(state, if short.is_some() { 10_000 } else { 100 });
            let Verdict::Win(win) = &report.verdict else {
                assert_eq!(short, None, "{report:?} {state:?}");
                continue;
            };
            if let Some((player, plies)) = short {
                assert_eq!(win.winner, player, "{state:?}");
                assert!(win.plies >= plies, "{report:?} {state:?}");
                n_short += 1;
            }
            let mut end = state.clone();
            for &action in &win.line {
                game.play(&mut end, action).unwrap();
            }
            assert_eq!(game.outcome(&end).unwrap().winner, Some(win.winner));
            assert_eq!(win.line.len(), win.plies);
            assert_eq!(win.winning.is_empty(), win.winner != mover);
            if win.plies <= 5 {
                check_strategy(&game, &search, state, win.winner, win.plies);
            }
            n_long += u32::from(win.plies >= 3);
            match win.winner {
                Player::First => n_white += 1,
                Player::Second => n_black += 1,
            }
        }
    }
    assert!(
        n_short >= 40 && n_white >= 20 && n_black >= 20,
        "{n_short} {n_white} {n_black}"
    );
    assert!(n_long >= 3, "{n_long}");
}

/// Where nobody has a quick win, nothing is claimed; and no node too many is spent.
#[test]
fn an_opening_is_not_decided_and_nodes_keep_to_their_limit() {
    let game = Hive::default();
    let mut search = ProofNumberSearch::new(game, 1);
    for nodes in [0, 1, 2, 50] {
        let report = search.search(&game.initial(), nodes);
        assert_eq!(
            (report.verdict.clone(), report.nodes),
            (Verdict::Undecided, nodes)
        );
        assert_eq!(
            search.search(&game.initial(), nodes),
            report,
            "the same again"
        );
    }
}

#[test]
fn there_is_no_exact_solver() {
    let error = Hive::default().solver().unwrap_err();
    assert!(matches!(error, SolveError::NoSolver { .. }));
}

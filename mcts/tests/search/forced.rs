//! Forced playouts, and the target without them.

use crate::positions::{begin_move, grow, puct, search};
use tablero_env::Game;
use tablero_env::queens::Queens;
use tablero_mcts::{Fake, Puct, Search};

fn rule(forced_playouts: f32) -> Puct {
    Puct {
        forced_playouts,
        noise: 0.25,
        ..Puct::default()
    }
}

fn grown(rule: Puct, explores: bool) -> Search<Queens> {
    let game = Queens::parse_parameters("8").unwrap();
    let mut search = search(&game, &game.initial(), puct(rule), 1);
    begin_move(&mut search, explores);
    grow(&mut search, 600, &mut Fake);
    search
}

#[test]
fn each_tried_move_gets_its_visits() {
    let search = grown(rule(2.0), true);
    let edges = search.root_edges();
    let n_all: u32 = edges.iter().map(|edge| edge.visits).sum();
    for edge in edges.iter().filter(|edge| edge.visits > 0) {
        // What was owed grew by less than one visit with the last of all moves' visits; a move
        // that was tried last may be owed the rest.
        let owed = (2.0 * edge.prior * n_all as f32).sqrt();
        assert!(edge.visits as f32 >= owed.floor() - 1.0, "{edge:?} {owed}");
    }
}

#[test]
fn the_target_leaves_out_forced_visits_and_only_those() {
    let search = grown(rule(2.0), true);
    let edges = search.root_edges();
    let target = search.policy_target();
    let most = edges.iter().map(|edge| edge.visits).max().unwrap();
    let top = edges.iter().position(|edge| edge.visits == most).unwrap();
    let n_all: u32 = edges.iter().map(|edge| edge.visits).sum();
    let mut n_pruned = 0;
    for (index, edge) in edges.iter().enumerate() {
        // Relative to the most visited move, which keeps all its visits.
        let kept = (target[index] / target[top] * most as f32).round() as u32;
        let n_forced = (2.0 * edge.prior * n_all as f32).sqrt();
        assert!(kept <= edge.visits);
        if kept > 0 {
            assert!((edge.visits - kept) as f32 <= n_forced, "{edge:?} {kept}");
        } else {
            assert!(edge.visits as f32 <= n_forced.floor() + 1.0, "{edge:?}");
        }
        n_pruned += edge.visits - kept;
    }
    assert!(n_pruned > 50, "{n_pruned} of 599");
    assert!((target.iter().sum::<f32>() - 1.0).abs() < 1e-4);
}

#[test]
fn a_move_that_does_not_explore_has_neither_noise_nor_forced_visits() {
    // The reduction of first-play urgency at the root is another difference.
    let unreduced = |rule| Puct {
        fpu_reduction: 0.0,
        ..rule
    };
    let quiet = Puct {
        noise: 0.0,
        ..rule(0.0)
    };
    let plain = grown(unreduced(quiet), true);
    let fast = grown(unreduced(rule(2.0)), false);
    assert_eq!(plain.tree_text(), fast.tree_text());
    assert_eq!(plain.policy_target(), fast.policy_target());
    let exploring = grown(unreduced(rule(2.0)), true);
    assert_ne!(fast.tree_text(), exploring.tree_text());
}

#[test]
fn after_a_move_the_kept_root_has_no_noise_until_it_explores() {
    let mut search = grown(rule(0.0), true);
    search.advance(search.best()).unwrap();
    let is_noisy = |search: &Search<Queens>| {
        let edges = search.root_edges();
        edges.iter().any(|edge| edge.prior != edge.raw_prior)
    };
    assert!(search.root_visits() > 0 && !is_noisy(&search));
    for explores in [true, false, true] {
        begin_move(&mut search, explores);
        assert_eq!(is_noisy(&search), explores);
    }
    grow(&mut search, 100, &mut Fake);
    assert!(search.game().is_legal(search.state(), search.best()));
}

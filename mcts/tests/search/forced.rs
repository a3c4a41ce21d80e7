//! Forced playouts, and the target without them.

use crate::positions::{grow, search};
use tablero_env::Game;
use tablero_env::queens::Queens;
use tablero_mcts::{Budget, Fake, RootNoise, Search, SearchParams};

fn params(forced_playouts: f32) -> SearchParams {
    SearchParams {
        forced_playouts,
        noise: Some(RootNoise::default()),
        root_fpu_reduction: 0.0,
        ..SearchParams::default()
    }
}

fn grown(params: SearchParams, full: bool) -> Search<Queens> {
    let game = Queens::parse_parameters("8").unwrap();
    let mut search = search(&game, &game.initial(), params, 1);
    search.begin_move(Budget {
        n_simulations: 600,
        full,
    });
    grow(&mut search, 600, &mut Fake);
    search
}

#[test]
fn each_tried_move_gets_its_visits() {
    let search = grown(params(2.0), true);
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
    let search = grown(params(2.0), true);
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
fn a_search_not_in_full_has_neither_noise_nor_forced_visits() {
    let quiet = SearchParams {
        noise: None,
        ..params(0.0)
    };
    let plain = grown(quiet, true);
    let fast = grown(params(2.0), false);
    assert_eq!(plain.tree_text(), fast.tree_text());
    assert_eq!(plain.policy_target(), fast.policy_target());
    assert_ne!(fast.tree_text(), grown(params(2.0), true).tree_text());
}

#[test]
fn after_a_move_the_kept_root_gives_up_its_noise_and_gets_it_back() {
    let mut search = grown(params(0.0), true);
    search.advance(search.best()).unwrap();
    let is_noisy = |search: &Search<Queens>| {
        let edges = search.root_edges();
        edges.iter().any(|edge| edge.prior != edge.raw_prior)
    };
    let budget = |full| Budget {
        n_simulations: 100,
        full,
    };
    assert!(search.root_visits() > 0 && is_noisy(&search));
    search.begin_move(budget(false));
    assert!(!is_noisy(&search));
    search.begin_move(budget(true));
    assert!(is_noisy(&search));
    grow(&mut search, 100, &mut Fake);
    assert!(search.game().is_legal(search.state(), search.best()));
}

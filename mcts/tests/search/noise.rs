//! Noise at the root, in moves that explore.

use crate::positions::{begin_move, grow, puct, search};
use tablero_env::Game;
use tablero_env::queens::Queens;
use tablero_mcts::{Fake, Puct, Search};

fn grown(rule: Puct, explores: bool) -> Search<Queens> {
    let game = Queens::parse_parameters("8").unwrap();
    let mut search = search(&game, &game.initial(), puct(rule), 1);
    begin_move(&mut search, explores);
    grow(&mut search, 600, &mut Fake);
    search
}

#[test]
fn a_move_that_does_not_explore_has_no_noise() {
    // The reduction of first-play urgency at the root is another difference.
    let unreduced = |rule| Puct {
        fpu_reduction: 0.0,
        ..rule
    };
    let quiet = Puct {
        noise: 0.0,
        ..Puct::default()
    };
    let plain = grown(unreduced(quiet), true);
    let fast = grown(unreduced(Puct::default()), false);
    assert_eq!(plain.tree_text(), fast.tree_text());
    assert_eq!(plain.policy_target(), fast.policy_target());
    let exploring = grown(unreduced(Puct::default()), true);
    assert_ne!(fast.tree_text(), exploring.tree_text());
}

#[test]
fn after_a_move_the_kept_root_has_no_noise_until_it_explores() {
    let mut search = grown(Puct::default(), true);
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

//! Search by Gumbel: what it looks at, recommends and plays.

use crate::positions::{after, begin_move, fixed, grow, gumbel, minimax, random_position, search};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::queens::Queens;
use tablero_env::{ForMover, Game};
use tablero_mcts::{Fake, Gumbel, Search};

fn visits<G: Game>(search: &Search<G>) -> Vec<u32> {
    search.root_edges().iter().map(|edge| edge.visits).collect()
}

#[test]
fn visits_of_the_root_are_those_of_sequential_halving() {
    let game = Queens::parse_parameters("8").unwrap();
    for index in 0..20 {
        let params = gumbel(Gumbel {
            max_considered: 4,
            ..Gumbel::default()
        });
        let mut search = search(&game, &game.initial(), params, index);
        begin_move(&mut search, true);
        // One evaluates the root.
        grow(&mut search, 17, &mut Fake);
        let mut visits = visits(&search);
        visits.sort_unstable();
        visits.reverse();
        // Two for each of four moves, then four for each of two.
        assert_eq!(visits[..5], [6, 6, 2, 2, 0]);
        let best = search.best();
        let edges = search.root_edges();
        let edge = edges.iter().find(|edge| edge.action == best).unwrap();
        assert_eq!(edge.visits, 6);
    }
}

#[test]
fn fewer_simulations_than_considered_moves_visit_that_many_once() {
    let game = Queens::parse_parameters("8").unwrap();
    for n_sims in 2..16 {
        let params = gumbel(Gumbel::default());
        let mut search = search(&game, &game.initial(), params, 3);
        begin_move(&mut search, true);
        grow(&mut search, n_sims, &mut Fake);
        let visits = visits(&search);
        assert_eq!(visits.iter().sum::<u32>(), n_sims - 1);
        assert!(visits.iter().all(|&visits| visits <= 1));
        let target = search.policy_target();
        assert!((target.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(
            target.iter().all(|&share| share > 0.0),
            "unvisited moves have theirs"
        );
    }
}

#[test]
fn without_draws_the_moves_with_the_highest_priors_are_looked_at() {
    let game = Queens::parse_parameters("8").unwrap();
    let params = gumbel(Gumbel {
        max_considered: 8,
        ..Gumbel::default()
    });
    let mut search = search(&game, &game.initial(), params, 3);
    grow(&mut search, 33, &mut Fake);
    let mut edges = search.root_edges();
    edges.sort_by(|a, b| {
        let by_prior = b.raw_prior.total_cmp(&a.raw_prior);
        by_prior.then(a.action.cmp(&b.action))
    });
    assert!(edges[..8].iter().all(|edge| edge.visits > 0));
    assert!(edges[8..].iter().all(|edge| edge.visits == 0));
}

#[test]
fn a_move_that_does_not_explore_draws_nothing() {
    let game = Queens::parse_parameters("8").unwrap();
    let text = |index, explores| {
        let params = gumbel(Gumbel::default());
        let mut search = search(&game, &game.initial(), params, index);
        begin_move(&mut search, explores);
        grow(&mut search, 64, &mut Fake);
        search.tree_text()
    };
    assert_eq!(text(1, false), text(2, false));
    assert_ne!(text(1, false), text(1, true));
    assert_ne!(text(1, true), text(2, true));
}

#[test]
fn the_target_is_the_improved_policy() {
    // From the empty 1x2 board each move leads to a position of which the evaluator says nothing
    // but a draw; move 2 it believes to win.
    let game = DotsAndBoxes::new(1, 2).unwrap();
    let params = gumbel(Gumbel {
        c_visit: 4.0,
        c_scale: 0.5,
        ..Gumbel::default()
    });
    let mut search = search(&game, &game.initial(), params, 0);
    let priors = [0.1, 0.1, 0.2, 0.2, 0.2, 0.1, 0.1];
    // The root, and the three moves with the highest priors, once each.
    grow(&mut search, 4, &mut fixed(&priors, 2));
    assert_eq!(visits(&search), [0, 0, 1, 1, 1, 0, 0]);
    // v_mix = (0 + 3 * (0.2 * 1 + 0 + 0) / 0.6) / 4 = 0.25; the scale is (4 + 1) * 0.5 = 2.5.
    // sigma is 2.5 for the win, 1.25 for a draw, 1.5625 for the others.
    let weight = |prior: f64, sigma: f64| prior * sigma.exp();
    let others = weight(0.1, 1.5625);
    let (win, draw) = (weight(0.2, 2.5), weight(0.2, 1.25));
    let exact = [others, others, win, draw, draw, others, others];
    let total: f64 = exact.iter().sum();
    for (share, exact) in search.policy_target().into_iter().zip(exact) {
        assert!((f64::from(share) - exact / total).abs() < 1e-5);
    }
    assert_eq!(search.best().0, 2);
}

#[test]
fn a_kept_tree_is_halved_anew_by_the_visits_of_the_new_search() {
    let game = Queens::parse_parameters("8").unwrap();
    let params = gumbel(Gumbel {
        max_considered: 4,
        ..Gumbel::default()
    });
    let mut search = search(&game, &game.initial(), params, 5);
    begin_move(&mut search, true);
    grow(&mut search, 101, &mut Fake);
    search.advance(search.best()).unwrap();
    begin_move(&mut search, true);
    let before = search.root_edges();
    assert!(before.iter().any(|edge| edge.visits > 0), "a tree is kept");
    grow(&mut search, 16, &mut Fake);
    let after = search.root_edges();
    let mut new: Vec<u32> = after
        .iter()
        .zip(&before)
        .map(|(after, before)| after.visits - before.visits)
        .collect();
    new.sort_unstable();
    new.reverse();
    assert_eq!(new[..5], [6, 6, 2, 2, 0]);
}

#[test]
fn proven_values_are_exact_for_either_player_with_moves_in_a_row() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let mut n_proven = [0; 2];
    for index in 0..30 {
        let state = random_position(&game, 7, index);
        let mover = game.player_to_move(&state);
        let exact = minimax(&game, &state).seen_by(mover);
        let params = gumbel(Gumbel::default());
        let mut search = search(&game, &state, params, index);
        begin_move(&mut search, true);
        grow(&mut search, 1000, &mut Fake);
        // Proven draws keep the visits to themselves, so not everything is proven.
        if let Some(proven) = search.root_proven() {
            assert_eq!(proven, ForMover(exact), "{}", search.tree_text());
            n_proven[mover.index()] += 1;
            let next = after(&game, &state, search.best());
            assert_eq!(minimax(&game, &next).seen_by(mover), exact, "{index}");
        }
    }
    assert!(n_proven.iter().all(|&n| n >= 5), "{n_proven:?}");
}

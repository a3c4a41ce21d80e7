//! Several leaves of one tree in a round.

use crate::positions::{grow, minimax, random_position, search};
use tablero_env::Game;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::queens::Queens;
use tablero_mcts::{
    Batch, Evaluations, Evaluator, Fake, Gathered, GumbelParams, RootSelection, SearchParams,
    Uniform, run,
};

fn params(leaves_per_round: usize) -> SearchParams {
    SearchParams {
        leaves_per_round,
        ..SearchParams::default()
    }
}

#[test]
fn a_round_gathers_as_many_different_leaves_as_asked() {
    let game = Queens::parse_parameters("8").unwrap();
    let mut search = search(&game, &game.initial(), params(8), 0);
    // The root alone is the first leaf.
    assert_eq!(search.gather(), Gathered::Request);
    assert_eq!(search.gather(), Gathered::Waiting);
    let mut answers = Evaluations::new();
    Fake.evaluate(&game, &[search.request()], &mut answers);
    search.apply(answers.get(0));

    while search.gather() == Gathered::Request {}
    assert_eq!((search.n_waiting(), search.n_simulations()), (8, 1));
    let requests: Vec<_> = search.requests().collect();
    for (index, request) in requests.iter().enumerate() {
        let others = &requests[index + 1..];
        assert!(others.iter().all(|other| other.state != request.state));
        assert!(others.iter().all(|other| other.nonce != request.nonce));
    }
    Fake.evaluate(&game, &requests, &mut answers);
    for index in 0..8 {
        search.apply(answers.get(index));
    }
    assert_eq!((search.n_waiting(), search.n_simulations()), (0, 9));
    let visits = search
        .root_edges()
        .iter()
        .map(|edge| edge.visits)
        .sum::<u32>();
    assert_eq!((visits, search.root_visits()), (8, 9));
}

#[test]
fn virtual_losses_leave_no_trace() {
    // Eight leaves at once: nothing but the eight results is in the tree afterwards, so the value
    // of the root is the mean of what the evaluator said.
    let game = Queens::parse_parameters("8").unwrap();
    let mut search = search(&game, &game.initial(), params(8), 0);
    grow(&mut search, 1, &mut Fake);
    let mut sum = f64::from(search.root_wdl().value());
    while search.gather() == Gathered::Request {}
    let requests: Vec<_> = search.requests().collect();
    let mut answers = Evaluations::new();
    Fake.evaluate(&game, &requests, &mut answers);
    let mover = game.player_to_move(&game.initial());
    for (index, request) in requests.iter().enumerate() {
        let sign = f32::from(mover.sign() * game.player_to_move(request.state).sign());
        sum += f64::from(answers.get(index).wdl.value() * sign);
    }
    for index in 0..8 {
        search.apply(answers.get(index));
    }
    assert!((f64::from(search.root_wdl().value()) - sum / 9.0).abs() < 1e-5);
}

#[test]
fn the_tree_does_not_depend_on_the_batch() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    for root in [
        RootSelection::Puct,
        RootSelection::Gumbel(GumbelParams::default()),
    ] {
        let new = |index| {
            let params = SearchParams { root, ..params(5) };
            let state = random_position(&game, 2 * index as usize, index);
            search(&game, &state, params, index)
        };
        let mut together: Vec<_> = (0..8).map(new).collect();
        run(&mut together, 150, &mut Fake, &mut Batch::new());
        for (index, together) in together.iter().enumerate() {
            let mut alone = new(index as u64);
            grow(&mut alone, 150, &mut Fake);
            assert_eq!(format!("{alone:?}"), format!("{together:?}"));
            assert!(alone.n_simulations() == 150 || alone.root_proven().is_some());
        }
    }
}

#[test]
fn positions_are_solved_and_exact_values_survive_evaluations_that_come_late() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    for index in 0..40 {
        let state = random_position(&game, 6, index);
        let exact = minimax(&game, &state) * game.player_to_move(&state).sign();
        let mut search = search(&game, &state, params(6), index);
        grow(&mut search, 20_000, &mut Uniform);
        assert_eq!(search.root_proven(), Some(exact));
        assert_eq!(search.root_wdl().value(), f32::from(exact));
        for edge in search.root_edges() {
            if let Some(proven) = edge.proven {
                assert_eq!(edge.value, Some(f32::from(proven)));
            }
        }
    }
}

#[test]
fn a_move_drops_what_waits() {
    let game = Queens::parse_parameters("6").unwrap();
    let mut search = search(&game, &game.initial(), params(4), 0);
    grow(&mut search, 50, &mut Fake);
    while search.gather() != Gathered::Waiting {}
    assert_eq!(search.n_waiting(), 4);
    let edges = search.root_edges();
    let best = edges.iter().find(|edge| edge.action == search.best());
    let visits = best.unwrap().visits;
    search.advance(search.best()).unwrap();
    assert_eq!((search.n_waiting(), search.root_visits()), (0, visits));
    grow(&mut search, 50, &mut Fake);
    assert!(search.n_simulations() == 50 || search.root_proven().is_some());
}

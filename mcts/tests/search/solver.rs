//! Proven values against plain minimax.

use crate::positions::{after, minimax, random_position, search};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{ForMover, Game};
use tablero_mcts::{Batch, Evaluator, Fake, Gathered, Search, SearchParams, Uniform, run};

fn solved<G: Game>(
    game: &G,
    state: &G::State,
    evaluator: &mut impl Evaluator<G>,
    seed: u64,
) -> Search<G> {
    let params = SearchParams {
        // Room for every line, and little interest in proven draws.
        max_nodes: 1 << 20,
        transpositions: false,
        ..SearchParams::with_c_puct(4.0)
    };
    let mut search = search(game, state, params, seed);
    run(
        std::slice::from_mut(&mut search),
        3_000_000,
        evaluator,
        &mut Batch::new(),
    );
    search
}

/// The search proves the value of minimax, reports it as certain, ends, and plays an optimal
/// action at every temperature.
fn check_solution<G: Game>(game: &G, state: &G::State, mut search: Search<G>) -> i8 {
    let mover = game.player_to_move(state);
    let value = minimax(game, state).seen_by(mover);
    let proven = Some(ForMover(value));
    assert_eq!(search.root_proven(), proven, "{game:?} {state:?}");
    assert_eq!(search.gather(), Gathered::Proven);
    assert_eq!(search.root_wdl().0.value(), f32::from(value));
    for temperature in [0.0, 1.0, 100.0] {
        let next = after(game, state, search.choose(temperature));
        assert_eq!(minimax(game, &next).seen_by(mover), value);
    }
    for edge in search.root_edges() {
        let next = after(game, state, edge.action);
        if let Some(ForMover(proven)) = edge.proven() {
            assert_eq!(minimax(game, &next).seen_by(mover), proven);
            assert_eq!(edge.value, Some(ForMover(f32::from(proven))));
        }
    }
    value
}

#[test]
fn whole_small_boards_are_solved_from_the_start() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 1)] {
        let game = DotsAndBoxes::new(rows, cols).unwrap();
        let start = game.initial();
        check_solution(&game, &start, solved(&game, &start, &mut Uniform, 0));
        check_solution(&game, &start, solved(&game, &start, &mut Fake, 0));
    }
}

#[test]
fn random_positions_with_all_three_results_are_solved_for_both_players() {
    let mut seen = [[0; 3]; 2];
    for (rows, cols) in [(1, 2), (1, 3), (2, 2)] {
        let game = DotsAndBoxes::new(rows, cols).unwrap();
        for (n_left, index) in (4..=7).flat_map(|n| (0..15).map(move |index| (n, index))) {
            let state = random_position(&game, game.n_edges() - n_left, index);
            let value = check_solution(&game, &state, solved(&game, &state, &mut Uniform, index));
            seen[game.player_to_move(&state).index()][(value + 1) as usize] += 1;
        }
    }
    for count in seen.into_iter().flatten() {
        assert!(count >= 5, "losses, draws, wins of each mover: {seen:?}");
    }
}

#[test]
fn two_by_two_is_solved_with_nine_edges_left() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let state = random_position(&game, 3, 0);
    check_solution(&game, &state, solved(&game, &state, &mut Uniform, 0));
}

#[test]
fn a_proven_game_is_played_to_its_value_with_the_tree_kept() {
    let game = DotsAndBoxes::new(1, 2).unwrap();
    let mut search = solved(&game, &game.initial(), &mut Uniform, 4);
    let value = minimax(&game, &game.initial());
    while !game.is_over(search.state()) {
        let action = search.choose(1.0);
        search.advance(action).unwrap();
        let (state, batch) = (search.state().clone(), &mut Batch::new());
        run(
            std::slice::from_mut(&mut search),
            1_000_000,
            &mut Uniform,
            batch,
        );
        let proven = search.root_proven().expect("small enough to prove");
        assert_eq!(proven.for_first(game.player_to_move(&state)), value);
    }
    let outcome = game.outcome(search.state()).unwrap();
    assert_eq!(outcome.value(), value);
}

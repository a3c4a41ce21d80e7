//! Proofs against the exact solvers: what a search claims is true, and small boards are proven.

use crate::positions::{after, as_a_tree, grow, random_position, search};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::queens::Queens;
use tablero_env::{ForFirst, ForMover, Game, Player};
use tablero_mcts::{Fake, SearchParams, Uniform};
use tablero_minimax::{Solvable, Solver};

fn params() -> SearchParams {
    SearchParams {
        transpositions: true,
        max_nodes: 1 << 20,
        // Little interest in proven draws.
        ..SearchParams::with_c_puct(4.0)
    }
}

/// Everything that a search of `n_sims` simulations claims about a position and its moves.
fn check_claims<G: Solvable>(
    game: &G,
    solver: &mut G::Solver,
    state: &G::State,
    params: SearchParams,
    n_sims: u32,
) -> bool {
    let mover = game.player_to_move(state);
    let exact = solver.solve(state).value.seen_by(mover);
    let mut search = search(game, state, params, 0);
    grow(&mut search, n_sims, &mut Uniform);
    let [low, high] = search.root_bounds().0.returns();
    assert!((low..=high).contains(&exact), "{game:?} {state:?}");
    let values = solver.action_values(state);
    for (edge, value) in search.root_edges().iter().zip(values) {
        let exact = value.value.seen_by(mover);
        let [low, high] = edge.bounds.0.returns();
        assert!((low..=high).contains(&exact), "{game:?} {state:?} {edge:?}");
        assert_eq!(edge.proven(), (low == high).then_some(ForMover(low)));
    }
    if let Some(proven) = search.root_proven() {
        assert_eq!(proven, ForMover(exact));
        assert!(
            solver
                .solve(&after(game, state, search.best()))
                .value
                .seen_by(mover)
                == exact
        );
    }
    search.root_proven().is_some()
}

/// How many of `n` positions, after up to `most_plies` random plies each, are proven.
fn n_proven<G: Solvable>(
    game: &G,
    params: &SearchParams,
    most_plies: usize,
    n: u64,
    n_sims: u32,
) -> u64 {
    let mut solver = game.solver().unwrap();
    let states = (0..).map(|index| random_position(game, index as usize % (most_plies + 1), index));
    let states = states.filter(|state| !game.is_over(state)).take(n as usize);
    states
        .map(|state| {
            u64::from(check_claims(
                game,
                &mut solver,
                &state,
                params.clone(),
                n_sims,
            ))
        })
        .sum()
}

#[test]
fn small_boards_are_proven_from_the_start_and_from_wherever() {
    let dots = |rows, cols| DotsAndBoxes::new(rows, cols).unwrap();
    assert_eq!(n_proven(&dots(1, 3), &params(), 8, 50, 10_000), 50);
    assert_eq!(n_proven(&dots(2, 2), &params(), 10, 50, 50_000), 50);
    let queens = Queens::parse_parameters("6").unwrap();
    assert_eq!(n_proven(&queens, &params(), 3, 50, 10_000), 50);
    let soccer = PaperSoccer::new(2, 2).unwrap();
    assert_eq!(n_proven(&soccer, &params(), 6, 50, 20_000), 50);
}

#[test]
fn without_transpositions_whatever_is_claimed_is_true() {
    let plain = as_a_tree(SearchParams::default());
    let dots = DotsAndBoxes::new(2, 3).unwrap();
    assert!(n_proven(&dots, &plain, 16, 100, 2000) >= 20);
    let queens = Queens::parse_parameters("8").unwrap();
    assert!(n_proven(&queens, &plain, 6, 100, 2000) >= 20);
}

#[test]
fn the_bounds_of_points_prove_what_is_left_to_play_out() {
    let game = DotsAndBoxes::new(1, 3).unwrap();
    let mut n_decided = 0;
    for index in 0..300 {
        let state = random_position(&game, 8, index);
        let ForFirst([least, most]) = game.lead_bounds(&state).unwrap();
        if least.signum() != most.signum() {
            continue;
        }
        n_decided += 1;
        let mut search = search(&game, &state, SearchParams::default(), 0);
        let winner = if least > 0 {
            Player::First
        } else {
            Player::Second
        };
        let value = if game.player_to_move(&state) == winner {
            1
        } else {
            -1
        };
        grow(&mut search, 100, &mut Fake);
        assert_eq!(search.root_proven(), Some(ForMover(value)));
        // The root is evaluated, for its priors, unless the game is over.
        let n_sims = u32::from(!game.is_over(&state));
        assert_eq!(search.n_simulations(), n_sims);
    }
    assert!(n_decided > 20, "{n_decided}");
}

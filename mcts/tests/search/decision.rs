//! A search that is decided plays what the whole budget would.

use crate::positions::{random_position, search};
use proptest::prelude::*;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::queens::Queens;
use tablero_env::{Game, Player};
use tablero_mcts::{Batch, Evaluator, Fake, SearchParams, Uniform};

/// Runs a search to its end, notes when it first was decided, and compares. Returns how many
/// simulations it could have saved.
fn check<G: Game>(
    game: &G,
    state: &G::State,
    params: SearchParams,
    n_sims: u32,
    evaluator: &mut impl Evaluator<G>,
) -> u32 {
    let mut search = search(game, state, params, 0);
    let batch = &mut Batch::new();
    let mut decided = None;
    loop {
        if decided.is_none() && search.is_decided(n_sims) {
            decided = Some((search.n_simulations(), search.best()));
        }
        if let Some((_, best)) = decided {
            assert!(search.is_decided(n_sims), "a decision stays");
            assert_eq!(search.best(), best);
        }
        if batch.round(std::slice::from_mut(&mut search), |_| n_sims, evaluator) == 0 {
            break;
        }
    }
    assert!(search.is_decided(n_sims), "the end is");
    let Some((n_done, best)) = decided else {
        return 0;
    };
    assert_eq!(search.best(), best);
    search.n_simulations() - n_done
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_choice_is_that_of_the_whole_budget(
        index: u64, n_plies in 0..16usize, n_sims in 1..300u32, use_proven: bool,
        leaves_per_round in 1..4usize, c_puct in 0.1..3.0f32, transpositions: bool,
    ) {
        let params = SearchParams {
            use_proven,
            leaves_per_round,
            c_puct,
            transpositions,
            ..SearchParams::default()
        };
        let dots = DotsAndBoxes::new(2, 3).unwrap();
        let state = random_position(&dots, n_plies, index);
        if !dots.is_over(&state) {
            check(&dots, &state, params.clone(), n_sims, &mut Fake);
            check(&dots, &state, params.clone(), n_sims, &mut Uniform);
        }
        let queens = Queens::parse_parameters("6").unwrap();
        let state = random_position(&queens, n_plies % 4, index);
        if !queens.is_over(&state) {
            check(&queens, &state, params.clone(), n_sims, &mut Fake);
        }
        let soccer = PaperSoccer::new(4, 4).unwrap();
        let state = random_position(&soccer, n_plies, index);
        if !soccer.is_over(&state) {
            check(&soccer, &state, params, n_sims, &mut Fake);
        }
    }
}

#[test]
fn without_proofs_simulations_are_saved() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let params = SearchParams {
        use_proven: false,
        c_puct: 0.5,
        ..SearchParams::default()
    };
    let saved: u32 = (0..20)
        .map(|index| {
            let state = random_position(&game, 10, index);
            check(&game, &state, params.clone(), 200, &mut Fake)
        })
        .sum();
    assert!(saved > 200, "{saved} of 4,000");
}

#[test]
fn a_single_move_is_decided_at_once() {
    let game = DotsAndBoxes::new(1, 1).unwrap();
    let state = random_position(&game, 3, 0);
    let search = search(&game, &state, SearchParams::default(), 0);
    assert!(search.is_decided(1000));
    assert_eq!(game.player_to_move(&state), Player::Second);
}

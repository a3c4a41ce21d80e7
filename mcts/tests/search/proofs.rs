//! Proofs by the rules alone: a player who wins before the other one moves.

use crate::positions::{begin_move, grow, gumbel, legal, puct, random_position, search};
use tablero_env::hive::Hive;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::{ForMover, Game};
use tablero_mcts::{Fake, Gathered, Gumbel, Puct, Uniform, Wdl};

/// Random positions whose player wins at once, and how many of their moves do not keep that.
fn check<G: Game>(game: &G, n_plies: std::ops::Range<usize>, n_games: u64) -> [usize; 2] {
    let mut n = [0; 2];
    for (index, n_plies) in (0..n_games).zip(n_plies.cycle()) {
        let state = random_position(game, n_plies, index);
        if !game.wins_at_once(&state, &legal(game, &state)) {
            continue;
        }
        n[0] += 1;
        let mover = game.player_to_move(&state);
        for (params, explores) in [
            (puct(Puct::default()), false),
            (puct(Puct::default()), true),
            (gumbel(Gumbel::default()), true),
        ] {
            let mut search = search(game, &state, params, index);
            begin_move(&mut search, explores);
            // The evaluation of the root is all that it takes, whatever it says.
            grow(&mut search, 1, &mut Fake);
            let edges = search.root_edges();
            for edge in &edges {
                let wins = game.wins_at_once_by(&state, edge.action);
                assert_eq!(edge.proven().is_some(), wins, "{edge:?}");
                n[1] += usize::from(!wins);
            }
            // It wins without giving the turn away.
            while !game.is_over(search.state()) {
                grow(&mut search, 1, &mut Fake);
                assert_eq!(search.player_to_move(), mover);
                assert_eq!(search.root_proven(), Some(ForMover(1)));
                assert_eq!(search.root_wdl(), ForMover(Wdl::WIN));
                assert_eq!(search.gather(), Gathered::Proven);
                let drawn = search.choose(1.0);
                assert!(game.wins_at_once_by(search.state(), drawn));
                search.advance(search.best()).unwrap();
            }
            let outcome = game.outcome(search.state()).unwrap();
            assert_eq!(outcome.return_for(mover), 1);
        }
    }
    n
}

#[test]
fn who_wins_at_once_does() {
    let [n_positions, n_others] = check(&PaperSoccer::new(4, 4).unwrap(), 4..30, 300);
    assert!(
        n_positions > 30 && n_others > 100,
        "{n_positions} {n_others}"
    );
    let [n_positions, n_others] = check(&Hive::default(), 20..90, 400);
    assert!(n_positions > 3 && n_others > 30, "{n_positions} {n_others}");
}

/// A leaf whose player wins at once is proven without an evaluation.
#[test]
fn a_leaf_that_wins_at_once_is_not_evaluated() {
    let game = PaperSoccer::new(4, 6).unwrap();
    let mut n_found = 0;
    for index in 0..200 {
        let state = random_position(&game, 10 + index as usize % 30, index);
        if game.is_over(&state) || game.wins_at_once(&state, &legal(&game, &state)) {
            continue;
        }
        let mut search = search(&game, &state, puct(Puct::default()), index);
        for _ in 0..200 {
            if search.gather() != Gathered::Request {
                continue;
            }
            let request = search.request().unwrap();
            let is_root = *request.state == state;
            assert!(is_root || !game.wins_at_once(request.state, request.legal));
            let answers = tablero_mcts::Evaluator::evaluate_states(
                &mut Uniform,
                &game,
                &[&request.state.clone()],
            );
            search.apply(answers.get(0));
        }
        n_found += usize::from(
            search
                .root_edges()
                .iter()
                .any(|edge| edge.proven().is_some()),
        );
    }
    assert!(n_found > 3, "{n_found}");
}

//! What an analyser proves is true, and what it decides keeps it.

use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::queens::{FullBoard, Queens};
use tablero_env::random::{positions, stream};
use tablero_minimax::{Baseline, Solvable, Solver, analyser};

/// How many of the positions of some games are proven, and of how many.
fn check<G: Baseline + Solvable>(game: &G, nodes: u64) -> [usize; 2] {
    let mut solver = game.solver().unwrap();
    let mut analyser = analyser(game, 1);
    let (mut n_proven, mut n) = (0, 0);
    for index in 0..12 {
        for state in positions(game, stream(8, "analyser", index)) {
            n += 1;
            let mover = game.player_to_move(&state);
            analyser.clear();
            let (action, evidence) = analyser.decide(&state, nodes);
            assert!(game.is_legal(&state, action));
            let values = solver.action_values(&state);
            let value = |mv| values.iter().find(|it| it.action == mv).unwrap().value;
            let Some(proven) = evidence.proven else {
                assert!(evidence.log_odds.0.is_finite());
                continue;
            };
            n_proven += 1;
            assert_eq!(value(action).for_mover(mover), proven);
            let best = values.iter().map(|it| it.value.seen_by(mover)).max();
            assert_eq!(best, Some(proven.0));
            // Without a decision it says the same, and names no move that gives the result away.
            analyser.clear();
            let alone = analyser.analyse(&state, nodes);
            assert!(alone.proven.is_none() || alone.proven == Some(proven));
            if let (Some(mv), Some(proven)) = (alone.best, alone.proven) {
                assert_eq!(value(mv).for_mover(mover), proven);
            }
        }
    }
    [n_proven, n]
}

#[test]
fn proofs_are_exact_and_decisions_keep_them() {
    let dots = DotsAndBoxes::new(3, 3).unwrap();
    let queens = Queens::new(8, FullBoard::default()).unwrap();
    let pitch = PaperSoccer::new(4, 4).unwrap();
    for [n_proven, n] in [check(&dots, 20), check(&queens, 40), check(&pitch, 60)] {
        assert!((20..n).contains(&n_proven), "{n_proven} of {n}");
    }
}

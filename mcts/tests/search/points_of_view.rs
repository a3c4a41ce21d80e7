//! Values keep their side when a player moves several times in a row.

use crate::positions::{begin_move, puct, random_position, search};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{Flip, ForMover, Game, Player};
use tablero_mcts::{Batch, Evaluations, Evaluator, Puct, Request, SearchParams, Wdl, run};

/// Believes in player 0 with this certainty, whoever moves and whatever the position.
struct BelievesInFirst(f32);

impl<G: Game> Evaluator<G> for BelievesInFirst {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for request in requests {
            let first = Wdl {
                win: self.0,
                draw: 0.0,
                loss: 1.0 - self.0,
            };
            let wdl = match game.player_to_move(request.state) {
                Player::First => first,
                Player::Second => first.flipped(),
            };
            let n = request.legal.len();
            out.push(n, ForMover(wdl), None).fill(1.0 / n as f32);
        }
    }
}

#[test]
fn a_constant_belief_in_one_player_is_the_value_of_every_move() {
    let game = DotsAndBoxes::new(4, 4).unwrap();
    let mut n_moves_again = 0;
    for index in 0..30 {
        // In the middle of the game, where captures, and so further moves, are at hand, and the
        // end is out of reach of 300 simulations.
        let state = random_position(&game, 20, index);
        let mover = game.player_to_move(&state);
        let mut search = search(&game, &state, SearchParams::default(), index);
        let evaluator = &mut BelievesInFirst(0.75);
        run(
            std::slice::from_mut(&mut search),
            300,
            evaluator,
            &mut Batch::new(),
        );
        let expected = 0.5 * f32::from(mover.sign());
        assert!((search.root_wdl().0.value() - expected).abs() < 1e-5);
        for edge in search.root_edges() {
            if let Some(ForMover(value)) = edge.value {
                assert!((value - expected).abs() < 1e-5, "{edge:?}");
            }
        }
        let mut next = state.clone();
        for action in search.principal_variation() {
            let before = game.player_to_move(&next);
            game.play(&mut next, action).unwrap();
            n_moves_again += usize::from(game.player_to_move(&next) == before);
        }
    }
    assert!(n_moves_again >= 10, "the case is tested: {n_moves_again}");
}

/// Knows who leads now: win for the leader, draw when level.
struct PointsNow;

impl<G: Game> Evaluator<G> for PointsNow {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for request in requests {
            let points = game.points(request.state).expect("a game with points");
            let mover = game.player_to_move(request.state).index();
            let wdl = match points[mover] - points[1 - mover] {
                1.. => Wdl::WIN,
                0 => Wdl::DRAW,
                _ => Wdl::LOSS,
            };
            let n = request.legal.len();
            out.push(n, ForMover(wdl), None).fill(1.0 / n as f32);
        }
    }
}

#[test]
fn a_free_box_is_taken_by_either_player() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let batch = &mut Batch::new();
    // Three sides of the top left box are drawn: edges 0, 3 (top, bottom) and 12 (left); the
    // fourth is 13. One more edge elsewhere gives the move to the other player.
    let right = 13;
    for edges in [[0, 3, 12].as_slice(), &[0, 3, 12, 11]] {
        let mut state = game.initial();
        for &edge in edges {
            game.play(&mut state, tablero_env::ActionId(edge)).unwrap();
        }
        let mut search = search(&game, &state, SearchParams::default(), 0);
        run(
            std::slice::from_mut(&mut search),
            400,
            &mut PointsNow,
            batch,
        );
        let player = game.player_to_move(&state);
        assert_eq!(
            search.best().0,
            right,
            "player {player}\n{}",
            search.tree_text()
        );
        let value = search.root_wdl().0.value();
        assert!(value > 0.0, "player {player} gains: {value}");
    }
}

#[test]
fn without_a_reduction_untried_moves_count_as_their_position_for_either_player() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let quiet = Puct {
        noise: 0.0,
        ..Puct::default()
    };
    let unreduced = Puct {
        fpu_reduction: 0.0,
        ..quiet
    };
    // A move that explores has no reduction at its root, whatever the parameter.
    let rules = [(unreduced, false), (unreduced, true), (quiet, true)];
    for (n_plies, (rule, explores)) in (0..2).flat_map(|n| rules.map(|rule| (n, rule))) {
        let state = random_position(&game, n_plies, 0);
        let n_moves = game.n_actions() - n_plies;
        let mut search = search(&game, &state, puct(rule), 0);
        begin_move(&mut search, explores);
        // All values are equal, so exploration alone decides: each move once before any twice.
        run(
            std::slice::from_mut(&mut search),
            1 + n_moves as u32,
            &mut BelievesInFirst(0.75),
            &mut Batch::new(),
        );
        assert!(search.root_edges().iter().all(|edge| edge.visits == 1));
    }
}

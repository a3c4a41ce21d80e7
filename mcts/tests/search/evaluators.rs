//! The evaluators that need no network.

use crate::positions::{legal, random_position, search};
use std::num::NonZeroU32;
use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
use tablero_env::random::stream;
use tablero_env::{ActionId, ForMover, Game, Player};
use tablero_mcts::{
    Batch, Evaluations, Evaluator, Fake, Request, Rollout, SearchParams, Uniform, Wdl, run,
};

fn rollout(n: u32) -> Rollout {
    Rollout::new(NonZeroU32::new(n).unwrap())
}

/// Valid answers, each the same in a batch, in a batch in reverse, and alone.
fn check(mut evaluator: impl Evaluator<DotsAndBoxes>) {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let states: Vec<State> = (0..8)
        .map(|index| random_position(&game, index, index as u64))
        .collect();
    let legal: Vec<Vec<ActionId>> = states.iter().map(|state| legal(&game, state)).collect();
    let mut requests: Vec<Request<'_, DotsAndBoxes>> = (0..8)
        .map(|index| Request {
            state: &states[index],
            legal: &legal[index],
            nonce: index as u64,
        })
        .collect();
    let mut forwards = Evaluations::new();
    evaluator.evaluate(&game, &requests, &mut forwards);
    requests.reverse();
    let mut backwards = Evaluations::new();
    evaluator.evaluate(&game, &requests, &mut backwards);
    assert_eq!(forwards.len(), 8);
    for index in 0..8 {
        let answer = forwards.get(index);
        assert_eq!(answer, backwards.get(7 - index));
        let mut alone = Evaluations::new();
        evaluator.evaluate(&game, &[requests[7 - index]], &mut alone);
        assert_eq!(answer, alone.get(0));

        assert_eq!(answer.priors.len(), legal[index].len());
        assert!(answer.priors.iter().all(|&prior| prior > 0.0));
        assert!((answer.priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let ForMover(Wdl { win, draw, loss }) = answer.wdl;
        assert!([win, draw, loss].iter().all(|&share| share >= 0.0));
        assert!((win + draw + loss - 1.0).abs() < 1e-6);
    }
}

#[test]
fn answers_are_valid_and_depend_on_the_request_alone() {
    check(Uniform);
    check(Fake);
    check(rollout(1));
    check(rollout(20));
}

#[test]
fn rollouts_of_a_decided_game_know_the_result_and_the_lead() {
    // One box and an even number of edges: whoever begins loses it, however both play.
    let game = DotsAndBoxes::new(1, 1).unwrap();
    for n_plies in 0..4 {
        let state = random_position(&game, n_plies, 0);
        let request = Request {
            state: &state,
            legal: &legal(&game, &state),
            nonce: 3,
        };
        let mut answers = Evaluations::new();
        rollout(5).evaluate(&game, &[request], &mut answers);
        let (wdl, lead) = match game.player_to_move(&state) {
            Player::First => (Wdl::LOSS, -1.0),
            Player::Second => (Wdl::WIN, 1.0),
        };
        assert_eq!(answers.get(0).wdl, ForMover(wdl));
        assert_eq!(answers.get(0).points_lead, Some(ForMover(lead)));
    }
}

#[test]
fn rollouts_differ_by_their_nonce_and_average_out() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let state = game.initial();
    let legal = legal(&game, &state);
    let answer = |n, nonce| {
        let request = Request {
            state: &state,
            legal: &legal,
            nonce,
        };
        let mut answers = Evaluations::new();
        rollout(n).evaluate(&game, &[request], &mut answers);
        answers.get(0).wdl.0
    };
    assert!((1..20).any(|nonce| answer(1, nonce) != answer(1, 0)));
    // Shares of 20,000 games have standard deviations below 0.0036.
    let (a, b) = (answer(20_000, 1), answer(20_000, 2));
    assert!((a.win - b.win).abs() < 0.02 && (a.draw - b.draw).abs() < 0.02);
}

#[test]
fn search_with_rollouts_beats_random_play_from_both_sides() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let batch = &mut Batch::new();
    let mut n_wins = 0;
    for index in 0..20 {
        let mut rng = stream(0, "random player", index);
        let mut search = search(&game, &game.initial(), SearchParams::default(), index);
        let player = Player::BOTH[index as usize % 2];
        let outcome = loop {
            if let Some(outcome) = game.outcome(search.state()) {
                break outcome;
            }
            let action = if game.player_to_move(search.state()) == player {
                let slice = std::slice::from_mut(&mut search);
                run(slice, 100, &mut rollout(1), batch);
                search.best()
            } else {
                game.sample_action(search.state(), &mut Vec::new(), &mut rng)
            };
            search.advance(action).unwrap();
        };
        n_wins += usize::from(outcome.winner == Some(player));
    }
    assert!(n_wins >= 19, "{n_wins} wins of 20");
}

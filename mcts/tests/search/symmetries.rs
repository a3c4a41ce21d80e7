//! Answers averaged over the symmetries of a game.

use crate::positions::{SPECS, legal, random_position};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{AnyGame, Encode, ForMover, Game, with_game};
use tablero_mcts::{Evaluations, Evaluator, Fake, Request, Symmetrized, Wdl};

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-5
}

/// The answers for a position and for its images are the same, but for what their actions are called.
fn images_are_evaluated_alike<G: Encode>(game: &G) {
    let states: Vec<G::State> = (0..12)
        .map(|index| random_position(game, index, index as u64))
        .filter(|state| !game.is_over(state))
        .collect();
    let borrowed: Vec<&G::State> = states.iter().collect();
    let answers = Symmetrized::new(Fake, true).evaluate_states(game, &borrowed);
    let alone = Symmetrized::new(Fake, false).evaluate_states(game, &borrowed);
    let fake = Fake.evaluate_states(game, &borrowed);
    let mut n_changed = 0;
    for (index, state) in states.iter().enumerate() {
        let answer = answers.get(index);
        assert_eq!(alone.get(index), fake.get(index));
        n_changed += usize::from(answer != fake.get(index));
        assert!(close(answer.priors.iter().sum(), 1.0));
        assert!(close(
            answer.wdl.0.win + answer.wdl.0.draw + answer.wdl.0.loss,
            1.0
        ));
        for symmetry in 0..game.n_symmetries() {
            let image = game.transform(symmetry, state);
            let of_image = Symmetrized::new(Fake, true).evaluate_states(game, &[&image]);
            let of_image = of_image.get(0);
            assert!(
                close(of_image.wdl.0.value(), answer.wdl.0.value()),
                "{game:?}"
            );
            let image_legal = legal(game, &image);
            for (action, prior) in legal(game, state).iter().zip(answer.priors) {
                let named = game.transform_action(symmetry, state, *action);
                let place = image_legal.binary_search(&named).unwrap();
                assert!(close(of_image.priors[place], *prior), "{game:?} {state:?}");
            }
        }
    }
    let has_symmetries = game.n_symmetries() > 1;
    assert_eq!(n_changed > 3, has_symmetries, "{game:?}: {n_changed}");
}

#[test]
fn a_position_and_its_images_are_evaluated_alike_in_every_game() {
    for spec in SPECS {
        let any = AnyGame::parse(spec).unwrap();
        with_game!(&any, game => images_are_evaluated_alike(game));
    }
}

/// Knows the lead of a position if its first legal action is even.
struct KnowsSomeLeads;

impl<G: Game> Evaluator<G> for KnowsSomeLeads {
    fn evaluate(&mut self, _game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for request in requests {
            let first = request.legal[0].0;
            let lead = (first % 2 == 0).then_some(ForMover(first as f32));
            let n = request.legal.len();
            out.push(n, ForMover(Wdl::DRAW), lead).fill(1.0 / n as f32);
        }
    }
}

#[test]
fn the_lead_is_the_mean_of_all_images_or_unknown() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let mut n_known = [0; 2];
    for state in (0..40).map(|index| random_position(&game, index % 8, index as u64)) {
        let answers = Symmetrized::new(KnowsSomeLeads, true).evaluate_states(&game, &[&state]);
        let firsts = (0..game.n_symmetries()).map(|symmetry| {
            let image = game.transform(symmetry, &state);
            legal(&game, &image)[0].0
        });
        let firsts: Vec<u32> = firsts.collect();
        let mean = firsts.iter().sum::<u32>() as f32 / firsts.len() as f32;
        let is_known = firsts.iter().all(|first| first % 2 == 0);
        let expected = is_known.then_some(ForMover(mean));
        assert_eq!(answers.get(0).points_lead, expected);
        n_known[usize::from(is_known)] += 1;
    }
    assert!(n_known.iter().all(|&n| n > 0), "{n_known:?}");
}

//! Answers averaged over the symmetries of a game.

use crate::positions::{SPECS, random_position};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{ActionId, AnyGame, Encode, Game, with_game};
use tablero_mcts::{Evaluations, Evaluator, Fake, Request, Symmetrized, Wdl};

fn legal<G: Game>(game: &G, state: &G::State) -> Vec<ActionId> {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    legal
}

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-5
}

/// The answers for a position and for its images are the same, but for what their actions are called.
fn images_are_judged_alike<G: Encode>(game: &G) {
    let states: Vec<G::State> = (0..12)
        .map(|index| random_position(game, index, index as u64))
        .filter(|state| !game.is_over(state))
        .collect();
    let borrowed: Vec<&G::State> = states.iter().collect();
    let answers = Symmetrized::new(Fake, true).judge(game, &borrowed);
    let alone = Symmetrized::new(Fake, false).judge(game, &borrowed);
    let fake = Fake.judge(game, &borrowed);
    let mut n_changed = 0;
    for (index, state) in states.iter().enumerate() {
        let answer = answers.get(index);
        assert_eq!(alone.get(index), fake.get(index));
        n_changed += usize::from(answer != fake.get(index));
        assert!(close(answer.priors.iter().sum(), 1.0));
        assert!(close(
            answer.wdl.win + answer.wdl.draw + answer.wdl.loss,
            1.0
        ));
        for symmetry in 0..game.n_symmetries() {
            let image = game.transform(symmetry, state);
            let judged = Symmetrized::new(Fake, true).judge(game, &[&image]);
            let judged = judged.get(0);
            assert!(close(judged.wdl.value(), answer.wdl.value()), "{game:?}");
            let image_legal = legal(game, &image);
            for (action, prior) in legal(game, state).iter().zip(answer.priors) {
                let named = game.transform_action(symmetry, state, *action);
                let place = image_legal.binary_search(&named).unwrap();
                assert!(close(judged.priors[place], *prior), "{game:?} {state:?}");
            }
        }
    }
    let has_symmetries = game.n_symmetries() > 1;
    assert_eq!(n_changed > 3, has_symmetries, "{game:?}: {n_changed}");
}

#[test]
fn a_position_and_its_images_are_judged_alike_in_every_game() {
    for spec in SPECS {
        let any = AnyGame::parse(spec).unwrap();
        with_game!(&any, game => images_are_judged_alike(game));
    }
}

/// Proves that the player to move wins, if the first legal action is this one.
struct Prover(ActionId);

impl<G: Game> Evaluator<G> for Prover {
    fn evaluate(&mut self, _game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for request in requests {
            if request.legal[0] == self.0 {
                out.push_proven(request.legal.len(), 1);
            } else {
                out.push(request.legal.len(), Wdl::DRAW, Some(2.0))
                    .fill(1.0 / request.legal.len() as f32);
            }
        }
    }
}

#[test]
fn what_is_proven_of_one_image_is_proven() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    let states: Vec<_> = (0..8).map(|n| random_position(&game, n, 3)).collect();
    let borrowed: Vec<_> = states.iter().collect();
    let mut n_proven = [0; 2];
    for action in legal(&game, &states[7]) {
        let answers = Symmetrized::new(Prover(action), true).judge(&game, &borrowed);
        for (index, state) in states.iter().enumerate() {
            let firsts = (0..game.n_symmetries()).map(|symmetry| {
                let image = game.transform(symmetry, state);
                legal(&game, &image)[0]
            });
            let expected = firsts.into_iter().any(|first| first == action).then_some(1);
            let answer = answers.get(index);
            assert_eq!(answer.proven, expected);
            assert_eq!(answer.points_lead, expected.is_none().then_some(2.0));
            n_proven[usize::from(expected.is_some())] += 1;
        }
    }
    assert!(n_proven.iter().all(|&n| n > 0), "{n_proven:?}");
}

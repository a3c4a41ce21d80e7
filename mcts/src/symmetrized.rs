//! Positions evaluated through all symmetries of their game.

use crate::{Evaluations, Evaluator, Request, Wdl};
use tablero_env::{ActionId, Encode, ForMover};

/// An evaluator that is asked about the images of a position under every symmetry of its game, and
/// whose answers are averaged: what a network says of them differs, and the mean is nearer to the
/// truth (the explicit symmetry ensemble of AlphaGo, Silver et al., 2016, methods). A position costs
/// [`n_symmetries`](Encode::n_symmetries) times as much, in one batch.
#[derive(Debug)]
pub struct Symmetrized<E> {
    evaluator: E,
    is_on: bool,
    images: Evaluations,
}

/// A position seen through a symmetry.
struct Image<S> {
    state: S,
    /// Its legal actions, ascending.
    legal: Vec<ActionId>,
    /// The place of each of them in the request.
    places: Vec<usize>,
}

impl<E> Symmetrized<E> {
    /// Where `is_on` is false, it is the evaluator alone.
    pub fn new(evaluator: E, is_on: bool) -> Self {
        Symmetrized {
            evaluator,
            is_on,
            images: Evaluations::new(),
        }
    }
}

fn image<G: Encode>(game: &G, request: &Request<'_, G>, symmetry: usize) -> Image<G::State> {
    let mut actions: Vec<(ActionId, usize)> = request
        .legal
        .iter()
        .enumerate()
        .map(|(place, &action)| {
            let image = game.transform_action(symmetry, request.state, action);
            (image, place)
        })
        .collect();
    actions.sort_unstable();
    let (legal, places) = actions.into_iter().unzip();
    Image {
        state: game.transform(symmetry, request.state),
        legal,
        places,
    }
}

impl<G: Encode, E: Evaluator<G>> Evaluator<G> for Symmetrized<E> {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        let n = game.n_symmetries();
        if !self.is_on || n == 1 {
            return self.evaluator.evaluate(game, requests, out);
        }
        let images: Vec<Image<G::State>> = requests
            .iter()
            .flat_map(|request| (0..n).map(move |symmetry| image(game, request, symmetry)))
            .collect();
        let images_asked: Vec<Request<'_, G>> = images
            .iter()
            .enumerate()
            .map(|(index, image)| Request {
                state: &image.state,
                legal: &image.legal,
                nonce: requests[index / n].nonce,
            })
            .collect();
        self.evaluator
            .evaluate(game, &images_asked, &mut self.images);
        out.clear();
        for (index, request) in requests.iter().enumerate() {
            let numbers = n * index..n * (index + 1);
            let answers = || numbers.clone().map(|number| self.images.get(number));
            let mean = |of: fn(&Wdl) -> f32| {
                answers().map(|answer| of(&answer.wdl.0)).sum::<f32>() / n as f32
            };
            let wdl = Wdl {
                win: mean(|wdl| wdl.win),
                draw: mean(|wdl| wdl.draw),
                loss: mean(|wdl| wdl.loss),
            };
            let leads = answers().map(|answer| answer.points_lead.map(|lead| lead.0));
            let lead = leads.sum::<Option<f32>>();
            let lead = lead.map(|sum| ForMover(sum / n as f32));
            let priors = out.push(request.legal.len(), ForMover(wdl), lead);
            for (image, answer) in images[numbers.clone()].iter().zip(answers()) {
                for (&place, prior) in image.places.iter().zip(answer.priors) {
                    priors[place] += prior / n as f32;
                }
            }
        }
    }
}

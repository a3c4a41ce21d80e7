use crate::{Evaluations, Evaluator, Request, Wdl};
use tablero_env::random::mix;
use tablero_env::{ForMover, Game};

/// Answers that look like those of a network and mean nothing: a pure function of the state's
/// hash and the legal actions, the same on every machine. For tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fake;

impl<G: Game> Evaluator<G> for Fake {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for request in requests {
            let hash = game.hash(request.state);
            let [win, draw, loss] = [1, 2, 3].map(|salt| weight(mix(hash ^ salt)));
            let total = win + draw + loss;
            let wdl = Wdl {
                win: win / total,
                draw: draw / total,
                loss: loss / total,
            };
            let priors = out.push(request.legal.len(), ForMover(wdl), None);
            for (prior, action) in priors.iter_mut().zip(request.legal) {
                *prior = weight(mix(hash.wrapping_add(u64::from(action.0) << 32)));
            }
            let total: f32 = priors.iter().sum();
            priors.iter_mut().for_each(|prior| *prior /= total);
        }
    }
}

/// 1/16, 2/16, … or 16/16, so that sums are exact and priors differ clearly.
fn weight(hash: u64) -> f32 {
    ((hash >> 60) + 1) as f32 / 16.0
}

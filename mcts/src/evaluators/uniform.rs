use crate::{Evaluations, Evaluator, Request, Wdl};
use tablero_env::{ForMover, Game};

/// Knows nothing: equal priors, and win, draw and loss equally likely. With proven values, a
/// search with it is a plain solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Evaluator<G> for Uniform {
    fn evaluate(&mut self, _game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        const THIRD: f32 = 1.0 / 3.0;
        out.clear();
        for request in requests {
            let n_legal = request.legal.len();
            let wdl = Wdl {
                win: THIRD,
                draw: THIRD,
                loss: THIRD,
            };
            out.push(n_legal, ForMover(wdl), None)
                .fill(1.0 / n_legal as f32);
        }
    }
}

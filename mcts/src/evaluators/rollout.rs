use crate::{Evaluations, Evaluator, Request, Wdl};
use rand::SeedableRng;
use std::num::NonZeroU32;
use tablero_env::random::Stream;
use tablero_env::{ActionId, Game, playout};

/// Plays uniformly random games to the end and reports how often each result came: plain
/// Monte-Carlo evaluation. Priors are equal.
#[derive(Clone, Debug)]
pub struct Rollout {
    n: NonZeroU32,
    buffer: Vec<ActionId>,
}

impl Rollout {
    /// `n` random games for each evaluation.
    #[must_use]
    pub fn new(n: NonZeroU32) -> Self {
        Rollout {
            n,
            buffer: Vec::new(),
        }
    }
}

impl<G: Game> Evaluator<G> for Rollout {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        out.clear();
        for request in requests {
            let mover = game.player_to_move(request.state);
            let mut stream = Stream::seed_from_u64(request.nonce);
            let mut n_results = [0_u32; 3];
            let mut lead = None;
            for _ in 0..self.n.get() {
                let mut state = request.state.clone();
                let outcome = playout(game, &mut state, &mut self.buffer, &mut stream);
                n_results[(outcome.return_for(mover) + 1) as usize] += 1;
                if let Some(points) = outcome.points {
                    let [mine, theirs] = [mover, mover.opponent()].map(|p| points[p.index()]);
                    *lead.get_or_insert(0) += i64::from(mine - theirs);
                }
            }
            let n = self.n.get() as f32;
            let [loss, draw, win] = n_results.map(|count| count as f32 / n);
            let n_legal = request.legal.len();
            let points_lead = lead.map(|sum| sum as f32 / n);
            out.push(n_legal, Wdl { win, draw, loss }, points_lead)
                .fill(1.0 / n_legal as f32);
        }
    }
}

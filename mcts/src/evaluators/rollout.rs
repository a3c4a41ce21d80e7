use crate::{Evaluations, Evaluator, Request, Wdl};
use rand::SeedableRng;
use std::num::NonZeroU32;
use tablero_env::random::Stream;
use tablero_env::{ActionId, ForMover, Game, playout, playout_up_to};

/// Where a random game is cut off, in games without a bound on their length.
const UNBOUNDED_PLIES: usize = 300;

/// Plays uniformly random games to the end and reports how often each result came: plain
/// Monte-Carlo evaluation. Priors are equal.
///
/// In games without a bound on their length a random game is cut off after 300 plies and counts
/// half as a win and half as a loss: it says nothing.
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
            // In halves, since a game that was cut off counts for both.
            let mut n_results = [0_u32; 3];
            let mut lead = None;
            for _ in 0..self.n.get() {
                let mut state = request.state.clone();
                let buffer = &mut self.buffer;
                let outcome = match game.max_plies() {
                    Some(_) => Some(playout(game, &mut state, buffer, &mut stream)),
                    None => playout_up_to(game, &mut state, UNBOUNDED_PLIES, buffer, &mut stream),
                };
                let Some(outcome) = outcome else {
                    n_results[0] += 1;
                    n_results[2] += 1;
                    continue;
                };
                n_results[(outcome.return_for(mover) + 1) as usize] += 2;
                if let Some(points) = outcome.points {
                    let [mine, theirs] = [mover, mover.opponent()].map(|p| points[p.index()]);
                    *lead.get_or_insert(0) += i64::from(mine - theirs);
                }
            }
            let n = self.n.get() as f32;
            let [loss, draw, win] = n_results.map(|halves| halves as f32 / (2.0 * n));
            let n_legal = request.legal.len();
            let points_lead = lead.map(|sum| ForMover(sum as f32 / n));
            out.push(n_legal, ForMover(Wdl { win, draw, loss }), points_lead)
                .fill(1.0 / n_legal as f32);
        }
    }
}

//! The seam between a search and what evaluates positions: a network, rollouts, a fake.

use std::ops::Range;
use tablero_env::{ActionId, Flip, ForMover, Game};

/// Probabilities of a win, a draw and a loss; they sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// Probability of a win, 0..=1.
    pub win: f32,
    /// Probability of a draw, 0..=1.
    pub draw: f32,
    /// Probability of a loss, 0..=1.
    pub loss: f32,
}

impl Wdl {
    /// A certain win.
    pub const WIN: Wdl = Wdl {
        win: 1.0,
        draw: 0.0,
        loss: 0.0,
    };
    /// A certain draw.
    pub const DRAW: Wdl = Wdl {
        win: 0.0,
        draw: 1.0,
        loss: 0.0,
    };
    /// A certain loss.
    pub const LOSS: Wdl = Wdl {
        win: 0.0,
        draw: 0.0,
        loss: 1.0,
    };

    /// The expected return, `win - loss`, in -1..=1.
    #[inline]
    #[must_use]
    pub fn value(self) -> f32 {
        self.win - self.loss
    }

    /// The certain result of a return: 1, 0 or -1.
    #[must_use]
    pub fn certain(value: i8) -> Wdl {
        match value {
            1 => Wdl::WIN,
            0 => Wdl::DRAW,
            _ => Wdl::LOSS,
        }
    }
}

impl Flip for Wdl {
    #[inline]
    fn flipped(self) -> Wdl {
        Wdl {
            win: self.loss,
            draw: self.draw,
            loss: self.win,
        }
    }
}

/// A position to evaluate. The game is not over.
#[derive(Debug)]
pub struct Request<'a, G: Game> {
    /// The position.
    pub state: &'a G::State,
    /// Its legal actions, ascending, at least one.
    pub legal: &'a [ActionId],
    /// A number drawn by the search that asks: the only randomness that an evaluator may use, so
    /// that an answer does not depend on what else is in the batch.
    pub nonce: u64,
}

// Not derived: a derive would ask for `G: Copy`.
impl<G: Game> Clone for Request<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Request<'_, G> {}

/// The answer to one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation<'a> {
    /// One prior probability for each legal action of the request, in its order; each is finite
    /// and at least 0, and they sum to 1.
    pub priors: &'a [f32],
    /// Win, draw and loss.
    pub wdl: ForMover<Wdl>,
    /// The expected final lead in points, where the evaluator knows it.
    pub points_lead: Option<ForMover<f32>>,
    /// The return under best play (-1, 0, 1), where the evaluator has proven it. At the root of a
    /// search a proof is ignored: it names no move.
    pub proven: Option<ForMover<i8>>,
}

/// The answers to a batch of requests, in their order, in storage that is used again.
#[derive(Clone, Debug, Default)]
pub struct Evaluations {
    priors: Vec<f32>,
    heads: Vec<Head>,
}

#[derive(Clone, Debug)]
struct Head {
    priors: Range<usize>,
    wdl: ForMover<Wdl>,
    points_lead: Option<ForMover<f32>>,
    proven: Option<ForMover<i8>>,
}

impl Evaluations {
    /// An empty batch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the answers, keeps the storage.
    pub fn clear(&mut self) {
        self.priors.clear();
        self.heads.clear();
    }

    /// The number of answers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is no answer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Appends an answer for a position with `n_legal` actions and returns its priors, all 0, to
    /// be filled in.
    pub fn push(
        &mut self,
        n_legal: usize,
        wdl: ForMover<Wdl>,
        points_lead: Option<ForMover<f32>>,
    ) -> &mut [f32] {
        let start = self.priors.len();
        self.priors.resize(start + n_legal, 0.0);
        self.heads.push(Head {
            priors: start..start + n_legal,
            wdl,
            points_lead,
            proven: None,
        });
        &mut self.priors[start..]
    }

    /// The same for a position whose return under best play is proven: certain of this result.
    pub fn push_proven(&mut self, n_legal: usize, value: ForMover<i8>) -> &mut [f32] {
        let start = self.priors.len();
        self.push(n_legal, ForMover(Wdl::certain(value.0)), None);
        if let Some(head) = self.heads.last_mut() {
            head.proven = Some(value);
        }
        &mut self.priors[start..]
    }

    /// The answer to request number `index`.
    ///
    /// # Panics
    /// If there are not so many answers.
    #[must_use]
    pub fn get(&self, index: usize) -> Evaluation<'_> {
        let head = &self.heads[index];
        Evaluation {
            priors: &self.priors[head.priors.clone()],
            wdl: head.wdl,
            points_lead: head.points_lead,
            proven: head.proven,
        }
    }
}

/// Evaluates positions.
///
/// Batches may be made of requests of many searches: unless an evaluator says otherwise, the
/// answer to a request depends on that request alone, bit for bit, not on the rest of the batch
/// nor on earlier calls.
pub trait Evaluator<G: Game> {
    /// Answers every request, in order. Clears `out` first.
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations);

    /// Evaluates unfinished positions outside of a search: the answers, in their order. Every
    /// nonce is 0.
    fn evaluate_states(&mut self, game: &G, states: &[&G::State]) -> Evaluations {
        let legal: Vec<Vec<ActionId>> = states
            .iter()
            .map(|state| {
                let mut legal = Vec::new();
                game.legal_actions(state, &mut legal);
                legal
            })
            .collect();
        let requests: Vec<Request<'_, G>> = states
            .iter()
            .zip(&legal)
            .map(|(&state, legal)| Request {
                state,
                legal,
                nonce: 0,
            })
            .collect();
        let mut answers = Evaluations::new();
        self.evaluate(game, &requests, &mut answers);
        answers
    }
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for &mut E {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        (**self).evaluate(game, requests, out);
    }
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for Box<E> {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        (**self).evaluate(game, requests, out);
    }
}

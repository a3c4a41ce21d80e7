//! Many searches in lock-step, one batch of evaluations a round.

use crate::{Evaluations, Evaluator, Gathered, Request, Search};
use std::borrow::{Borrow, BorrowMut};
use tablero_env::Game;

/// Runs the searches until each has done `n_sims` simulations since it was made or last advanced
/// (visits inherited from before do not count), or its root is proven.
///
/// All searches are of the same configured game. `batch` is scratch space.
///
/// Each search ends exactly as if it had been run alone.
pub fn run<G, S, E>(searches: &mut [S], n_sims: u32, evaluator: &mut E, batch: &mut Batch<G>)
where
    G: Game,
    S: BorrowMut<Search<G>>,
    E: Evaluator<G> + ?Sized,
{
    while batch.round(searches, |_| n_sims, evaluator) > 0 {}
}

/// The storage of one batch of evaluations, used again from round to round.
#[derive(Debug)]
pub struct Batch<G: Game> {
    /// The searches that wait for an evaluation.
    waiting: Vec<usize>,
    /// Empty between rounds.
    requests: Vec<Request<'static, G>>,
    evaluations: Evaluations,
}

impl<G: Game> Default for Batch<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Batch<G> {
    /// Empty storage.
    #[must_use]
    pub fn new() -> Self {
        Batch {
            waiting: Vec::new(),
            requests: Vec::new(),
            evaluations: Evaluations::new(),
        }
    }

    /// One round of [`run`]: takes every search that has done fewer than `n_sims(search)`
    /// simulations up to its next evaluation, and evaluates all these leaves in one batch. Returns
    /// the size of the batch; 0 means that every search is done.
    ///
    /// For drivers that give each search a number of simulations of its own, or replace finished
    /// searches while others go on.
    pub fn round<S, E>(
        &mut self,
        searches: &mut [S],
        n_sims: impl Fn(&Search<G>) -> u32,
        evaluator: &mut E,
    ) -> usize
    where
        S: BorrowMut<Search<G>>,
        E: Evaluator<G> + ?Sized,
    {
        self.waiting.clear();
        for (index, search) in searches.iter_mut().enumerate() {
            let search = search.borrow_mut();
            // Simulations that end without an evaluation would only leave a gap in the batch.
            let is_waiting = loop {
                let n_sims = n_sims(search);
                search.root.budget.n_simulations = n_sims;
                if search.n_simulations() >= n_sims {
                    break false;
                }
                match search.gather() {
                    Gathered::Backed => {}
                    Gathered::Request => break true,
                    Gathered::Proven => break false,
                }
            };
            if is_waiting {
                self.waiting.push(index);
            }
        }
        let Some(&first) = self.waiting.first() else {
            return 0;
        };
        let mut requests = emptied(std::mem::take(&mut self.requests));
        let waiting = self.waiting.iter();
        requests.extend(waiting.filter_map(|&index| Borrow::borrow(&searches[index]).request()));
        let game = Borrow::borrow(&searches[first]).game();
        evaluator.evaluate(game, &requests, &mut self.evaluations);
        self.requests = emptied(requests);
        for (rank, &index) in self.waiting.iter().enumerate() {
            searches[index]
                .borrow_mut()
                .apply(self.evaluations.get(rank));
        }
        self.waiting.len()
    }
}

/// The same storage for requests with another lifetime. Collecting in place keeps the
/// allocation, so that rounds allocate nothing.
fn emptied<'a, G: Game>(mut requests: Vec<Request<'_, G>>) -> Vec<Request<'a, G>> {
    requests.clear();
    requests
        .into_iter()
        .map(|_| unreachable!("the requests are cleared"))
        .collect()
}

//! Leaves that a small minimax search proves (Baier and Winands, "MCTS-Minimax Hybrids", 2015).

use tablero_env::Game;
use tablero_mcts::{Evaluations, Evaluator, Request};
use tablero_minimax::{Baseline, Limits, Minimax};

/// Enough for the few nodes of a leaf.
const TABLE_MIB: usize = 1;

/// An evaluator that asks minimax first, with so many nodes a leaf: what that proves is exact, and the
/// other evaluator judges the rest.
#[derive(Debug)]
pub struct Prover<G: Game + Baseline, E> {
    evaluator: E,
    minimax: Option<Minimax<G>>,
    limits: Limits,
    judged: Evaluations,
    /// What is proven of each request, seen by its player to move.
    proven: Vec<Option<i8>>,
}

impl<G: Game + Baseline, E> Prover<G, E> {
    /// With 0 nodes it is the evaluator alone.
    #[must_use]
    pub fn new(game: &G, evaluator: E, nodes: u64) -> Self {
        Prover {
            evaluator,
            minimax: (nodes > 0).then(|| Minimax::new(game.clone(), TABLE_MIB)),
            limits: Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
            judged: Evaluations::new(),
            proven: Vec::new(),
        }
    }
}

impl<G: Game + Baseline, E: Evaluator<G>> Evaluator<G> for Prover<G, E> {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        let Some(minimax) = &mut self.minimax else {
            return self.evaluator.evaluate(game, requests, out);
        };
        self.proven.clear();
        for request in requests {
            // What the table holds from other leaves must not sway this one.
            minimax.clear();
            let first = minimax.search(request.state, &self.limits).proven;
            let sign = game.player_to_move(request.state).sign();
            self.proven.push(first.map(|value| value * sign));
        }
        let open = requests.iter().zip(&self.proven);
        let open: Vec<Request<'_, G>> = open
            .filter(|(_, proven)| proven.is_none())
            .map(|(request, _)| *request)
            .collect();
        self.evaluator.evaluate(game, &open, &mut self.judged);
        out.clear();
        let mut n_judged = 0;
        for (request, proven) in requests.iter().zip(&self.proven) {
            if let &Some(value) = proven {
                out.push_proven(request.legal.len(), value);
                continue;
            }
            let judged = self.judged.get(n_judged);
            n_judged += 1;
            out.push(request.legal.len(), judged.wdl, judged.points_lead)
                .copy_from_slice(judged.priors);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::queens::{FullBoard, Queens};
    use tablero_env::random::stream;
    use tablero_env::{ActionId, Game};
    use tablero_mcts::{Batch, Search, SearchParams, Uniform, run};
    use tablero_minimax::{Solvable, Solver};

    /// Proven values are those of the exact solver; the rest is the evaluator's; and no answer
    /// depends on the others of its batch.
    #[test]
    fn what_is_proven_is_true_and_what_is_not_is_left_to_the_evaluator() {
        let game = Queens::new(8, FullBoard::default()).unwrap();
        let mut solver = game.solver().unwrap();
        let mut states = Vec::new();
        for index in 0..20 {
            let mut rng = stream(3, "prover", index);
            let (mut state, mut buffer) = (game.initial(), Vec::new());
            while !game.is_over(&state) {
                states.push(state.clone());
                let action = game.sample_action(&state, &mut buffer, &mut rng);
                game.play_unchecked(&mut state, action);
            }
        }
        let legal: Vec<Vec<ActionId>> = states
            .iter()
            .map(|state| {
                let mut legal = Vec::new();
                game.legal_actions(state, &mut legal);
                legal
            })
            .collect();
        let requests: Vec<Request<'_, Queens>> = states
            .iter()
            .zip(&legal)
            .map(|(state, legal)| Request {
                state,
                legal,
                nonce: 0,
            })
            .collect();
        let mut prover = Prover::new(&game, Uniform, 30);
        let (mut together, mut alone) = (Evaluations::new(), Evaluations::new());
        prover.evaluate(&game, &requests, &mut together);
        assert_eq!(together.len(), requests.len());
        let mut n_proven = 0;
        for (index, request) in requests.iter().enumerate() {
            let answer = together.get(index);
            prover.evaluate(&game, std::slice::from_ref(request), &mut alone);
            assert_eq!(alone.get(0), answer);
            Uniform.evaluate(&game, std::slice::from_ref(request), &mut alone);
            match answer.proven {
                None => assert_eq!(alone.get(0), answer),
                Some(value) => {
                    n_proven += 1;
                    let sign = game.player_to_move(request.state).sign();
                    assert_eq!(solver.solve(request.state).value, value * sign);
                    assert_eq!(answer.wdl.value(), f32::from(value));
                    assert_eq!(answer.priors.len(), request.legal.len());
                }
            }
        }
        assert!((20..states.len() - 10).contains(&n_proven), "{n_proven}");
    }

    /// A search over proving leaves claims nothing false, and finds a move that keeps what it claims.
    #[test]
    fn a_search_over_proven_leaves_is_exact() {
        let game = Queens::new(8, FullBoard::default()).unwrap();
        let mut solver = game.solver().unwrap();
        let mut n_proven = [0; 2];
        for index in 0..40 {
            let rng = &mut stream(5, "proving search", index);
            let (mut state, mut buffer) = (game.initial(), Vec::new());
            for _ in 0..2 {
                let action = game.sample_action(&state, &mut buffer, rng);
                game.play_unchecked(&mut state, action);
            }
            let solution = solver.solve(&state);
            for (proofs, nodes) in [0, 100].into_iter().enumerate() {
                let params = SearchParams::default();
                let moves = stream(5, "moves", index);
                let search = Search::new(game.clone(), state.clone(), params, moves);
                let mut searches = [search];
                let mut prover = Prover::new(&game, Uniform, nodes);
                run(&mut searches, 100, &mut prover, &mut Batch::new());
                let [search] = searches;
                if let Some(value) = search.root_proven() {
                    n_proven[proofs] += 1;
                    let sign = game.player_to_move(&state).sign();
                    assert_eq!(value * sign, solution.value);
                    assert!(solution.best.contains(&search.best()));
                }
            }
        }
        assert!(n_proven[1] > n_proven[0] + 10, "{n_proven:?}");
    }
}

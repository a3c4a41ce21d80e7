//! Leaves that a small minimax search looks at (Baier and Winands, "MCTS-Minimax Hybrids", 2015).

use serde::{Deserialize, Serialize};
use tablero_env::Game;
use tablero_mcts::{Evaluations, Evaluator, Request, Wdl};
use tablero_minimax::{Baseline, Heuristic, Limits, Minimax};

/// Enough for the few nodes of a leaf.
const TABLE_MIB: usize = 1;

/// A minimax search of each leaf: what it proves is exact, and its score takes part in the value of
/// the other leaves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeafSearch {
    /// Nodes a leaf; at least 1 in self-play.
    pub nodes: u64,
    /// The share, 0..=1, of the score in the value of a leaf that is not proven; the rest is the
    /// network's. 0, the default, leaves such leaves to the network.
    #[serde(default)]
    pub share: f32,
}

/// An evaluator beside which minimax searches each leaf.
///
/// With a score that stands for the odds p to win
/// ([`Heuristic::LOG_ODDS_PER_UNIT`]) and a share s of it, the chance to win is
/// `(1 - s) win + s (1 - draw) p`, where win and draw are the evaluator's. Priors, chance of a draw
/// and points lead are the evaluator's alone.
#[derive(Debug)]
pub struct SearchedLeaves<G: Game + Baseline, E> {
    evaluator: E,
    minimax: Option<Minimax<G>>,
    limits: Limits,
    share: f32,
    judged: Evaluations,
    /// What the search said of each request.
    found: Vec<Found>,
}

/// Seen by the player to move.
#[derive(Clone, Copy, Debug)]
enum Found {
    /// The result of the game.
    Proof(i8),
    /// The odds to win, 0..=1.
    Odds(f32),
}

impl<G: Game + Baseline, E> SearchedLeaves<G, E> {
    /// Without a search, or with one of 0 nodes, it is the evaluator alone.
    #[must_use]
    pub fn new(game: &G, evaluator: E, search: Option<LeafSearch>) -> Self {
        let search = search.filter(|search| search.nodes > 0);
        SearchedLeaves {
            evaluator,
            minimax: search.map(|_| Minimax::new(game.clone(), TABLE_MIB)),
            limits: Limits {
                nodes: search.map(|search| search.nodes),
                ..Limits::default()
            },
            share: search.map_or(0.0, |search| search.share),
            judged: Evaluations::new(),
            found: Vec::new(),
        }
    }
}

impl<G: Game + Baseline, E: Evaluator<G>> Evaluator<G> for SearchedLeaves<G, E> {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        let Some(minimax) = &mut self.minimax else {
            return self.evaluator.evaluate(game, requests, out);
        };
        self.found.clear();
        for request in requests {
            // What the table holds from other leaves must not sway this one.
            minimax.clear();
            let report = minimax.search(request.state, &self.limits);
            let sign = game.player_to_move(request.state).sign();
            self.found.push(match report.proven {
                Some(value) => Found::Proof(value * sign),
                None => Found::Odds(odds::<G>(f64::from(report.score) * f64::from(sign))),
            });
        }
        let open = requests.iter().zip(&self.found);
        let open: Vec<Request<'_, G>> = open
            .filter(|(_, found)| matches!(found, Found::Odds(_)))
            .map(|(request, _)| *request)
            .collect();
        self.evaluator.evaluate(game, &open, &mut self.judged);
        out.clear();
        let mut n_judged = 0;
        for (request, found) in requests.iter().zip(&self.found) {
            match *found {
                Found::Proof(value) => out.push_proven(request.legal.len(), value),
                Found::Odds(odds) => {
                    let judged = self.judged.get(n_judged);
                    n_judged += 1;
                    let wdl = mixed(judged.wdl, odds, self.share);
                    out.push(request.legal.len(), wdl, judged.points_lead)
                        .copy_from_slice(judged.priors);
                }
            }
        }
    }
}

/// The odds to win that go with a score of minimax, both for the player to move.
fn odds<G: Baseline>(score: f64) -> f32 {
    (1.0 / (1.0 + (-G::Heuristic::LOG_ODDS_PER_UNIT * score).exp())) as f32
}

fn mixed(judged: Wdl, odds: f32, share: f32) -> Wdl {
    let decided = 1.0 - judged.draw;
    Wdl {
        win: (1.0 - share) * judged.win + share * decided * odds,
        draw: judged.draw,
        loss: (1.0 - share) * judged.loss + share * decided * (1.0 - odds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::Game;
    use tablero_env::queens::{FullBoard, Queens, State};
    use tablero_env::random::stream;
    use tablero_env::xadrersi::Xadrersi;
    use tablero_mcts::{Batch, Search, SearchParams, Uniform, run};
    use tablero_minimax::{Solvable, Solver};

    fn proofs(nodes: u64) -> Option<LeafSearch> {
        Some(LeafSearch { nodes, share: 0.0 })
    }

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
        let borrowed: Vec<&State> = states.iter().collect();
        let mut evaluator = SearchedLeaves::new(&game, Uniform, proofs(30));
        let together = evaluator.judge(&game, &borrowed);
        assert_eq!(together.len(), states.len());
        let mut n_proven = 0;
        for (index, state) in borrowed.into_iter().enumerate() {
            let answer = together.get(index);
            assert_eq!(evaluator.judge(&game, &[state]).get(0), answer);
            let uniform = Uniform.judge(&game, &[state]);
            match answer.proven {
                None => assert_eq!(uniform.get(0), answer),
                Some(value) => {
                    n_proven += 1;
                    let sign = game.player_to_move(state).sign();
                    assert_eq!(solver.solve(state).value, value * sign);
                    assert_eq!(answer.wdl.value(), f32::from(value));
                    assert_eq!(answer.priors.len(), uniform.get(0).priors.len());
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
            for (is_searched, leaf_search) in [None, proofs(100)].into_iter().enumerate() {
                let params = SearchParams::default();
                let moves = stream(5, "moves", index);
                let search = Search::new(game.clone(), state.clone(), params, moves);
                let mut searches = [search];
                let mut evaluator = SearchedLeaves::new(&game, Uniform, leaf_search);
                run(&mut searches, 100, &mut evaluator, &mut Batch::new());
                let [search] = searches;
                if let Some(value) = search.root_proven() {
                    n_proven[is_searched] += 1;
                    let sign = game.player_to_move(&state).sign();
                    assert_eq!(value * sign, solution.value);
                    assert!(solution.best.contains(&search.best()));
                }
            }
        }
        assert!(n_proven[1] > n_proven[0] + 10, "{n_proven:?}");
    }

    /// The score takes its share of what is won and lost, and nothing else: without a share the
    /// evaluator is heard alone, with all of it the sign is the score's, and a half is between.
    #[test]
    fn the_score_takes_its_share_of_the_value() {
        let game = Xadrersi;
        let limits = Limits {
            nodes: Some(50),
            ..Limits::default()
        };
        let mut n_open = 0;
        for index in 0..10 {
            let mut rng = stream(7, "shares", index);
            let mut state = game.initial();
            while !game.is_over(&state) {
                let [alone, half, all] = [0.0, 0.5, 1.0].map(|share| {
                    let search = Some(LeafSearch { nodes: 50, share });
                    let mut evaluator = SearchedLeaves::new(&game, Uniform, search);
                    evaluator.judge(&game, &[&state]).get(0).wdl
                });
                let report = Minimax::new(game, TABLE_MIB).search(&state, &limits);
                if report.proven.is_none() {
                    n_open += 1;
                    let score = report.score * i32::from(game.player_to_move(&state).sign());
                    assert_eq!(alone.win, alone.loss);
                    assert_eq!(
                        (all.win - all.loss) as f64 > 0.0,
                        score > 0,
                        "{all:?} {score}"
                    );
                    for wdl in [half, all] {
                        assert_eq!(wdl.draw, alone.draw);
                        assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6);
                    }
                    assert!((half.win - (alone.win + all.win) / 2.0).abs() < 1e-6);
                }
                let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
                game.play_unchecked(&mut state, action);
            }
        }
        assert!(n_open > 100, "{n_open}");
    }
}

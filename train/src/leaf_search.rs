//! Leaves that a small minimax search looks at (Baier and Winands, "MCTS-Minimax Hybrids", 2015), or the
//! solver of endgames.

use serde::{Deserialize, Serialize};
use tablero_env::ActionId;
use tablero_mcts::{Evaluations, Evaluator, Request, Wdl};
use tablero_minimax::{Baseline, EndgameSolver, Heuristic, Limits, Minimax, Solvable};

/// MiB of the table for a leaf on its own: enough for its few nodes.
const LEAF_TABLE_MIB: usize = 1;

/// The most that a score says, as log-odds: a chance of 3 in 10,000 remains that a game is not won which
/// the search takes for won, but has not proven.
const MAX_LOG_ODDS: f64 = 8.0;

/// MiB of the table that all leaves of a move share.
const MOVE_TABLE_MIB: usize = 64;

/// MiB of the table of endgames for a leaf on its own, and for a game.
const LEAF_ENDGAMES_MIB: usize = 4;
const GAME_ENDGAMES_MIB: usize = 16;

/// A minimax search of each leaf: what it proves is exact, and its score takes part in the value of
/// the other leaves. Before it, the solver of endgames, in games that have
/// [one](Solvable::endgame_solver).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeafSearch {
    /// Nodes a leaf; at least 1 in self-play.
    pub nodes: u64,
    /// The share, 0..=1, of the score's log-odds that is added to those of the network where the
    /// leaf is not proven. 0, the default, leaves such leaves to the network.
    #[serde(default)]
    pub share: f32,
    /// Nodes a leaf of the solver of endgames, beside those of minimax. With 0, the default, it is not
    /// asked.
    #[serde(default, skip_serializing_if = "is_0")]
    pub solver_nodes: u64,
}

/// For fields that are left out of a file where they are 0.
pub(crate) fn is_0(n: &u64) -> bool {
    *n == 0
}

/// An evaluator beside which minimax searches each leaf.
///
/// - **Value.** With a score that stands for the log-odds x to win
///   ([`Heuristic::LOG_ODDS_PER_UNIT`]) and a share s of it, win : loss becomes
///   `win exp(s x) : loss`, where win and loss are the evaluator's: the weights of two pieces of
///   evidence are added (Good, "Probability and the Weighing of Evidence", 1950). The chance of a
///   draw and the points lead are the evaluator's alone.
/// - **Priors.** Moves that minimax knows to be no better than the others
///   ([`Heuristic::sufficient_actions`]) get none.
/// - **The root** is judged, too, where it is proven, since a proof tells no move. If it is lost, half of
///   the prior goes to what minimax would play: the best fight, or the fewest points lost.
///
/// What two estimates say is worth more together than their mean: of 1,566 positions of Dots and
/// Boxes 5x5 from self-play of a residual network of 4 x 64 that 400 nodes do not prove, the
/// results have a log loss of 0.442 by the network, 0.534 by the score, 0.462 by the mean of both
/// and 0.418 by a share of a half.
#[derive(Debug)]
pub struct SearchedLeaves<G: Baseline, E> {
    evaluator: E,
    searcher: Option<Searcher<G>>,
    judged: Evaluations,
    /// What the search said of each request.
    found: Vec<Found>,
}

#[derive(Debug)]
struct Searcher<G: Baseline> {
    minimax: Minimax<G>,
    heuristic: G::Heuristic,
    endgames: Option<Box<dyn EndgameSolver<G>>>,
    limits: Limits,
    share: f32,
    solver_nodes: u64,
    /// Whether the tables are kept from leaf to leaf.
    remembers: bool,
    /// Scratch.
    sufficient: Vec<ActionId>,
}

/// Seen by the player to move.
#[derive(Clone, Copy, Debug)]
enum Found {
    /// The result of the game.
    Proof(i8),
    /// The share of the score's log-odds.
    LogOdds(f32),
    /// All is lost where the search begins: what minimax would play.
    Lost(ActionId),
}

impl<G: Baseline + Solvable, E> SearchedLeaves<G, E> {
    /// Each leaf on its own. Without a search, or with one of 0 nodes of both kinds, it is the evaluator
    /// alone.
    #[must_use]
    pub fn new(game: &G, evaluator: E, search: Option<LeafSearch>) -> Self {
        Self::with_tables(game, evaluator, search, false)
    }

    /// Keeps what minimax finds below one leaf for the next, until it is to
    /// [forget](Evaluator::forget): the leaves of a move have much in common, so that each is
    /// searched deeper. Answers then depend on the requests before, in their order, so this is for
    /// one search at a time. Endgames are remembered for longer, until a
    /// [new game](Evaluator::new_game). Otherwise as [`new`](SearchedLeaves::new).
    #[must_use]
    pub fn remembering(game: &G, evaluator: E, search: Option<LeafSearch>) -> Self {
        Self::with_tables(game, evaluator, search, true)
    }

    fn with_tables(game: &G, evaluator: E, search: Option<LeafSearch>, remembers: bool) -> Self {
        let search = search.filter(|search| search.nodes > 0 || search.solver_nodes > 0);
        let [table_mib, endgames_mib] = if remembers {
            [MOVE_TABLE_MIB, GAME_ENDGAMES_MIB]
        } else {
            [LEAF_TABLE_MIB, LEAF_ENDGAMES_MIB]
        };
        SearchedLeaves {
            evaluator,
            searcher: search.map(|search| Searcher {
                minimax: Minimax::new(game.clone(), table_mib),
                heuristic: game.heuristic(),
                endgames: (search.solver_nodes > 0)
                    .then(|| game.endgame_solver(endgames_mib))
                    .flatten(),
                limits: Limits::nodes(search.nodes),
                share: search.share,
                solver_nodes: search.solver_nodes,
                remembers,
                sufficient: Vec::new(),
            }),
            judged: Evaluations::new(),
            found: Vec::new(),
        }
    }
}

impl<G: Baseline + Solvable, E: Evaluator<G>> Evaluator<G> for SearchedLeaves<G, E> {
    fn evaluate(&mut self, game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
        let Some(searcher) = &mut self.searcher else {
            return self.evaluator.evaluate(game, requests, out);
        };
        self.found.clear();
        let found = requests
            .iter()
            .map(|request| searcher.search(game, request));
        self.found.extend(found);
        let open = requests.iter().zip(&self.found);
        let open: Vec<Request<'_, G>> = open
            .filter(|(_, found)| !matches!(found, Found::Proof(_)))
            .map(|(request, _)| *request)
            .collect();
        self.evaluator.evaluate(game, &open, &mut self.judged);
        out.clear();
        let mut n_judged = 0;
        for (request, found) in requests.iter().zip(&self.found) {
            if let Found::Proof(value) = *found {
                out.push_proven(request.legal.len(), value);
                continue;
            }
            let judged = self.judged.get(n_judged);
            n_judged += 1;
            let wdl = match *found {
                Found::LogOdds(log_odds) => weighed(judged.wdl, log_odds),
                _ => judged.wdl,
            };
            let priors = out.push(request.legal.len(), wdl, judged.points_lead);
            priors.copy_from_slice(judged.priors);
            searcher.keep_sufficient(game, request, priors);
            if let Found::Lost(best) = *found {
                for (prior, &action) in priors.iter_mut().zip(request.legal) {
                    *prior = (*prior + f32::from(u8::from(action == best))) / 2.0;
                }
            }
        }
    }

    fn forget(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.minimax.clear();
        }
        self.evaluator.forget();
    }

    fn new_game(&mut self) {
        let searcher = self.searcher.as_mut();
        if let Some(endgames) = searcher.and_then(|searcher| searcher.endgames.as_mut()) {
            endgames.clear();
        }
        self.evaluator.new_game();
    }
}

impl<G: Baseline> Searcher<G> {
    fn search(&mut self, game: &G, request: &Request<'_, G>) -> Found {
        let sign = game.player_to_move(request.state).sign();
        let mut proven = None;
        if let Some(endgames) = &mut self.endgames {
            if !self.remembers {
                endgames.clear();
            }
            proven = endgames.result(request.state, self.solver_nodes);
        }
        // What is proven of the root tells no move.
        if let Some(value) = proven.filter(|_| !request.is_root) {
            return Found::Proof(value * sign);
        }
        if self.limits.nodes == Some(0) {
            return Found::LogOdds(0.0);
        }
        if !self.remembers {
            self.minimax.clear();
        }
        let report = self.minimax.search(request.state, &self.limits);
        match proven.or(report.proven).map(|value| value * sign) {
            Some(-1) if request.is_root => Found::Lost(report.best),
            Some(value) if !request.is_root => Found::Proof(value),
            _ => {
                let score = f64::from(report.score) * f64::from(sign);
                let log_odds = G::Heuristic::LOG_ODDS_PER_UNIT * score;
                let log_odds = log_odds.clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
                Found::LogOdds(self.share * log_odds as f32)
            }
        }
    }

    /// Takes the priors of moves that need not be looked at, and shares them out among the others
    /// by theirs; equally, where they have none.
    fn keep_sufficient(&mut self, game: &G, request: &Request<'_, G>, priors: &mut [f32]) {
        let Request { state, legal, .. } = request;
        self.heuristic
            .sufficient_actions(game, state, &mut self.sufficient);
        if self.sufficient.len() == legal.len() {
            return;
        }
        let is_sufficient = |action: &ActionId| self.sufficient.binary_search(action).is_ok();
        for (prior, action) in priors.iter_mut().zip(*legal) {
            *prior *= f32::from(u8::from(is_sufficient(action)));
        }
        let total: f32 = priors.iter().sum();
        for (prior, action) in priors.iter_mut().zip(*legal) {
            *prior = if total > 0.0 {
                *prior / total
            } else {
                f32::from(u8::from(is_sufficient(action))) / self.sufficient.len() as f32
            };
        }
    }
}

/// The probabilities after so much evidence more for a win.
fn weighed(judged: Wdl, log_odds: f32) -> Wdl {
    let half = (log_odds / 2.0).exp();
    let (win, loss) = (judged.win * half, judged.loss / half);
    let decided = judged.win + judged.loss;
    let total = win + loss;
    if total > 0.0 {
        Wdl {
            win: decided * win / total,
            draw: judged.draw,
            loss: decided * loss / total,
        }
    } else {
        judged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::Game;
    use tablero_env::dots_and_boxes::DotsAndBoxes;
    use tablero_env::queens::{FullBoard, Queens, State};
    use tablero_env::random::stream;
    use tablero_env::xadrersi::Xadrersi;
    use tablero_mcts::{Batch, Search, SearchParams, Uniform, run};
    use tablero_minimax::{Solvable, Solver};

    type EvaluationOfXadrersi = <Xadrersi as Baseline>::Heuristic;

    /// An evaluator that is neither even nor certain: later actions have more of the priors.
    struct Skewed;

    impl<G: Game> Evaluator<G> for Skewed {
        fn evaluate(&mut self, _game: &G, requests: &[Request<'_, G>], out: &mut Evaluations) {
            out.clear();
            for request in requests {
                let wdl = Wdl {
                    win: 0.5,
                    draw: 0.25,
                    loss: 0.25,
                };
                let n = request.legal.len();
                let priors = out.push(n, wdl, None);
                for (at, prior) in priors.iter_mut().enumerate() {
                    *prior = 2.0 * (at + 1) as f32 / (n * (n + 1)) as f32;
                }
            }
        }
    }

    /// The unfinished positions of random games.
    fn random_states<G: Game>(game: &G, n_games: u64) -> Vec<G::State> {
        let mut states = Vec::new();
        for index in 0..n_games {
            let mut rng = stream(3, "leaves", index);
            let (mut state, mut buffer) = (game.initial(), Vec::new());
            while !game.is_over(&state) {
                states.push(state.clone());
                let action = game.sample_action(&state, &mut buffer, &mut rng);
                game.play_unchecked(&mut state, action);
            }
        }
        states
    }

    fn proofs(nodes: u64) -> Option<LeafSearch> {
        Some(LeafSearch {
            nodes,
            ..LeafSearch::default()
        })
    }

    /// Proven values are those of the exact solver; the rest is the evaluator's; and no answer
    /// depends on the others of its batch.
    #[test]
    fn what_is_proven_is_true_and_what_is_not_is_left_to_the_evaluator() {
        let game = Queens::new(8, FullBoard::default()).unwrap();
        let mut solver = game.solver().unwrap();
        let states = random_states(&game, 20);
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

    /// The score's log-odds are added by their share, and nothing else changes: without a share the
    /// evaluator is heard alone.
    #[test]
    fn the_share_of_the_log_odds_is_added() {
        let game = Xadrersi;
        let limits = Limits::nodes(50);
        let mut n_open = 0;
        for state in random_states(&game, 10) {
            let report = Minimax::new(game, LEAF_TABLE_MIB).search(&state, &limits);
            if report.proven.is_some() {
                continue;
            }
            n_open += 1;
            let score = f64::from(report.score * i32::from(game.player_to_move(&state).sign()));
            let expected = EvaluationOfXadrersi::LOG_ODDS_PER_UNIT * score;
            let expected = expected.clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
            let alone = Skewed.judge(&game, &[&state]).get(0).wdl;
            for share in [0.0, 0.5, 1.0] {
                let search = Some(LeafSearch {
                    nodes: 50,
                    share,
                    ..LeafSearch::default()
                });
                let mut evaluator = SearchedLeaves::new(&game, Skewed, search);
                let wdl = evaluator.judge(&game, &[&state]).get(0).wdl;
                assert_eq!(wdl.draw, alone.draw);
                assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6);
                let log_odds = |wdl: Wdl| f64::from(wdl.win / wdl.loss).ln();
                let added = log_odds(wdl) - log_odds(alone);
                assert!(
                    (added - f64::from(share) * expected).abs() < 1e-3 * (1.0 + expected.abs()),
                    "{added} by {share} of {expected}"
                );
            }
        }
        assert!(n_open > 100, "{n_open}");
    }

    #[test]
    fn evidence_that_is_certain_or_against_certainty_gives_probabilities() {
        for (win, loss) in [(0.7, 0.2), (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)] {
            let judged = Wdl {
                win,
                draw: 1.0 - win - loss,
                loss,
            };
            for log_odds in [-8.0, -3.0, 0.0, 3.0, 8.0] {
                let wdl = weighed(judged, log_odds);
                assert_eq!(wdl.draw, judged.draw);
                assert!((wdl.win + wdl.loss - win - loss).abs() < 1e-6, "{wdl:?}");
                assert!(wdl.win >= 0.0 && wdl.loss >= 0.0, "{wdl:?}");
            }
        }
    }

    /// Moves that minimax knows to be no better than others get no prior, and a search does not lose
    /// sight of the best result by that.
    #[test]
    fn moves_that_need_not_be_looked_at_get_no_prior() {
        let game = DotsAndBoxes::new(3, 3).unwrap();
        let mut solver = game.solver().unwrap();
        let mut n_taken = 0;
        let states = random_states(&game, 30).into_iter();
        for (index, state) in states.enumerate().filter(|(index, _)| index % 3 == 0) {
            let mut evaluator = SearchedLeaves::remembering(&game, Skewed, proofs(2));
            let judged = evaluator.judge(&game, &[&state]);
            let (answer, alone) = (judged.get(0), Skewed.judge(&game, &[&state]));
            assert!((answer.priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            if answer.proven.is_none() {
                let mut sufficient = Vec::new();
                let mut legal = Vec::new();
                game.legal_actions(&state, &mut legal);
                game.heuristic()
                    .sufficient_actions(&game, &state, &mut sufficient);
                n_taken += legal.len() - sufficient.len();
                let mut ratio = None;
                for (at, action) in legal.iter().enumerate() {
                    let (prior, before) = (answer.priors[at], alone.get(0).priors[at]);
                    if sufficient.contains(action) {
                        let now = prior / before;
                        assert!((now / *ratio.get_or_insert(now) - 1.0).abs() < 1e-4);
                    } else {
                        assert_eq!(prior, 0.0);
                    }
                }
            }
            let params = SearchParams::default();
            let moves = stream(5, "sufficient", index as u64);
            let mut searches = [Search::new(game.clone(), state.clone(), params, moves)];
            run(&mut searches, 200, &mut evaluator, &mut Batch::new());
            if let Some(value) = searches[0].root_proven() {
                let solution = solver.solve(&state);
                assert_eq!(value * game.player_to_move(&state).sign(), solution.value);
            }
        }
        assert!(n_taken > 100, "{n_taken}");
    }

    /// The solver of endgames proves more than minimax, with it and by itself, and all of it is true.
    #[test]
    fn endgames_are_proven_by_their_solver() {
        let game = DotsAndBoxes::new(3, 3).unwrap();
        let mut solver = game.solver().unwrap();
        let states = random_states(&game, 20);
        let borrowed: Vec<_> = states.iter().collect();
        let n_proven = [(3, 0), (3, 60), (0, 60)].map(|(nodes, solver_nodes)| {
            let search = LeafSearch {
                nodes,
                share: 0.0,
                solver_nodes,
            };
            let mut evaluator = SearchedLeaves::new(&game, Skewed, Some(search));
            let together = evaluator.judge(&game, &borrowed);
            let mut n = 0;
            for (index, &state) in borrowed.iter().enumerate() {
                let answer = together.get(index);
                assert_eq!(evaluator.judge(&game, &[state]).get(0), answer);
                if let Some(value) = answer.proven {
                    let value = value * game.player_to_move(state).sign();
                    assert_eq!(value, solver.solve(state).value);
                    n += 1;
                }
            }
            n
        });
        let [without, with, alone] = n_proven;
        assert!(without < alone && alone <= with, "{n_proven:?}");
    }

    /// Where all is lost a search that begins there plays as minimax would, and a proof takes no search its
    /// knowledge of the root.
    #[test]
    fn a_lost_position_is_played_as_by_minimax() {
        let game = DotsAndBoxes::new(3, 3).unwrap();
        let search = LeafSearch {
            nodes: 50,
            share: 0.5,
            solver_nodes: 1000,
        };
        let (mut n_lost, mut n_not_first) = (0, 0);
        for (index, state) in random_states(&game, 20).into_iter().enumerate() {
            let mut evaluator = SearchedLeaves::remembering(&game, Uniform, Some(search));
            let is_lost = evaluator.judge(&game, &[&state]).get(0).proven == Some(-1);
            evaluator.forget();
            evaluator.new_game();
            let moves = stream(5, "lost", index as u64);
            let params = SearchParams::default();
            let mut searches = [Search::new(game.clone(), state.clone(), params, moves)];
            run(&mut searches, 100, &mut evaluator, &mut Batch::new());
            if is_lost && searches[0].root_proven() == Some(-1) {
                let limits = Limits::nodes(50);
                let report = Minimax::new(game.clone(), MOVE_TABLE_MIB).search(&state, &limits);
                assert_eq!(searches[0].best(), report.best);
                let mut legal = Vec::new();
                game.legal_actions(&state, &mut legal);
                n_lost += 1;
                n_not_first += u32::from(report.best != legal[0]);
            }
        }
        assert!(n_lost > 20 && n_not_first > 10, "{n_lost} {n_not_first}");
    }

    /// Endgames are remembered beyond a move, but not beyond a game.
    #[test]
    fn a_new_game_knows_no_endgame_of_the_last() {
        let game = DotsAndBoxes::new(5, 5).unwrap();
        let search = LeafSearch {
            nodes: 1,
            share: 0.0,
            solver_nodes: 30,
        };
        let states: Vec<_> = random_states(&game, 20)
            .into_iter()
            .filter(|state| game.undrawn(state).len() == 32)
            .collect();
        let n_proven = |evaluator: &mut SearchedLeaves<DotsAndBoxes, Uniform>| {
            let mut n = 0;
            for state in &states {
                evaluator.forget();
                n += usize::from(evaluator.judge(&game, &[state]).get(0).proven.is_some());
            }
            n
        };
        let mut evaluator = SearchedLeaves::remembering(&game, Uniform, Some(search));
        let first = n_proven(&mut evaluator);
        let known = (0..20).map(|_| n_proven(&mut evaluator)).max();
        assert!(known > Some(first), "{first} {known:?}");
        evaluator.new_game();
        assert_eq!(n_proven(&mut evaluator), first);
    }

    /// What is remembered makes searches deeper, and is gone when it is to be forgotten.
    #[test]
    fn one_leaf_helps_the_next_until_all_is_forgotten() {
        let game = DotsAndBoxes::new(3, 3).unwrap();
        let states = random_states(&game, 20);
        let n_proven = |evaluator: &mut SearchedLeaves<DotsAndBoxes, Uniform>| {
            let mut n = 0;
            for state in states.iter().rev() {
                n += usize::from(evaluator.judge(&game, &[state]).get(0).proven.is_some());
            }
            n
        };
        let mut alone = SearchedLeaves::new(&game, Uniform, proofs(50));
        let on_its_own = n_proven(&mut alone);
        assert_eq!(n_proven(&mut alone), on_its_own);
        let mut remembering = SearchedLeaves::remembering(&game, Uniform, proofs(50));
        let together = n_proven(&mut remembering);
        assert!(together > on_its_own, "{together} {on_its_own}");
        remembering.forget();
        assert_eq!(n_proven(&mut remembering), together);
    }
}

//! The moves that a tree search likes, looked at once more by minimax before one of them is played.

use crate::leaf_search::{SharedMinimax, log_odds_of};
use serde::{Deserialize, Serialize};
use tablero_env::{ActionId, Game};
use tablero_mcts::{RootEdge, Search};
use tablero_minimax::{Baseline, Limits};

/// A move is looked at if it has this share of the visits of the most visited one.
const LEAST_VISITS: f32 = 0.15;

/// What the logarithm of a move's share of the visits counts beside the log-odds: the mean of few visits is
/// unsure, and moves have few where the search saw better ones.
const VISITS_WEIGHT: f64 = 0.3;

/// What the mean return of a move is kept away from a certain result by.
const LEAST_DOUBT: f32 = 1e-4;

/// A minimax search of the moves that the tree search likes, those with at least 15 % as many visits as
/// the most visited one. A tree of few simulations sees widely, minimax of many nodes far along forced lines.
/// Of these moves the one is played with the greatest `ln(w / (1 - w)) + s x + 0.3 ln(v)`: w is the tree's
/// mean, as a chance to win of which a draw is half; x are the log-odds of minimax's score and s the share of
/// them; v are the visits over those of the most visited move. What each term is worth is measured in
/// `docs/experiments.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RootSearch {
    /// Nodes in all, of which each of these moves gets the same share; at least 1.
    pub nodes: u64,
    /// The share, 0..=1, of the log-odds of minimax's score that is added to those of the tree search's mean
    /// return. With 0, the default, minimax takes part by what it proves alone; the means and visits of the
    /// tree search decide otherwise, which need not be its most visited move.
    #[serde(default)]
    pub share: f32,
}

/// What minimax says of a move, seen by the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Opinion {
    pub action: ActionId,
    /// As in [`RootEdge::visits`].
    visits: u32,
    /// The result of the game after it.
    pub proven: Option<i8>,
    /// Its score, in the game's own units, where nothing is proven.
    pub score: Option<i32>,
    /// What speaks for it by both searches together, as log-odds; infinite for a proven win or loss.
    weight: f64,
}

/// Looks at the moves of finished tree searches.
pub(crate) struct RootSearcher<G: Baseline> {
    game: G,
    minimax: SharedMinimax<G>,
    config: RootSearch,
}

impl<G: Baseline> RootSearcher<G> {
    pub(crate) fn new(game: &G, config: RootSearch) -> Self {
        RootSearcher {
            game: game.clone(),
            minimax: SharedMinimax::new(game),
            config,
        }
    }

    /// The one that it asks. What others find by it before, below the leaves of the tree, is known to it.
    pub(crate) fn minimax(&self) -> &SharedMinimax<G> {
        &self.minimax
    }

    /// Forgets all that was searched: nothing of the last game may sway a new one.
    pub(crate) fn new_game(&mut self) {
        self.minimax.get().clear();
    }

    /// What there is to say of the moves that the search likes, in ascending order of actions; nothing
    /// where the result is proven or there are not two such moves. What was searched for earlier moves of the
    /// game is remembered, so that these are searched deeper.
    pub(crate) fn look(&mut self, search: &Search<G>) -> Vec<Opinion> {
        let mut moves = search.root_edges();
        let most = moves.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let least = (LEAST_VISITS * most as f32).max(1.0);
        moves.retain(|edge| edge.visits as f32 >= least && edge.proven != Some(-1));
        if moves.len() < 2 || search.root_proven().is_some() {
            return Vec::new();
        }
        let limits = Limits::nodes((self.config.nodes / moves.len() as u64).max(1));
        let opinion = |edge: RootEdge| {
            let visits = f64::from(edge.visits) / f64::from(most);
            self.opinion(search, &edge, visits, &limits)
        };
        moves.into_iter().map(opinion).collect()
    }

    /// `visits` over those of the most visited move.
    fn opinion(
        &mut self,
        search: &Search<G>,
        edge: &RootEdge,
        visits: f64,
        limits: &Limits,
    ) -> Opinion {
        let mover = search.player_to_move();
        let mut after = search.state().clone();
        self.game.play_unchecked(&mut after, edge.action);
        let mut score = None;
        let proven = match self.game.outcome(&after) {
            Some(outcome) => Some(outcome.return_for(mover)),
            None => {
                let report = self.minimax.get().search(&after, limits);
                score = Some(report.score * i32::from(mover.sign()));
                report.proven.map(|value| value * mover.sign())
            }
        };
        let log_odds = match (proven, score) {
            (Some(value), _) if value != 0 => f64::INFINITY * f64::from(value),
            (None, Some(score)) => {
                let win = (1.0 + edge.value.unwrap_or(-1.0)) / 2.0;
                let win = f64::from(win.clamp(LEAST_DOUBT, 1.0 - LEAST_DOUBT));
                (win / (1.0 - win)).ln() + f64::from(self.config.share) * log_odds_of::<G>(score)
            }
            // A draw.
            _ => 0.0,
        };
        Opinion {
            action: edge.action,
            visits: edge.visits,
            proven,
            score: score.filter(|_| proven.is_none()),
            weight: log_odds + VISITS_WEIGHT * visits.ln(),
        }
    }
}

/// The action to play: that of the best opinion, the one that the search recommends most among equals; and
/// [`Search::best`] where there is none, or all are proven to lose.
///
/// # Panics
/// If the game is over.
pub(crate) fn best_action<G: Game>(search: &Search<G>, opinions: &[Opinion]) -> ActionId {
    let best = opinions.iter().max_by(|a, b| {
        let by_weight = a.weight.total_cmp(&b.weight);
        by_weight.then(a.visits.cmp(&b.visits))
    });
    match best {
        Some(best) if best.proven != Some(-1) => best.action,
        _ => search.best(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::random::stream;
    use tablero_env::{AnyGame, BoardGame, with_game};
    use tablero_mcts::{Batch, SearchParams, Uniform, run};
    use tablero_minimax::{Solvable, Solver};

    /// Unfinished positions of random games, with searches that know nothing but the rules.
    fn searches<G: BoardGame>(game: &G, n_games: u64, n_sims: u32) -> Vec<Search<G>> {
        let mut searches = Vec::new();
        for index in 0..n_games {
            let mut rng = stream(6, "root search", index);
            let mut state = game.initial();
            for _ in 0..30 {
                let (params, tree) = (SearchParams::default(), stream(7, "root search", index));
                let mut search = Search::new(game.clone(), state.clone(), params, tree);
                let one = std::slice::from_mut(&mut search);
                run(one, n_sims, &mut Uniform, &mut Batch::new());
                searches.push(search);
                let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
                game.play_unchecked(&mut state, action);
                if game.is_over(&state) {
                    break;
                }
            }
        }
        searches
    }

    fn searcher<G: Baseline>(game: &G, nodes: u64, share: f32) -> RootSearcher<G> {
        RootSearcher::new(game, RootSearch { nodes, share })
    }

    /// With nodes enough for the whole game the best of the moves that were looked at is played, by the
    /// exact solver.
    fn plays_the_best_of_the_moves_looked_at<G: BoardGame + Baseline + Solvable>(game: &G) {
        let mut solver = game.solver().unwrap();
        let mut searcher = searcher(game, 1_000_000, 0.0);
        let mut n_changed = 0;
        for search in searches(game, 20, 40) {
            let opinions = searcher.look(&search);
            let action = best_action(&search, &opinions);
            n_changed += u32::from(action != search.best());
            let sign = search.player_to_move().sign();
            let values = solver.action_values(search.state());
            let value = |action| {
                let found = values.iter().find(|value| value.action == action);
                found.unwrap().value * sign
            };
            for opinion in &opinions {
                assert_eq!(opinion.proven, Some(value(opinion.action)));
                assert!(value(opinion.action) <= value(action));
            }
        }
        assert!(n_changed > 5, "{n_changed}");
    }

    #[test]
    fn no_move_is_played_that_is_proven_worse_than_another() {
        for spec in ["queens:6", "paper-soccer:4x4", "dots-and-boxes:2x2"] {
            let any = AnyGame::parse(spec).unwrap();
            with_game!(&any, game => plays_the_best_of_the_moves_looked_at(game));
        }
    }

    /// By the formula in the documentation of [`RootSearch`].
    #[test]
    fn an_opinion_adds_the_log_odds_of_both_searches() {
        let any = AnyGame::parse("paper-soccer:8x10").unwrap();
        with_game!(&any, game => {
            let mut n_open = 0;
            for search in searches(game, 2, 60) {
                let edges = search.root_edges();
                let most = edges.iter().map(|edge| edge.visits).max().unwrap();
                let [none, half] = [0.0, 0.5].map(|share| searcher(game, 300, share).look(&search));
                for (none, half) in none.iter().zip(&half) {
                    assert_eq!((none.action, none.score), (half.action, half.score));
                    let Some(score) = none.score else {
                        assert_eq!(none.proven, half.proven);
                        continue;
                    };
                    let edge = edges.iter().find(|edge| edge.action == none.action).unwrap();
                    let value = f64::from(edge.value.unwrap());
                    let odds = (1.0 + value) / (1.0 - value);
                    let by_visits = 0.3 * (f64::from(edge.visits) / f64::from(most)).ln();
                    assert!(((none.weight - by_visits).exp() / odds - 1.0).abs() < 1e-3);
                    let added = half.weight - none.weight;
                    assert!((added - 0.5 * log_odds_of_a(game, score)).abs() < 1e-9);
                    n_open += 1;
                }
                let n_liked = edges
                    .iter()
                    .filter(|edge| edge.visits as f32 >= 0.15 * most as f32)
                    .filter(|edge| edge.proven != Some(-1))
                    .count();
                let is_open = n_liked > 1 && search.root_proven().is_none();
                assert_eq!(none.len(), if is_open { n_liked } else { 0 });
            }
            assert!(n_open > 50, "{n_open}");
        });
    }

    fn log_odds_of_a<G: Baseline>(_: &G, score: i32) -> f64 {
        log_odds_of::<G>(score)
    }

    #[test]
    fn opinions_of_a_game_depend_on_no_other() {
        for spec in [
            "dots-and-boxes:3x3",
            "queens:8",
            "paper-soccer:8x10",
            "xadrersi",
            "hive:base",
        ] {
            let any = AnyGame::parse(spec).unwrap();
            with_game!(&any, game => {
                let mut used = searcher(game, 600, 0.5);
                let mut n_opinions = 0;
                let mut look = |searcher: &mut RootSearcher<_>, search| {
                    let opinions = searcher.look(search);
                    n_opinions += opinions.len();
                    let action = best_action(search, &opinions);
                    assert!(game.is_legal(search.state(), action), "{spec}");
                    opinions
                };
                let games = searches(game, 2, 20);
                for of_a_game in games.chunks(30) {
                    used.new_game();
                    let mut fresh = searcher(game, 600, 0.5);
                    for search in of_a_game {
                        assert_eq!(look(&mut used, search), look(&mut fresh, search));
                    }
                }
                assert!(n_opinions > 0, "{spec}");
            });
        }
    }
}

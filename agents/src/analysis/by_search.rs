//! Analysis by tree search.

use super::{Analysis, MoveAnalysis, News, final_lead, unknown, unknown_move};
use crate::informed::Informed;
use crate::search::run_for;
use std::cmp::Ordering;
use std::time::Duration;
use tablero_env::random::stream;
use tablero_env::{BoardGame, ForMover};
use tablero_mcts::{Batch, Evaluator, Search, Wdl};
use tablero_models::SearchConfig;

pub(super) fn by_search<G: BoardGame, E: Evaluator<G>>(
    game: &G,
    state: &G::State,
    config: &SearchConfig,
    allowed: Option<Duration>,
    evaluator: &mut Informed<G, E>,
    seed: u64,
    news: &mut News<'_, impl FnMut(Analysis)>,
) -> Analysis {
    let tree = stream(seed, "analysis", 0);
    let mut search = Search::new(game.clone(), state.clone(), config.tree.clone(), tree);
    // One simulation evaluates the root: without it there are no priors to show.
    run_for(
        &mut search,
        config.sims.max(1),
        allowed,
        evaluator,
        &mut Batch::new(),
        &mut |search| {
            news.offer(|| of_search(game, state, search));
            !news.cancel.is_cancelled()
        },
    );
    of_search(game, state, &search)
}

/// The analysis of a tree's root.
pub(super) fn of_search<G: BoardGame>(game: &G, state: &G::State, search: &Search<G>) -> Analysis {
    let best = search.best();
    let wdl = search.root_wdl();
    let Wdl { win, draw, loss } = wdl.0;
    let mut analysis = unknown(game, state, best);
    analysis.wdl = Some(ForMover([win, draw, loss]));
    analysis.value = Some(ForMover(win - loss));
    analysis.proven = search.root_proven();
    analysis.nodes = u64::from(search.root_visits());
    let mut line = search.variation(best);
    if line.is_empty() {
        // An action that the search did not try.
        line.push(best);
    }
    analysis.line = game.line_texts(state, &line);
    let edges = search.root_edges().into_iter();
    analysis.moves = edges
        .map(|edge| MoveAnalysis {
            visits: Some(edge.visits),
            prior: Some(edge.raw_prior),
            // What is proven without a visit has the value of its proof.
            value: edge
                .value
                .or(edge.proven().map(|proven| ForMover(f32::from(proven.0)))),
            proven: edge.proven(),
            line: if edge.action == best {
                analysis.line.clone()
            } else {
                game.line_texts(state, &search.variation(edge.action))
            },
            ..unknown_move(game, state, edge.action)
        })
        .collect();
    analysis.moves.sort_by(|a, b| {
        let by_prior = b.prior.partial_cmp(&a.prior).unwrap_or(Ordering::Equal);
        (b.action == best)
            .cmp(&(a.action == best))
            .then(b.visits.cmp(&a.visits))
            .then(by_prior)
    });
    analysis
}

/// Fills in the final leads that a network expects, here and after every move.
pub(super) fn expect_leads<G: BoardGame>(
    game: &G,
    state: &G::State,
    evaluator: &mut impl Evaluator<G>,
    analysis: &mut Analysis,
) {
    let mover = game.player_to_move(state);
    let mut lead_of = |state: &G::State| {
        if game.is_over(state) {
            return final_lead(game, state, mover);
        }
        let lead = evaluator
            .evaluate_states(game, &[state])
            .get(0)
            .points_lead?;
        let lead = lead.for_first(game.player_to_move(state));
        Some(lead.for_mover(mover))
    };
    analysis.lead = lead_of(state);
    for mv in &mut analysis.moves {
        let mut next = state.clone();
        game.play_unchecked(&mut next, mv.action);
        mv.lead = lead_of(&next);
    }
}

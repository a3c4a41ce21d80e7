//! Analysis by minimax: every action, one depth after the other.

use super::{Analysis, MoveAnalysis, News, as_value, unknown, unknown_move};
use std::cmp::Reverse;
use std::time::Instant;
use tablero_env::{ActionId, BoardGame};
use tablero_minimax::{Limits, MAX_EVALUATION, Minimax, Playable};

/// Deeper and deeper, every action to the same depth before any is searched deeper.
pub(super) fn by_minimax<G: Playable>(
    game: &G,
    state: &G::State,
    minimax: &mut Minimax<G>,
    limits: &Limits,
    news: &mut News<'_, impl FnMut(Analysis)>,
) -> Analysis {
    minimax.clear();
    let start = Instant::now();
    let mut n_nodes = 0;
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mut moves: Vec<MoveAnalysis> = Vec::new();
    let deepest = limits.depth.unwrap_or(u32::MAX).max(2);
    let mut reached = 1;
    'deeper: while reached < deepest {
        let mut deeper = Vec::with_capacity(legal.len());
        for &action in &legal {
            let left = Limits {
                depth: Some(reached),
                time: limits.time.map(|time| time.saturating_sub(start.elapsed())),
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(n_nodes)),
            };
            let (searched, is_done) =
                search_move(game, state, action, minimax, &left, &mut n_nodes);
            if (!is_done || news.cancel.is_cancelled()) && !moves.is_empty() {
                break 'deeper;
            }
            deeper.push(searched);
        }
        moves = deeper;
        reached += 1;
        if news.cancel.is_cancelled() || moves.iter().all(|mv| mv.proven.is_some()) {
            break;
        }
        news.offer(|| of_minimax(game, state, moves.clone(), reached, n_nodes));
    }
    of_minimax(game, state, moves, reached, n_nodes)
}

/// The analysis of a position, from those of its actions.
fn of_minimax<G: BoardGame>(
    game: &G,
    state: &G::State,
    mut moves: Vec<MoveAnalysis>,
    reached: u32,
    n_nodes: u64,
) -> Analysis {
    // The scores of decided games tell nothing more than the proofs.
    let rank = |mv: &MoveAnalysis| (mv.proven.unwrap_or_default(), mv.score.unwrap_or_default());
    moves.sort_by_key(|mv| Reverse(rank(mv)));
    let best = &moves[0];
    let mut analysis = unknown(game, state, best.action);
    let all_proven = moves.iter().all(|mv| mv.proven.is_some());
    analysis.proven = best.proven.filter(|value| value.0 == 1 || all_proven);
    analysis.value = analysis.proven.map(as_value);
    analysis.score = best.score;
    analysis.depth = Some(reached);
    analysis.nodes = n_nodes;
    analysis.line.clone_from(&best.line);
    analysis.moves = moves;
    analysis
}

/// Minimax's analysis of an action, and whether it could search as deep as the limits allow.
fn search_move<G: Playable>(
    game: &G,
    state: &G::State,
    action: ActionId,
    minimax: &mut Minimax<G>,
    limits: &Limits,
    n_nodes: &mut u64,
) -> (MoveAnalysis, bool) {
    let mover = game.player_to_move(state);
    let mut next = state.clone();
    game.play_unchecked(&mut next, action);
    let mut found = unknown_move(game, state, action);
    let mut line = vec![action];
    let mut is_done = true;
    if let Some(outcome) = game.outcome(&next) {
        found.proven = Some(outcome.value().for_mover(mover));
    } else {
        let report = minimax.search(&next, limits);
        *n_nodes += report.nodes;
        is_done = report.proven.is_some() || Some(report.depth) >= limits.depth;
        found.proven = report.proven.map(|value| value.for_mover(mover));
        found.score =
            (report.score.0.abs() <= MAX_EVALUATION).then(|| report.score.for_mover(mover));
        line.extend(report.pv);
    }
    found.value = found.proven.map(as_value);
    found.line = game.line_texts(state, &line);
    (found, is_done)
}

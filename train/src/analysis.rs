//! What a player thinks of a position: every legal move with its value and line.

use crate::players::{LoadedPlayer, PlayerError, PlayerSpec, TABLE_MIB};
use serde::Serialize;
use std::cmp::Reverse;
use std::num::NonZeroU32;
use std::sync::Arc;
use tablero_env::random::stream;
use tablero_env::{ActionId, BoardGame, Player};
use tablero_mcts::{
    Batch, Evaluations, Evaluator, Request, Rollout, Search, SearchParams, Wdl, run,
};
use tablero_minimax::{Baseline, Limits, Minimax, Solvable, SolveError, Solver};
use tablero_models::{LeafEvaluator, LeafNetwork};

/// What a player thinks of a position. All values, scores and leads are seen by the player to
/// move; what a player does not know is `None` (`null` in JSON).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The player to move, 0 or 1.
    pub player: usize,
    /// Who was asked, as text.
    pub by: String,
    /// The best action.
    pub action: ActionId,
    /// Its text.
    pub text: String,
    /// The probabilities of a win, a draw and a loss, by tree search.
    pub wdl: Option<[f32; 3]>,
    /// The expected return, -1 to 1, by tree search, or the exact one where it is proven.
    pub value: Option<f32>,
    /// The exact return under best play, +1, 0 or -1, where it is proven.
    pub proven: Option<i8>,
    /// Minimax's score: an evaluation in the game's own units, or of a decided game.
    pub score: Option<i32>,
    /// The final lead in points, in games with points: exact by the solver, expected by a policy.
    pub lead: Option<f32>,
    /// The depth reached by minimax, in turns.
    pub depth: Option<u32>,
    /// The effort: visits of the root, or nodes of minimax or the solver.
    pub nodes: u64,
    /// The principal variation.
    pub line: Vec<String>,
    /// Every legal action, the best first.
    pub moves: Vec<MoveAnalysis>,
}

/// One legal action of an [`Analysis`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveAnalysis {
    /// The action.
    pub action: ActionId,
    /// Its text.
    pub text: String,
    /// The simulations that began with it.
    pub visits: Option<u32>,
    /// The evaluator's prior probability, 0 to 1.
    pub prior: Option<f32>,
    /// As in [`Analysis::value`].
    pub value: Option<f32>,
    /// As in [`Analysis::proven`].
    pub proven: Option<i8>,
    /// As in [`Analysis::score`].
    pub score: Option<i32>,
    /// As in [`Analysis::lead`].
    pub lead: Option<f32>,
    /// The line that begins with it.
    pub line: Vec<String>,
}

/// Someone who analyses positions of one game.
pub struct Analyst<G: BoardGame + Baseline + Solvable> {
    game: G,
    by: String,
    method: Method<G>,
}

enum Method<G: BoardGame + Baseline + Solvable> {
    Rollouts {
        sims: u32,
    },
    Policy {
        sims: u32,
        network: Arc<LeafNetwork>,
    },
    Minimax {
        minimax: Box<Minimax<G>>,
        limits: Limits,
    },
    Solver(G::Solver),
}

impl LoadedPlayer {
    /// The player as an analyst.
    ///
    /// # Errors
    /// If the player gives moves without reasons: `random` and `uhp`.
    pub fn analyst<G: BoardGame + Baseline + Solvable>(
        &self,
        game: &G,
    ) -> Result<Analyst<G>, PlayerError> {
        let minimax = |limits, threads: u32| Method::Minimax {
            minimax: Box::new(Minimax::new(game.clone(), TABLE_MIB).with_threads(threads as usize)),
            limits,
        };
        let method = match self.spec() {
            PlayerSpec::Random | PlayerSpec::Uhp { .. } => {
                return Err(PlayerError::NoAnalyst {
                    player: self.spec().to_string(),
                });
            }
            PlayerSpec::Greedy => minimax(Limits::depth(1), 1),
            &PlayerSpec::Minimax { limits, threads } => minimax(limits, threads),
            PlayerSpec::Level(level) => minimax(level.limits, 1),
            &PlayerSpec::Mcts { sims } => Method::Rollouts { sims },
            &PlayerSpec::Policy { sims, .. } => Method::Policy {
                sims,
                network: Arc::clone(self.network()),
            },
            PlayerSpec::Solver => Method::Solver(game.solver()?),
        };
        Ok(Analyst {
            game: game.clone(),
            by: self.spec().to_string(),
            method,
        })
    }
}

impl<G: BoardGame + Baseline + Solvable> Analyst<G> {
    /// Analyses a position; `seed` fixes the randomness of tree search, and nothing of an earlier
    /// analysis changes the answer (the solver's effort aside, which remembers).
    ///
    /// Minimax searches the position within its limits, and then the position after each other
    /// action, no deeper than that, within equal shares of as much time and as many nodes again.
    ///
    /// # Errors
    /// If the position is beyond the solver.
    ///
    /// # Panics
    /// If the game is over.
    pub fn analyse(&mut self, state: &G::State, seed: u64) -> Result<Analysis, SolveError> {
        let game = &self.game;
        let mut analysis = match &mut self.method {
            Method::Rollouts { sims } => {
                let rollout = &mut Rollout::new(NonZeroU32::MIN);
                by_search(game, state, *sims, rollout, seed)
            }
            Method::Policy { sims, network } => {
                let evaluator = &mut LeafEvaluator::new(Arc::clone(network));
                let mut analysis = by_search(game, state, *sims, evaluator, seed);
                expect_leads(game, state, evaluator, &mut analysis);
                analysis
            }
            Method::Minimax { minimax, limits } => by_minimax(game, state, minimax, limits),
            Method::Solver(solver) => by_solver(game, state, solver)?,
        };
        analysis.by.clone_from(&self.by);
        Ok(analysis)
    }
}

/// An analysis in which only the moves are known.
fn unknown<G: BoardGame>(game: &G, state: &G::State, best: ActionId) -> Analysis {
    Analysis {
        player: game.player_to_move(state).index(),
        by: String::new(),
        action: best,
        text: game.action_text(state, best),
        wdl: None,
        value: None,
        proven: None,
        score: None,
        lead: None,
        depth: None,
        nodes: 0,
        line: Vec::new(),
        moves: Vec::new(),
    }
}

fn unknown_move<G: BoardGame>(game: &G, state: &G::State, action: ActionId) -> MoveAnalysis {
    MoveAnalysis {
        action,
        text: game.action_text(state, action),
        visits: None,
        prior: None,
        value: None,
        proven: None,
        score: None,
        lead: None,
        line: Vec::new(),
    }
}

fn by_search<G: BoardGame>(
    game: &G,
    state: &G::State,
    sims: u32,
    evaluator: &mut impl Evaluator<G>,
    seed: u64,
) -> Analysis {
    let mut search = Search::new(
        game.clone(),
        state.clone(),
        SearchParams::default(),
        stream(seed, "analysis", 0),
    );
    // One simulation evaluates the root: without it there are no priors to show.
    let searches = std::slice::from_mut(&mut search);
    run(searches, sims.max(1), evaluator, &mut Batch::new());
    let best = search.best();
    let Wdl { win, draw, loss } = search.root_wdl();
    let mut analysis = unknown(game, state, best);
    analysis.wdl = Some([win, draw, loss]);
    analysis.value = Some(win - loss);
    analysis.proven = search.root_proven();
    analysis.nodes = u64::from(search.root_visits());
    analysis.line = texts(game, state, &search.principal_variation());
    let edges = search.root_edges().into_iter();
    analysis.moves = edges
        .map(|edge| MoveAnalysis {
            visits: Some(edge.visits),
            prior: Some(edge.raw_prior),
            value: edge.value,
            proven: edge.proven,
            line: texts(game, state, &search.variation(edge.action)),
            ..unknown_move(game, state, edge.action)
        })
        .collect();
    analysis.moves.sort_by(|a, b| {
        let first = |edge: &MoveAnalysis| (edge.action == best, edge.visits);
        let by_prior = b.prior.partial_cmp(&a.prior);
        first(b)
            .cmp(&first(a))
            .then(by_prior.unwrap_or(std::cmp::Ordering::Equal))
    });
    analysis
}

/// Fills in the final leads that a network expects, here and after every move.
fn expect_leads<G: BoardGame>(
    game: &G,
    state: &G::State,
    evaluator: &mut LeafEvaluator,
    analysis: &mut Analysis,
) {
    let mover = game.player_to_move(state);
    let mut evaluations = Evaluations::new();
    let mut legal = Vec::new();
    let mut lead_of = |state: &G::State| {
        if game.is_over(state) {
            return final_lead(game, state, mover);
        }
        legal.clear();
        game.legal_actions(state, &mut legal);
        let request = Request {
            state,
            legal: &legal,
            nonce: 0,
        };
        evaluations.clear();
        evaluator.evaluate(game, &[request], &mut evaluations);
        let lead = evaluations.get(0).points_lead?;
        let is_mover = game.player_to_move(state) == mover;
        Some(if is_mover { lead } else { -lead })
    };
    analysis.lead = lead_of(state);
    for a_move in &mut analysis.moves {
        let mut next = state.clone();
        game.play_unchecked(&mut next, a_move.action);
        a_move.lead = lead_of(&next);
    }
}

fn by_minimax<G: BoardGame + Baseline>(
    game: &G,
    state: &G::State,
    minimax: &mut Minimax<G>,
    limits: &Limits,
) -> Analysis {
    let mover = game.player_to_move(state);
    let sign = mover.sign();
    minimax.clear();
    let report = minimax.search(state, limits);
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let n_legal = legal.len() as u32;
    // After the action as deep as the search of the position itself went.
    let share = |is_same_turn: bool| Limits {
        depth: Some(report.depth.saturating_sub(u32::from(!is_same_turn))),
        time: limits.time.map(|time| time / n_legal),
        nodes: limits.nodes.map(|nodes| nodes.div_ceil(n_legal.into())),
    };
    let mut analysis = unknown(game, state, report.best);
    analysis.proven = report.proven.map(|value| value * sign);
    analysis.value = analysis.proven.map(f32::from);
    analysis.score = Some(report.score * i32::from(sign));
    analysis.depth = Some(report.depth);
    analysis.nodes = report.nodes;
    analysis.line = texts(game, state, &report.pv);
    for action in legal {
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        let mut line = vec![action];
        let (score, proven) = if action == report.best {
            line.clone_from(&report.pv);
            (Some(report.score), report.proven)
        } else if let Some(outcome) = game.outcome(&next) {
            (None, Some(outcome.return_for(Player::First)))
        } else {
            let share = share(game.player_to_move(&next) == mover);
            let report = minimax.search(&next, &share);
            analysis.nodes += report.nodes;
            line.extend(report.pv);
            (Some(report.score), report.proven)
        };
        let proven = proven.map(|value| value * sign);
        analysis.moves.push(MoveAnalysis {
            value: proven.map(f32::from),
            proven,
            score: score.map(|score| score * i32::from(sign)),
            line: texts(game, state, &line),
            ..unknown_move(game, state, action)
        });
    }
    let best = analysis.action;
    analysis.moves.sort_by_key(|a_move| {
        let value = a_move.proven.unwrap_or(0);
        Reverse((a_move.action == best, value, a_move.score))
    });
    analysis
}

fn by_solver<G: BoardGame + Solvable>(
    game: &G,
    state: &G::State,
    solver: &mut G::Solver,
) -> Result<Analysis, SolveError> {
    solver.check(state)?;
    let mover = game.player_to_move(state);
    let lead = |points: Option<[i32; 2]>| {
        points.map(|points| (points[mover.index()] - points[mover.opponent().index()]) as f32)
    };
    let solution = solver.solve(state);
    let mut analysis = unknown(game, state, solution.best[0]);
    analysis.proven = Some(solution.value * mover.sign());
    analysis.value = analysis.proven.map(f32::from);
    analysis.lead = lead(solution.points);
    for value in solver.action_values(state) {
        let mut line = vec![value.action];
        let mut next = state.clone();
        game.play_unchecked(&mut next, value.action);
        while !game.is_over(&next) {
            let best = solver.solve(&next).best[0];
            line.push(best);
            game.play_unchecked(&mut next, best);
        }
        let proven = value.value * mover.sign();
        analysis.moves.push(MoveAnalysis {
            value: Some(proven.into()),
            proven: Some(proven),
            lead: lead(value.points),
            line: texts(game, state, &line),
            ..unknown_move(game, state, value.action)
        });
    }
    analysis.nodes = solver.nodes();
    let best = analysis.action;
    let key = |a_move: &MoveAnalysis| {
        let lead = a_move.lead.map(|lead| lead as i32);
        Reverse((a_move.action == best, a_move.proven, lead))
    };
    analysis.moves.sort_by_key(key);
    analysis.line.clone_from(&analysis.moves[0].line);
    Ok(analysis)
}

/// The lead of a player at the end of the game, in games with points.
fn final_lead<G: BoardGame>(game: &G, state: &G::State, player: Player) -> Option<f32> {
    let points = game.points(state)?;
    Some((points[player.index()] - points[player.opponent().index()]) as f32)
}

/// The texts of a line that begins in `state`.
fn texts<G: BoardGame>(game: &G, state: &G::State, line: &[ActionId]) -> Vec<String> {
    let mut state = state.clone();
    line.iter()
        .map(|&action| {
            let text = game.action_text(&state, action);
            game.play_unchecked(&mut state, action);
            text
        })
        .collect()
}

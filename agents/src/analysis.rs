//! How a player rates a position: every legal move with its value and line.

use crate::budget::{Limit, Watch};
use crate::cancel::Cancel;
use crate::informed::{Informed, Memory};
use crate::players::{LoadedPlayer, PlayerError, PlayerSpec, TABLE_MIB};
use crate::search::run_for;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tablero_env::random::stream;
use tablero_env::{ActionId, BoardGame, ForMover, Player};
use tablero_mcts::{Batch, Evaluator, Rollout, Search, Symmetrized, Wdl};
use tablero_minimax::{Baseline, Limits, MAX_EVALUATION, Minimax, Solvable, SolveError, Solver};
use tablero_models::{LeafEvaluator, LeafNetwork, SearchConfig};

/// How a player rates a position. All values, scores and leads are seen by the player to
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
    pub wdl: Option<ForMover<[f32; 3]>>,
    /// The expected return, -1 to 1, by tree search, or the exact one where it is proven.
    pub value: Option<ForMover<f32>>,
    /// The exact return under best play, +1, 0 or -1, where it is proven.
    pub proven: Option<ForMover<i8>>,
    /// Minimax's evaluation in the game's own units, where the game is not decided.
    pub score: Option<ForMover<i32>>,
    /// The final lead in points, in games with points: exact by the solver, expected by a policy.
    pub lead: Option<ForMover<f32>>,
    /// The depth reached by minimax for every move, in turns.
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
    pub value: Option<ForMover<f32>>,
    /// As in [`Analysis::proven`].
    pub proven: Option<ForMover<i8>>,
    /// As in [`Analysis::score`].
    pub score: Option<ForMover<i32>>,
    /// As in [`Analysis::lead`].
    pub lead: Option<ForMover<f32>>,
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
    Search {
        config: SearchConfig,
        /// Rollouts without one.
        network: Option<Arc<LeafNetwork>>,
        allowed: Option<Duration>,
    },
    Minimax {
        minimax: Box<Minimax<G>>,
        limits: Limits,
    },
    Solver(G::Solver),
}

impl PlayerSpec {
    /// Checks, before anything is loaded, that the player is one that gives reasons for its moves.
    ///
    /// # Errors
    /// If it is `random`, `greedy` or `uhp`.
    pub fn check_analyst(&self) -> Result<(), PlayerError> {
        match self {
            PlayerSpec::Random | PlayerSpec::Greedy | PlayerSpec::Uhp { .. } => {
                Err(PlayerError::NoAnalyst {
                    player: self.to_string(),
                })
            }
            _ => Ok(()),
        }
    }
}

impl LoadedPlayer {
    /// The player as an analyst.
    ///
    /// # Errors
    /// If the player gives moves without reasons: `random`, `greedy` and `uhp`.
    pub fn analyst<G: BoardGame + Baseline + Solvable>(
        &self,
        game: &G,
    ) -> Result<Analyst<G>, PlayerError> {
        // A clock gives the analysis what it gives the first move.
        let allowed = |limit: &Limit| Watch::new(*limit).start().allowed;
        self.spec().check_analyst()?;
        let method = match self.spec() {
            PlayerSpec::Random | PlayerSpec::Greedy | PlayerSpec::Uhp { .. } => {
                unreachable!("no analysts")
            }
            PlayerSpec::Minimax(options) => {
                let minimax = Minimax::new(game.clone(), TABLE_MIB);
                Method::Minimax {
                    minimax: Box::new(minimax.with_threads(options.limit.threads as usize)),
                    limits: Limits {
                        time: allowed(&options.limit),
                        ..options.limits()
                    },
                }
            }
            PlayerSpec::Mcts(options) => Method::Search {
                config: self.search().expect("checked when read"),
                network: None,
                allowed: allowed(&options.limit),
            },
            PlayerSpec::Policy { options, .. } => Method::Search {
                config: self.search().expect("a policy is loaded"),
                network: Some(Arc::clone(self.network())),
                allowed: allowed(&options.limit),
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
    /// Minimax shares its limits among all actions, so that it looks less deep than when it plays,
    /// where most of them need only be refuted; but at least at the opponent's answers.
    ///
    /// # Errors
    /// If the position is beyond the solver.
    ///
    /// # Panics
    /// If the game is over.
    pub fn analyse(&mut self, state: &G::State, seed: u64) -> Result<Analysis, SolveError> {
        self.follow(state, seed, &Cancel::new(), &mut |_| ())
    }

    /// The same, which tells on the way what it has found so far: at once, several times a second,
    /// and not in the end. Once it is cancelled it answers with what it has.
    ///
    /// # Errors
    /// As [`analyse`](Self::analyse).
    ///
    /// # Panics
    /// If the game is over.
    pub fn follow(
        &mut self,
        state: &G::State,
        seed: u64,
        cancel: &Cancel,
        tell: &mut dyn FnMut(Analysis),
    ) -> Result<Analysis, SolveError> {
        let (game, by) = (&self.game, &self.by);
        let mut news = News::new(cancel, |analysis| {
            tell(Analysis {
                by: by.clone(),
                ..analysis
            });
        });
        let mut analysis = match &mut self.method {
            Method::Search {
                config,
                network: None,
                allowed,
            } => {
                let rollout = Rollout::new(NonZeroU32::MIN);
                let evaluator = &mut Informed::new(game, rollout, config, Memory::Owner);
                by_search(game, state, config, *allowed, evaluator, seed, &mut news)
            }
            Method::Search {
                config,
                network: Some(network),
                allowed,
            } => {
                let leaves = LeafEvaluator::new(Arc::clone(network));
                let images = Symmetrized::new(leaves, config.symmetries);
                let evaluator = &mut Informed::new(game, images, config, Memory::Owner);
                let mut analysis =
                    by_search(game, state, config, *allowed, evaluator, seed, &mut news);
                expect_leads(game, state, evaluator.evaluator(), &mut analysis);
                analysis
            }
            Method::Minimax { minimax, limits } => {
                minimax.set_interrupt(cancel.flag());
                by_minimax(game, state, minimax, limits, &mut news)
            }
            Method::Solver(solver) => by_solver(game, state, solver)?,
        };
        analysis.by.clone_from(&self.by);
        Ok(analysis)
    }
}

/// How often it is told what is known.
const TIME_BETWEEN_NEWS: Duration = Duration::from_millis(150);

/// What is told on the way, and whether it goes on.
struct News<'a, F> {
    cancel: &'a Cancel,
    tell: F,
    /// When there was news last.
    last: Option<Instant>,
}

impl<'a, F: FnMut(Analysis)> News<'a, F> {
    fn new(cancel: &'a Cancel, tell: F) -> Self {
        News {
            cancel,
            tell,
            last: None,
        }
    }

    /// Tells it, if it is time.
    fn offer(&mut self, analysis: impl FnOnce() -> Analysis) {
        let is_time = |last: Instant| last.elapsed() >= TIME_BETWEEN_NEWS;
        if self.last.is_none_or(is_time) {
            (self.tell)(analysis());
            self.last = Some(Instant::now());
        }
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

fn by_search<G: BoardGame, E: Evaluator<G>>(
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

/// What a tree says of its root.
fn of_search<G: BoardGame>(game: &G, state: &G::State, search: &Search<G>) -> Analysis {
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
fn expect_leads<G: BoardGame>(
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

/// Deeper and deeper, every action to the same depth before any is searched deeper.
fn by_minimax<G: BoardGame + Baseline>(
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

/// What minimax says of a position by what it says of each action.
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

/// What minimax says of an action, and whether it could search as deep as the limits allow.
fn search_move<G: BoardGame + Baseline>(
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

fn by_solver<G: BoardGame + Solvable>(
    game: &G,
    state: &G::State,
    solver: &mut G::Solver,
) -> Result<Analysis, SolveError> {
    solver.check(state)?;
    let mover = game.player_to_move(state);
    let lead = |points: Option<[i32; 2]>| points.map(|points| lead_of(points, mover));
    let solution = solver.solve(state);
    let mut analysis = unknown(game, state, solution.best[0]);
    analysis.proven = Some(solution.value.for_mover(mover));
    analysis.value = analysis.proven.map(as_value);
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
        let proven = value.value.for_mover(mover);
        analysis.moves.push(MoveAnalysis {
            value: Some(as_value(proven)),
            proven: Some(proven),
            lead: lead(value.points),
            line: game.line_texts(state, &line),
            ..unknown_move(game, state, value.action)
        });
    }
    analysis.nodes = solver.nodes();
    let best = analysis.action;
    let key = |mv: &MoveAnalysis| {
        let lead = mv.lead.map(|lead| lead.0 as i32);
        Reverse((mv.action == best, mv.proven, lead))
    };
    analysis.moves.sort_by_key(key);
    analysis.line.clone_from(&analysis.moves[0].line);
    Ok(analysis)
}

/// The lead of a player at the end of the game, in games with points.
fn final_lead<G: BoardGame>(game: &G, state: &G::State, player: Player) -> Option<ForMover<f32>> {
    game.points(state).map(|points| lead_of(points, player))
}

fn lead_of(points: [i32; 2], mover: Player) -> ForMover<f32> {
    ForMover((points[mover.index()] - points[mover.opponent().index()]) as f32)
}

fn as_value(proven: ForMover<i8>) -> ForMover<f32> {
    ForMover(proven.0.into())
}

//! How a player rates a position: every legal move with its value and line.

mod by_minimax;
mod by_search;

use crate::budget::{Limit, Watch};
use crate::cancel::Cancel;
use crate::informed::Informed;
use crate::players::{LoadedPlayer, OwnKind, PlayerError, PlayerSpec, own_evaluator, own_kind};
use by_minimax::by_minimax;
use by_search::{by_search, expect_leads, of_search};
use serde::Serialize;
use std::cmp::Reverse;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tablero_env::{ActionId, BoardGame, ForMover, Player};
use tablero_mcts::{Evaluator, Rollout, Search};
use tablero_minimax::{Limits, Minimax, Playable, SolveError, Solver, unless_interrupted};
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

impl Analysis {
    /// What a tree search has found of its root, by whomever.
    ///
    /// # Panics
    /// If the game is over.
    #[must_use]
    pub fn of_search<G: BoardGame>(search: &Search<G>, by: String) -> Analysis {
        Analysis {
            by,
            ..of_search(search.game(), search.state(), search)
        }
    }
}

/// Someone who analyses positions of one game.
pub struct Analyst<G: Playable> {
    game: G,
    by: String,
    /// MiB of the tables of an analyser beside a network, at most.
    table_mib: usize,
    method: Method<G>,
}

enum Method<G: Playable> {
    Search {
        config: SearchConfig,
        leaves: Leaves<G>,
        allowed: Option<Duration>,
    },
    Minimax {
        minimax: Box<Minimax<G>>,
        limits: Limits,
    },
    Solver(G::Solver),
}

/// What evaluates the leaves of a tree.
enum Leaves<G: Playable> {
    Rollouts,
    Network(Arc<LeafNetwork>),
    Own(Box<dyn Evaluator<G> + Send>),
}

impl PlayerSpec {
    /// Checks, before anything is loaded, that the player is one that gives reasons for its moves.
    ///
    /// # Errors
    /// If it is `random`, `greedy`, `uhp` or an agent of one's own.
    pub fn check_analyst(&self) -> Result<(), PlayerError> {
        match self {
            PlayerSpec::Random | PlayerSpec::Greedy | PlayerSpec::Uhp { .. } => {
                Err(self.no_analyst())
            }
            PlayerSpec::Own { name, .. } if own_kind(name) == Some(OwnKind::Agent) => {
                Err(self.no_analyst())
            }
            _ => Ok(()),
        }
    }

    fn no_analyst(&self) -> PlayerError {
        PlayerError::NoAnalyst {
            player: self.to_string(),
        }
    }
}

impl LoadedPlayer {
    /// The player as an analyst.
    ///
    /// # Errors
    /// If the player gives moves without reasons: `random`, `greedy`, `uhp` and agents of one's own.
    pub fn analyst<G: Playable>(&self, game: &G) -> Result<Analyst<G>, PlayerError> {
        // A clock gives the analysis what it gives the first move.
        let allowed = |limit: &Limit| Watch::new(*limit).start().allowed;
        let method = match self.spec() {
            other @ (PlayerSpec::Random | PlayerSpec::Greedy | PlayerSpec::Uhp { .. }) => {
                return Err(other.no_analyst());
            }
            PlayerSpec::Minimax(options) => {
                let minimax = Minimax::new(game.clone(), self.minimax_mib());
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
                leaves: Leaves::Rollouts,
                allowed: allowed(&options.limit),
            },
            PlayerSpec::Own { name, options } => Method::Search {
                config: self.search().ok_or_else(|| self.spec().no_analyst())?,
                leaves: own_evaluator(name, game)
                    .map(Leaves::Own)
                    .map_err(|reason| {
                        let player = name.clone();
                        PlayerError::Own { player, reason }
                    })?,
                allowed: allowed(&options.limit),
            },
            PlayerSpec::Policy { options, .. } => Method::Search {
                config: self.search().expect("a policy is loaded"),
                leaves: Leaves::Network(Arc::clone(self.network())),
                allowed: allowed(&options.limit),
            },
            PlayerSpec::Solver => Method::Solver(game.solver_within(self.most_mib())?),
        };
        Ok(Analyst {
            game: game.clone(),
            by: self.spec().to_string(),
            table_mib: self.most_mib(),
            method,
        })
    }
}

impl<G: Playable> Analyst<G> {
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

    /// The same, with reports of what is found so far: the first at once, then several a second, none
    /// at the end. Once it is cancelled it returns what it has.
    ///
    /// # Errors
    /// As [`analyse`](Self::analyse), and if the solver is cancelled, which has nothing before its end.
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
        let (game, by, mib) = (&self.game, &self.by, self.table_mib);
        let mut news = News::new(cancel, |analysis| {
            tell(Analysis {
                by: by.clone(),
                ..analysis
            });
        });
        let mut analysis = match &mut self.method {
            Method::Search {
                config,
                leaves,
                allowed,
            } => {
                let mut search = |evaluator: &mut dyn Evaluator<G>| {
                    let evaluator = &mut Informed::within(game, evaluator, config, mib);
                    by_search(game, state, config, *allowed, evaluator, seed, &mut news)
                };
                match leaves {
                    Leaves::Rollouts => search(&mut Rollout::new(NonZeroU32::MIN)),
                    Leaves::Own(evaluator) => search(evaluator),
                    Leaves::Network(network) => {
                        let mut evaluator = LeafEvaluator::new(Arc::clone(network));
                        let mut analysis = search(&mut evaluator);
                        expect_leads(game, state, &mut evaluator, &mut analysis);
                        analysis
                    }
                }
            }
            Method::Minimax { minimax, limits } => {
                minimax.set_interrupt(cancel.flag());
                by_minimax(game, state, minimax, limits, &mut news)
            }
            Method::Solver(solver) => {
                solver.set_interrupt(cancel.flag());
                unless_interrupted(|| by_solver(game, state, solver))??
            }
        };
        analysis.by.clone_from(&self.by);
        Ok(analysis)
    }
}

/// Time between two reports of an analysis under way.
const TIME_BETWEEN_NEWS: Duration = Duration::from_millis(150);

/// Reports an analysis while it is under way, and knows whether it is cancelled.
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

fn by_solver<G: Playable>(
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

//! Matches: paired games with colours swapped, from distinct random openings.

mod report;

pub use report::{Effort, Forfeits, MatchReport, SprtReport};

use crate::cancel::Cancel;
use crate::interrupt;
use crate::memory;
use crate::players::{Agent, AgentError, LoadedPlayer};
use crate::spread::spread_until;
use crate::statistics::{Sprt, Verdict};
use crate::uhp::Fault;
use report::{Spent, summarise};
use rustc_hash::FxHashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tablero_env::random::{mix, opening, stream};
use tablero_env::{ActionId, BoardGame, Game, Outcome, Player};
use tablero_minimax::Playable;

/// How often a new opening is drawn before one is taken that is repeated or can be won at once: on
/// small boards there are fewer openings than pairs.
const OPENING_TRIES: u64 = 64;

/// How a match is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchOptions {
    /// Games in all; an odd number is raised by one, since games come in pairs.
    pub games: u64,
    /// Fixes openings and the players' randomness.
    pub seed: u64,
    /// Uniformly random plies before the players take over. No opening can be won in its first turn,
    /// as far as [`Game::wins_at_once`] tells and the board has others.
    pub opening_plies: usize,
    /// Plies after which a game is left unfinished; `None` plays every game to its end.
    pub max_plies: Option<usize>,
    /// Ends the match as soon as this test is decided, by the pairs in their order.
    pub sprt: Option<Sprt>,
    /// Pairs under way at once; decides speed only.
    pub threads: usize,
    /// Whether the decisions of the first player are kept, for [`oracle`](crate::oracle).
    pub keeps_decisions: bool,
}

impl MatchOptions {
    /// A match with the openings and the limit of plies that a game has by default.
    #[must_use]
    pub fn new<G: Game>(game: &G, games: u64, seed: u64, threads: usize) -> MatchOptions {
        let max_plies = game.max_plies();
        MatchOptions {
            games,
            seed,
            opening_plies: default_opening_plies(max_plies),
            max_plies: default_max_plies(max_plies),
            sprt: None,
            threads,
            keeps_decisions: false,
        }
    }
}

/// The length of the random openings where the user gives none: a sixth of the longest game, but at
/// most ten plies, since no game of Paper Soccer comes near the longest; or six plies where there is
/// no longest.
fn default_opening_plies(max_plies: Option<usize>) -> usize {
    max_plies.map_or(6, |max_plies| (max_plies / 6).min(10))
}

/// Where a game is left unfinished if the user gives no limit: nowhere, but in games without a
/// bound on their length.
fn default_max_plies(max_plies: Option<usize>) -> Option<usize> {
    max_plies.map_or(Some(400), |_| None)
}

/// A decision of the first player of a match, for [`oracle`](crate::oracle).
#[derive(Clone, Debug)]
pub struct PlayedDecision<S> {
    /// The position.
    pub state: S,
    /// The action chosen.
    pub action: ActionId,
}

/// A game of a match.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// All actions, those of the opening too.
    pub actions: Vec<ActionId>,
    /// Which side a had.
    pub a_plays: Player,
    /// Who lost it by a fault, 0 for a and 1 for b.
    pub lost_by_fault: Option<usize>,
}

/// A match that was played.
#[derive(Clone, Debug)]
pub struct PlayedMatch<S> {
    /// The result.
    pub report: MatchReport,
    /// Every game, in the order of the openings.
    pub games: Vec<PlayedGame>,
    /// Every decision of a, in the order of the games, if they are kept.
    pub decisions: Vec<PlayedDecision<S>>,
    /// a's score of each finished pair, 0..=1.
    pub pair_scores: Vec<f64>,
}

struct Pair<S> {
    index: usize,
    games: [FinishedGame<S>; 2],
}

struct FinishedGame<S> {
    actions: Vec<ActionId>,
    /// `None` if the game was left unfinished.
    outcome: Option<Outcome>,
    /// Which side lost by a fault, 0 for a, and what it did.
    fault: Option<(usize, Fault, String)>,
    /// What a spent, then b.
    spent: [Spent; 2],
    /// Decisions of a.
    decisions: Vec<PlayedDecision<S>>,
}

impl<S> FinishedGame<S> {
    /// The game as it is when one side failed: lost by that side, if it is to blame.
    fn lost_by(
        mut self,
        side: usize,
        a_plays: Player,
        error: AgentError,
    ) -> Result<Self, AgentError> {
        let Some(fault) = error.fault() else {
            return Err(error);
        };
        let winner = if side == 0 {
            a_plays.opponent()
        } else {
            a_plays
        };
        self.outcome = Some(Outcome::won_by(Some(winner)));
        self.fault = Some((side, fault, error.to_string()));
        Ok(self)
    }
}

/// Plays a match. `on_game` is called after each game, from any thread.
///
/// The result depends on the options and the players alone, unless a player has a time limit or
/// the match is [ended early](crate::interrupt); then the pairs that were finished count.
///
/// An engine of another program that fails loses that game: see [`Forfeits`].
///
/// # Errors
/// If the match needs more memory than there is, an engine cannot be started any more, or a position is
/// beyond the exact solver; the match is then given up.
pub fn play_match<G: Playable>(
    game: &G,
    a: &LoadedPlayer,
    b: &LoadedPlayer,
    options: &MatchOptions,
    on_game: &(impl Fn() + Sync),
) -> Result<PlayedMatch<G::State>, AgentError> {
    play_match_until(&Cancel::new(), game, a, b, options, on_game)
}

/// The same, ended early by `cancel` too: within a move.
///
/// # Errors
/// As [`play_match`].
pub fn play_match_until<G: Playable>(
    cancel: &Cancel,
    game: &G,
    a: &LoadedPlayer,
    b: &LoadedPlayer,
    options: &MatchOptions,
    on_game: &(impl Fn() + Sync),
) -> Result<PlayedMatch<G::State>, AgentError> {
    let n_pairs = options.games.div_ceil(2).max(1) as usize;
    memory::check(&memory_of(game, [a, b], options))?;
    let openings = draw_openings(game, n_pairs, options);
    let finished = Mutex::new(Vec::with_capacity(n_pairs));
    let threads = options.threads.clamp(1, n_pairs);
    let played = spread_until(cancel, threads, 0..n_pairs as u64, |jobs| {
        let new_agents = || {
            [a, b].map(|player| {
                let mut agent = player.agent(game);
                agent.cancelled_by(cancel);
                agent
            })
        };
        while let Some(index) = jobs.take() {
            let index = index as usize;
            match play_pair(game, &new_agents, options, index, &openings[index], on_game) {
                // A player that failed may have been interrupted, too: an engine, say.
                _ if interrupt::is_requested() || jobs.is_cancelled() => jobs.stop(),
                Ok(games) => {
                    let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
                    finished.push(Pair { index, games });
                    if let Some(sprt) = &options.sprt
                        && decided_after(sprt, &mut finished).is_some()
                    {
                        jobs.stop();
                    }
                }
                Err(error) => {
                    jobs.stop();
                    return Err(error);
                }
            }
        }
        Ok(())
    });
    played.into_iter().collect::<Result<(), _>>()?;
    let mut pairs = finished
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    pairs.sort_by_key(|pair: &Pair<_>| pair.index);
    let n_needed = options
        .sprt
        .as_ref()
        .and_then(|sprt| decided_after(sprt, &mut pairs));
    // Pairs that were under way when the test was decided do not count: which they are depends on
    // the threads.
    pairs.truncate(n_needed.unwrap_or(n_pairs));
    let interrupted = n_needed.is_none() && pairs.len() < n_pairs;
    let played = pairs.iter().map(|pair| &openings[pair.index].0);
    let n_openings = played.collect::<FxHashSet<&G::State>>().len();
    let mut played = summarise(game, [a, b], options, n_openings, pairs);
    played.report.interrupted = interrupted;
    Ok(played)
}

/// About what a match needs: the openings, the games played, and the trees and tables of the players.
fn memory_of<G: BoardGame>(
    game: &G,
    players: [&LoadedPlayer; 2],
    options: &MatchOptions,
) -> [(&'static str, u64); 3] {
    /// Plies of a game, about; those without a limit are not longer.
    const PLIES: u64 = 60;
    let state = size_of::<G::State>() as u64;
    let (action, opening) = (size_of::<ActionId>() as u64, options.opening_plies as u64);
    let played = PLIES * (action + u64::from(options.keeps_decisions) * state);
    let game_bytes = opening * action + played;
    let a_thread = players.map(|player| player.memory(game));
    let at_once = options.threads.min(options.games.div_ceil(2) as usize) as u64;
    [
        (
            "openings",
            (options.games / 2).saturating_mul(state + opening * action),
        ),
        ("games", options.games.saturating_mul(game_bytes)),
        (
            "players",
            at_once.saturating_mul(a_thread[0].saturating_add(a_thread[1])),
        ),
    ]
}

/// After how many pairs a test is decided, counted in their order and as far as none is missing;
/// `None` while it is open. Sorts the pairs.
fn decided_after<S>(sprt: &Sprt, pairs: &mut [Pair<S>]) -> Option<usize> {
    pairs.sort_by_key(|pair| pair.index);
    let mut scores = Vec::with_capacity(pairs.len());
    for (place, pair) in pairs.iter().enumerate() {
        if pair.index != place {
            return None;
        }
        scores.extend(pair.score());
        if sprt.verdict(&scores) != Verdict::Open {
            return Some(place + 1);
        }
    }
    None
}

impl<S> Pair<S> {
    /// a's score, 0..=1; `None` if a game was left unfinished.
    fn score(&self) -> Option<f64> {
        let games = self.games.iter().zip(Player::BOTH);
        let shares = games.map(|(game, a_plays)| {
            let a_return = game.outcome?.return_for(a_plays);
            Some((f64::from(a_return) + 1.0) / 4.0)
        });
        shares.sum()
    }
}

/// Openings of equal length, shorter where one more ply would end the game. Where the board has
/// enough of them they are all distinct, and none can be won at once: both games of its pair would
/// have the same winner, and tell nothing of the players.
fn draw_openings<G: BoardGame>(
    game: &G,
    n: usize,
    options: &MatchOptions,
) -> Vec<(G::State, Vec<ActionId>)> {
    let (mut seen, mut legal) = (FxHashSet::default(), Vec::new());
    (0..n as u64)
        .map(|index| {
            let draw = |attempt| {
                let mut rng = stream(
                    options.seed,
                    "match opening",
                    index * OPENING_TRIES + attempt,
                );
                opening(game, options.opening_plies, &mut rng)
            };
            // Distinct as positions: two orders of the same edges are one opening.
            (0..OPENING_TRIES)
                .map(draw)
                .find(|(state, _)| {
                    game.legal_actions(state, &mut legal);
                    !game.wins_at_once(state, &legal) && seen.insert(state.clone())
                })
                .unwrap_or_else(|| draw(0))
        })
        .collect()
}

/// Both games from an opening, with new agents each.
fn play_pair<G: BoardGame>(
    game: &G,
    new_agents: &impl Fn() -> [Box<dyn Agent<G>>; 2],
    options: &MatchOptions,
    index: usize,
    start: &(G::State, Vec<ActionId>),
    on_game: &impl Fn(),
) -> Result<[FinishedGame<G::State>; 2], AgentError> {
    let seed = mix(options.seed ^ mix(index as u64));
    let play = |a_plays| {
        let mut agents = new_agents();
        let finished = play_game(game, &mut agents, a_plays, start, options, seed)?;
        on_game();
        Ok::<_, AgentError>(finished)
    };
    Ok([play(Player::First)?, play(Player::Second)?])
}

fn play_game<G: BoardGame>(
    game: &G,
    agents: &mut [Box<dyn Agent<G>>; 2],
    a_plays: Player,
    (start, opening): &(G::State, Vec<ActionId>),
    options: &MatchOptions,
    seed: u64,
) -> Result<FinishedGame<G::State>, AgentError> {
    let MatchOptions {
        max_plies,
        keeps_decisions,
        ..
    } = *options;
    let mut state = start.clone();
    let mut streams = Player::BOTH.map(|player| {
        let side = u64::from(a_plays == player);
        stream(seed, "match player", player.index() as u64 * 2 + side)
    });
    let mut played = FinishedGame {
        actions: opening.clone(),
        outcome: None,
        fault: None,
        spent: [Spent::default(); 2],
        decisions: Vec::new(),
    };
    loop {
        played.outcome = game.outcome(&state);
        let is_cut_off = max_plies.is_some_and(|limit| played.actions.len() >= limit);
        if played.outcome.is_some() {
            for (side, agent) in agents.iter_mut().enumerate() {
                if let Err(error) = agent.finished(&state) {
                    return played.lost_by(side, a_plays, error);
                }
            }
        }
        if played.outcome.is_some() || is_cut_off || interrupt::is_requested() {
            return Ok(played);
        }
        let mover = game.player_to_move(&state);
        let side = usize::from(mover != a_plays);
        let start = Instant::now();
        let choice = match agents[side].choose(&state, &mut streams[mover.index()]) {
            Ok(choice) => choice,
            Err(error) => return played.lost_by(side, a_plays, error),
        };
        played.spent[side] += Spent {
            seconds: start.elapsed().as_secs_f64(),
            nodes: choice.nodes,
            moves: 1,
            time_outs: choice.is_late.into(),
        };
        if side == 0 && keeps_decisions {
            played.decisions.push(PlayedDecision {
                state: state.clone(),
                action: choice.action,
            });
        }
        game.play(&mut state, choice.action)
            .expect("agents choose legal actions");
        for agent in agents.iter_mut() {
            agent.played(choice.action);
        }
        played.actions.push(choice.action);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::paper_soccer::PaperSoccer;

    #[test]
    fn openings_are_distinct_and_none_is_won_at_once() {
        let game = PaperSoccer::new(8, 10).unwrap();
        let options = MatchOptions::new(&game, 400, 1, 1);
        let n_plies = options.opening_plies;
        let won_at_once = |state: &_| game.wins_at_once(state, &legal_of(&game, state));
        // Without the rule some would be.
        let drawn = (0..200).map(|index| {
            opening(
                &game,
                n_plies,
                &mut stream(1, "match opening", index * OPENING_TRIES),
            )
            .0
        });
        assert!(drawn.filter(won_at_once).count() > 5);

        let openings = draw_openings(&game, 200, &options);
        let distinct: FxHashSet<_> = openings.iter().map(|(state, _)| state).collect();
        assert_eq!(distinct.len(), 200);
        assert!(!openings.iter().any(|(state, _)| won_at_once(state)));
    }

    fn legal_of<G: Game>(game: &G, state: &G::State) -> Vec<ActionId> {
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        legal
    }
}

//! The result of a match: what each side scored, spent and forfeited.

use super::{FinishedGame, MatchOptions, Pair, PlayedGame, PlayedMatch};
use crate::players::LoadedPlayer;
use crate::statistics::{Sprt, Strength, Tally, Verdict, paired_strength};
use crate::uhp::Fault;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::ops::AddAssign;
use tablero_env::{BoardGame, Player};
use tablero_models::SearchConfig;

/// What one side spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Seconds a move, by the wall clock.
    pub seconds_a_move: f64,
    /// Positions looked at a move: nodes or simulations.
    pub nodes_a_move: f64,
    /// Moves that took longer than the player's time.
    pub time_outs: u64,
}

/// Games that one side lost by a fault. The rule: an engine of another program that fails loses that
/// game, whatever the position, and so does a player of one's own. The match continues, and the engine
/// is started again. The rules of the game are ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forfeits {
    /// The engine ended, or wrote without end; the player of one's own had no move.
    pub crashes: u64,
    /// It did not answer in time.
    pub time_outs: u64,
    /// Its move was none, or illegal.
    pub illegal_moves: u64,
    /// It refused a legal move, or to move.
    pub refusals: u64,
    /// It has another opinion on whether the game is over, and how.
    pub other_endings: u64,
}

impl Forfeits {
    fn add(&mut self, fault: Fault) {
        let count = match fault {
            Fault::Crash => &mut self.crashes,
            Fault::TimeOut => &mut self.time_outs,
            Fault::IllegalMove => &mut self.illegal_moves,
            Fault::Refusal => &mut self.refusals,
            Fault::OtherEnding => &mut self.other_endings,
        };
        *count += 1;
    }

    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.crashes + self.time_outs + self.illegal_moves + self.refusals + self.other_endings
    }
}

/// The result of a match between `a` and `b`.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// The game's spec.
    pub game: String,
    /// Player a, as text.
    pub a: String,
    /// Player b, as text.
    pub b: String,
    /// The seed.
    pub seed: u64,
    /// Random plies before each game.
    pub opening_plies: usize,
    /// Games played to their end.
    pub games: u64,
    /// Games left unfinished at the limit of plies: they are no draws, and their pairs do not
    /// count for the score.
    pub unfinished: u64,
    /// Whether the match was [ended early](crate::interrupt): it has fewer games than asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// Distinct openings among the pairs.
    pub distinct_openings: usize,
    /// Distinct games, as sequences of actions.
    pub distinct_games: usize,
    /// Results of a; in JSON `wins`, `draws` and `losses` beside the other fields.
    #[serde(flatten)]
    pub a_results: Tally,
    /// Results of a when it moves first.
    pub a_first: Tally,
    /// Results of whoever moves first.
    pub first_player: Tally,
    /// Games that a lost by a fault of its own; they count among its losses.
    pub a_forfeits: Forfeits,
    /// Games that b lost so; they count among the wins of a.
    pub b_forfeits: Forfeits,
    /// The first fault of each kind, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// a's score and Elo difference, with 95 % intervals over pairs; in JSON `score`, `elo` and so
    /// on beside the other fields. `None` if no pair was finished.
    #[serde(flatten)]
    pub strength: Option<Strength>,
    /// The sequential test, if there was one, and what it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtReport>,
    /// How a searches, where it is a tree search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a_search: Option<SearchConfig>,
    /// How b searches, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b_search: Option<SearchConfig>,
    /// What a spent.
    pub a_effort: Effort,
    /// What b spent.
    pub b_effort: Effort,
}

/// A sequential test at the end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// Its two Elo differences.
    #[serde(flatten)]
    pub test: Sprt,
    /// The logarithm of the likelihood ratio; [`Sprt::BOUND`] and its negative end the test.
    pub log_likelihood_ratio: f64,
    /// What it says.
    pub verdict: Verdict,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Spent {
    pub seconds: f64,
    pub nodes: u64,
    pub moves: u64,
    pub time_outs: u64,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.seconds += other.seconds;
        self.nodes += other.nodes;
        self.moves += other.moves;
        self.time_outs += other.time_outs;
    }
}

impl Spent {
    fn effort(self) -> Effort {
        let moves = self.moves.max(1) as f64;
        Effort {
            moves: self.moves,
            seconds_a_move: self.seconds / moves,
            nodes_a_move: self.nodes as f64 / moves,
            time_outs: self.time_outs,
        }
    }
}

/// What all games add up to.
#[derive(Default)]
struct Sums {
    a_results: Tally,
    a_first: Tally,
    first_player: Tally,
    unfinished: u64,
    forfeits: [Forfeits; 2],
    /// The first of each side and kind, in words.
    faults: Vec<((usize, Fault), String)>,
    spent: [Spent; 2],
}

impl Sums {
    fn add<S>(&mut self, finished: &FinishedGame<S>, a_plays: Player) {
        if let Some(outcome) = finished.outcome {
            let a_return = outcome.return_for(a_plays);
            self.a_results.add(a_return);
            if a_plays == Player::First {
                self.a_first.add(a_return);
            }
            self.first_player.add(outcome.return_for(Player::First));
        } else {
            self.unfinished += 1;
        }
        if let Some((side, fault, text)) = &finished.fault {
            let kind = (*side, *fault);
            if !self.faults.iter().any(|(other, _)| *other == kind) {
                self.faults.push((kind, text.clone()));
            }
            self.forfeits[*side].add(*fault);
        }
        for (total, one) in self.spent.iter_mut().zip(finished.spent) {
            *total += one;
        }
    }
}

/// The report over all games, and what is kept of them.
pub(super) fn summarise<G: BoardGame>(
    game: &G,
    [a, b]: [&LoadedPlayer; 2],
    options: &MatchOptions,
    distinct_openings: usize,
    pairs: Vec<Pair<G::State>>,
) -> PlayedMatch<G::State> {
    let pair_scores: Vec<f64> = pairs.iter().filter_map(Pair::score).collect();
    let mut sums = Sums::default();
    let mut games = Vec::with_capacity(2 * pairs.len());
    let mut decisions = Vec::new();
    for pair in pairs {
        for (finished, a_plays) in pair.games.into_iter().zip(Player::BOTH) {
            sums.add(&finished, a_plays);
            decisions.extend(finished.decisions);
            games.push(PlayedGame {
                actions: finished.actions,
                a_plays,
                lost_by_fault: finished.fault.map(|(side, ..)| side),
            });
        }
    }
    let lines = games.iter().map(|game| &game.actions);
    let distinct_games = lines.collect::<FxHashSet<_>>().len();
    let Sums {
        a_results,
        a_first,
        first_player,
        unfinished,
        forfeits,
        faults,
        spent,
    } = sums;
    let report = MatchReport {
        game: game.spec(),
        a: a.spec().to_string(),
        b: b.spec().to_string(),
        seed: options.seed,
        opening_plies: options.opening_plies,
        games: a_results.games(),
        unfinished,
        interrupted: false,
        distinct_openings,
        distinct_games,
        a_results,
        a_first,
        first_player,
        a_forfeits: forfeits[0],
        b_forfeits: forfeits[1],
        faults: faults.into_iter().map(|(_, text)| text).collect(),
        strength: paired_strength(&pair_scores),
        sprt: options.sprt.map(|test| SprtReport {
            test,
            log_likelihood_ratio: test.log_likelihood_ratio(&pair_scores),
            verdict: test.verdict(&pair_scores),
        }),
        a_search: a.search(),
        b_search: b.search(),
        a_effort: spent[0].effort(),
        b_effort: spent[1].effort(),
    };
    PlayedMatch {
        report,
        games,
        decisions,
        pair_scores,
    }
}

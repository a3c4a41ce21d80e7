//! Several players at once: who meets whom, and ratings from all their matches.

use crate::interrupt;
use crate::matches::{MatchOptions, MatchReport, PlayedMatch, play_match};
use crate::players::{AgentError, LoadedPlayer};
use crate::statistics::{Encounter, Rating, Tally, ratings};
use serde::Serialize;
use tablero_env::random::mix;
use tablero_minimax::Playable;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Everybody meets everybody.
    RoundRobin,
    /// Everybody meets the next one only.
    Neighbours,
}

impl Pairing {
    /// The matches among `n_players` players; the one listed later stands first in each pair.
    #[must_use]
    pub fn matches(self, n_players: usize) -> Vec<[usize; 2]> {
        let all = (0..n_players).flat_map(|b| (b + 1..n_players).map(move |a| [a, b]));
        all.filter(|&[a, b]| self == Pairing::RoundRobin || a == b + 1)
            .collect()
    }
}

/// The result of a ladder.
#[derive(Clone, Debug, Serialize)]
pub struct LadderReport {
    /// The game's spec.
    pub game: String,
    /// The players in the order given, the first with a rating of 0.
    pub players: Vec<LadderPlayer>,
    /// Every match.
    pub matches: Vec<MatchReport>,
}

/// A player of a ladder.
#[derive(Clone, Debug, Serialize)]
pub struct LadderPlayer {
    /// The player as text.
    pub player: String,
    /// Rating with a 95 % interval.
    #[serde(flatten)]
    pub rating: Rating,
    /// Results of all its games.
    #[serde(flatten)]
    pub results: Tally,
}

/// Plays a ladder. Every match has the options' number of games, and openings of its own.
/// `on_game` is called after each game, from any thread.
///
/// # Errors
/// If a player gives no move; the ladder is then given up.
pub fn play_ladder<G: Playable>(
    game: &G,
    players: &[LoadedPlayer],
    pairing: Pairing,
    options: &MatchOptions,
    on_game: &(impl Fn() + Sync),
) -> Result<LadderReport, AgentError> {
    let mut encounters = Vec::new();
    let mut matches = Vec::new();
    let mut results = vec![Tally::default(); players.len()];
    for [a, b] in pairing.matches(players.len()) {
        if interrupt::is_requested() {
            break;
        }
        let options = MatchOptions {
            seed: mix(options.seed ^ mix((a * players.len() + b) as u64)),
            ..*options
        };
        let PlayedMatch {
            report,
            pair_scores,
            ..
        } = play_match(game, &players[a], &players[b], &options, on_game)?;
        let tally = report.a_results;
        results[a] += tally;
        results[b] += tally.reversed();
        encounters.push(Encounter {
            players: [a, b],
            pair_scores,
        });
        matches.push(report);
    }
    let ratings = ratings(players.len(), &encounters, options.seed);
    let players = players.iter().zip(ratings).zip(results);
    Ok(LadderReport {
        game: game.spec(),
        players: players
            .map(|((player, rating), results)| LadderPlayer {
                player: player.spec().to_string(),
                rating,
                results,
            })
            .collect(),
        matches,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_meet_all_or_their_neighbour_once() {
        let pairs = Pairing::RoundRobin.matches(4);
        assert_eq!(pairs, [[1, 0], [2, 0], [3, 0], [2, 1], [3, 1], [3, 2]]);
        assert_eq!(Pairing::Neighbours.matches(4), [[1, 0], [2, 1], [3, 2]]);
        assert!(Pairing::RoundRobin.matches(1).is_empty());
    }
}

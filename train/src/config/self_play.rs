//! How the games of self-play are made.

use serde::{Deserialize, Serialize};

/// How the games of self-play are made, beside how their moves are searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayConfig {
    /// Games a round, at least 1.
    pub games: u64,
    /// Before the search takes over, a number of uniformly random plies, itself uniform in
    /// `0..=random_plies`: variety, and positions that good play never reaches.
    pub random_plies: usize,
    /// Moves are drawn from visits^(1/temperature) (AlphaGo Zero, Silver et al. 2017), above 0, for
    /// the first [`temperature_plies`](SelfPlayConfig::temperature_plies).
    pub temperature: f32,
    /// Plies after the opening that are drawn; later the best move is played.
    pub temperature_plies: usize,
    /// A game that lasts longer than this many plies, its opening included, is thrown away: it has
    /// no result, and is no draw. Needed in games without a bound on their length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<usize>,
    /// Moves searched quickly, for more games of the same work. Default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quick: Option<QuickMoves>,
    /// The share of games, 0..=1, from which a second one is forked: from a position of the first,
    /// drawn uniformly, another legal move is played, drawn likewise, and the game goes on from
    /// there. Variety at every stage of the game (KataGo, Wu 2019, forks so, too).
    #[serde(default)]
    pub fork_share: f32,
    /// A teacher that plays the first rounds. Default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teacher: Option<Teacher>,
}

/// Playout cap randomisation (KataGo, Wu 2019): most moves only make the game go on, after a quick
/// search without noise; those that are searched in full teach the policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickMoves {
    /// The share of moves, 0..=1, drawn at random. KataGo has 0.75.
    pub share: f32,
    /// Simulations of such a move, at least 1. KataGo has a sixth of the full search.
    pub sims: u32,
}

/// Minimax, with the solver of endgames where the game has one, plays the first rounds, so that the
/// network knows something when self-play begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teacher {
    /// Rounds, at least 1.
    pub rounds: u32,
    /// Nodes a move, at least 1.
    pub nodes: u64,
}

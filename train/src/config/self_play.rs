//! How the games of self-play are made.

use crate::LeafSearch;
use serde::{Deserialize, Serialize};
use tablero_mcts::{RootNoise, SearchParams};
use tablero_models::Precision;

/// How the games of self-play are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayConfig {
    /// Games an iteration.
    pub games: u64,
    /// Visits of the root before each move, those kept from the move before included.
    pub simulations: u32,
    /// Before the search takes over, a number of uniformly random plies, itself uniform in
    /// `0..=random_plies`: variety, and positions that good play never reaches.
    pub random_plies: usize,
    /// Moves are drawn from visits^(1/temperature) (AlphaGo Zero, Silver et al. 2017) …
    pub temperature: f32,
    /// … for this many plies after the opening; later the best move is played.
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
    /// When players resign; in games without points only, since the points to learn are those of
    /// the end. Default never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resignation: Option<Resignation>,
    /// Games of minimax to learn from first. Default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teacher: Option<Teacher>,
    /// Minimax searches each leaf before the network judges it. Default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaf_search: Option<LeafSearch>,
    /// How exactly leaves are evaluated: `"f32"`, or `"bf16"` for residual networks, which is about
    /// twice as fast on processors with AVX512-BF16 and several times with AMX.
    #[serde(default)]
    pub precision: Precision,
    /// The search. Fields that are missing in a file are those of [`SearchParams::default`], but for
    /// noise at the root, which is on (a `fraction` of 0 switches it off), and no reduction there.
    #[serde(default = "default_search", with = "search")]
    pub search: SearchParams,
}

/// Playout cap randomisation (KataGo, Wu 2019): most moves only make the game go on, after a quick
/// search without noise; those that are searched in full teach the policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickMoves {
    /// The share of moves, 0..=1, drawn at random. KataGo has 0.75.
    pub share: f32,
    /// Visits of the root before such a move. KataGo has a sixth of the full search.
    pub simulations: u32,
}

/// When a player resigns. Some games are played out nevertheless, to measure how often somebody
/// would have resigned too early.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// A move is hopeless if the search gives the player less than this, wins and half the draws, 0..=1.
    pub below: f32,
    /// A player resigns after so many hopeless moves in a row.
    pub moves: u32,
    /// The share of games, 0..=1, in which nobody may resign (AlphaGo Zero, Silver et al. 2017,
    /// has 0.1).
    pub played_out: f32,
}

/// Minimax that plays the first rounds, so that the network knows something when self-play begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Teacher {
    /// Rounds that it plays.
    pub rounds: u32,
    /// Nodes a move.
    pub nodes: u64,
    /// The share of moves, 0..=1, that are played at random instead and not learnt from, as long as
    /// no search has proven the result.
    pub random_moves: f32,
    /// Nodes of the solver of endgames, in games that have
    /// [one](tablero_minimax::Solvable::endgame_solver), in each position that minimax does not prove:
    /// what it proves is played out without a mistake. With 0, the default, it is not asked.
    #[serde(default, skip_serializing_if = "crate::leaf_search::is_0")]
    pub solver_nodes: u64,
}

impl SelfPlayConfig {
    /// Visits of the root before a move that is searched in full, or quickly.
    #[must_use]
    pub fn simulations_of(&self, full: bool) -> u32 {
        match self.quick {
            Some(quick) if !full => quick.simulations,
            _ => self.simulations,
        }
    }
}

/// The search's fields in a file.
mod search {
    use super::default_search;
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::{Serialize, Serializer};
    use serde_json::{Map, Value};
    use tablero_mcts::{RootNoise, SearchParams};

    /// No noise as a fraction of 0: nothing at all would be the default.
    const SILENCE: RootNoise = RootNoise {
        alpha_total: 1.0,
        fraction: 0.0,
    };

    pub fn serialize<S: Serializer>(params: &SearchParams, to: S) -> Result<S::Ok, S::Error> {
        let noise = Some(params.noise.unwrap_or(SILENCE));
        let params = params.clone();
        SearchParams { noise, ..params }.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<SearchParams, D::Error> {
        let given: Map<String, Value> = Map::deserialize(from)?;
        let default = serde_json::to_value(default_search());
        let mut fields = default.map_err(D::Error::custom)?;
        for (name, value) in given {
            fields[name] = value;
        }
        let mut params: SearchParams = serde_json::from_value(fields).map_err(D::Error::custom)?;
        params.noise = params.noise.filter(|noise| noise.fraction != 0.0);
        Ok(params)
    }
}

fn default_search() -> SearchParams {
    SearchParams {
        noise: Some(RootNoise::default()),
        // With noise at the root every move should get its try (KataGo, Wu 2019).
        root_fpu_reduction: 0.0,
        ..SearchParams::default()
    }
}

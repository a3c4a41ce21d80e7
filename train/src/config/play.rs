//! How the agents of a run play after it.

use crate::leaf_search::is_0;
use crate::{LeafSearch, RootSearch};
use serde::{Deserialize, Serialize};

/// How the agents of a run play where their text does not say: in matches, also those on the way, and as
/// exported policies. Self-play may be quicker, to make more games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayConfig {
    /// Minimax searches each leaf so. With 0 nodes none is searched. Default: as in self-play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaf_search: Option<LeafSearch>,
    /// [`minimax_share`](tablero_mcts::SearchParams::minimax_share). Default: as in self-play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimax_share: Option<f32>,
    /// Lost positions are played by [traps](crate::PolicyOptions::trap_nodes) for minimax of up to so
    /// many nodes. Default: 0, none.
    #[serde(default, skip_serializing_if = "is_0")]
    pub trap_nodes: u64,
    /// Minimax looks so at the moves that the tree search likes, before one of them is played. Default:
    /// not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_search: Option<RootSearch>,
}

//! When a search stops.

use std::time::Duration;

/// The limits of one search: it stops at whichever comes first. With none given it goes on until
/// the score is exact, which only a nearly finished or a very small game reaches.
///
/// There is an answer under any limits. It is worth little where they end the iteration of depth 1,
/// which takes about as many nodes as there are legal actions.
///
/// ```
/// use std::time::Duration;
/// use tablero_minimax::Limits;
/// let limits = Limits { nodes: Some(100_000), ..Limits::depth(8) };
/// assert_eq!(limits.depth, Some(8));
/// assert_eq!(Limits::time(Duration::from_millis(500)).depth, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The deepest iteration, in turns of one action each; 0 counts as 1. An action after which the
    /// same player moves again counts for a quarter, so that a long turn is not cut in the
    /// middle. Where the players alternate, depth is the number of plies; it never reaches less far.
    pub depth: Option<u32>,
    /// The time for the whole search; the clock is looked at every 64 nodes. The only limit that
    /// makes the answer depend on the machine.
    pub time: Option<Duration>,
    /// The number of positions visited, never more.
    pub nodes: Option<u64>,
}

impl Limits {
    /// Only a depth, in turns of one action each.
    #[must_use]
    pub const fn depth(turns: u32) -> Self {
        Limits {
            depth: Some(turns),
            time: None,
            nodes: None,
        }
    }

    /// Only a time.
    #[must_use]
    pub const fn time(time: Duration) -> Self {
        Limits {
            depth: None,
            time: Some(time),
            nodes: None,
        }
    }

    /// Only a number of positions.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Limits {
            depth: None,
            time: None,
            nodes: Some(nodes),
        }
    }
}

impl Default for Limits {
    /// Four turns.
    fn default() -> Self {
        Limits::depth(4)
    }
}

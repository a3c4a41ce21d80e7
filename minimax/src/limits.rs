//! When a search stops.

use std::time::Duration;

/// The limits of one search: it stops at whichever comes first. With none given it goes on until
/// the score is exact, which only a nearly finished or a very small game reaches.
///
/// The iteration of depth 1 is always completed, so that there is an answer; deeper ones are
/// given up when the time or the nodes run out.
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
    /// The deepest iteration, in plies: single actions, not turns. 0 counts as 1.
    pub depth: Option<u32>,
    /// The time for the whole search; kept to within a few milliseconds. The only limit that
    /// makes the answer depend on the machine.
    pub time: Option<Duration>,
    /// The number of positions visited.
    pub nodes: Option<u64>,
}

impl Limits {
    /// Only a depth, in plies.
    #[must_use]
    pub const fn depth(plies: u32) -> Self {
        Limits {
            depth: Some(plies),
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
    /// Four plies.
    fn default() -> Self {
        Limits::depth(4)
    }
}

//! Points of the paper, and where a state keeps them.

use super::direction::Direction;
use serde::Serialize;
use std::fmt;

/// A point of the paper: x to the right, y towards the goal that player 0 attacks, the kick-off
/// at 0,0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Point {
    /// To the right.
    pub x: i8,
    /// Upwards.
    pub y: i8,
}

impl Point {
    /// Where the ball starts.
    pub const KICK_OFF: Point = Point { x: 0, y: 0 };

    /// The neighbour in this direction, on the pitch or not; far beyond any pitch the numbers wrap
    /// around.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Point {
        let (x, y) = direction.step();
        Point {
            x: self.x.wrapping_add(x),
            y: self.y.wrapping_add(y),
        }
    }

    /// The point after half a turn of the pitch.
    pub(super) const fn turned(self) -> Point {
        Point {
            x: -self.x,
            y: -self.y,
        }
    }

    /// The point in the mirror that takes x to -x.
    pub(super) const fn mirrored(self) -> Point {
        Point {
            x: -self.x,
            y: self.y,
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

//! Why a segment may not be drawn.

use super::pitch::point::Point;

/// Why a segment may not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The ball is in a goal, or its player cannot go on.
    #[error("the game is over")]
    GameOver,
    /// The id is no direction.
    #[error("step {0} does not lead to a neighbour of the ball: expected 0 (N) to 7 (NW)")]
    NotANeighbour(u32),
    /// The segment would leave the pitch.
    #[error("the segment {from} to {to} is outside the pitch")]
    OutsideThePitch {
        /// Where the ball is.
        from: Point,
        /// Where it would go.
        to: Point,
    },
    /// The segment would lie on the border of the pitch, or on the side or the back of a goal.
    #[error("the segment {from} to {to} is a wall")]
    Wall {
        /// Where the ball is.
        from: Point,
        /// Where it would go.
        to: Point,
    },
    /// The segment has been drawn before.
    #[error("the segment {from} to {to} is already used")]
    AlreadyUsed {
        /// Where the ball is.
        from: Point,
        /// Where it would go.
        to: Point,
    },
}

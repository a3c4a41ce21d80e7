//! Why an edge may not be drawn.

/// Why an edge may not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// Every edge is drawn.
    #[error("the game is over")]
    GameOver,
    /// The id is not an edge of this board.
    #[error("edge {edge} is off the board: expected 0 to {last}")]
    OutOfBoard {
        /// The id given.
        edge: u32,
        /// The highest id of this board.
        last: u32,
    },
    /// The edge has been drawn before.
    #[error("edge {0} is already drawn")]
    AlreadyDrawn(u32),
}

//! Why an action is refused.

/// Why an action is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A queen is surrounded, or the position has occurred three times.
    #[error("the game is over")]
    GameOver,
    /// The rules do not allow it.
    #[error("the action is not legal")]
    NotLegal,
}

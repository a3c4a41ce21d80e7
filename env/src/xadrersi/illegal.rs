//! Why a piece may not be placed.

use super::board::square::Square;
use super::pieces::kind::Kind;

/// Why a piece may not be placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// All sixteen pieces are placed.
    #[error("the game is over")]
    GameOver,
    /// The id is no kind of piece with a square of the board.
    #[error("action {id} is off the board: expected 0 to {last}")]
    OffBoard {
        /// The id given.
        id: u32,
        /// The highest id.
        last: u32,
    },
    /// The player has placed all pieces of this kind.
    #[error("no {0} is left in hand")]
    NoneLeft(Kind),
    /// White's king is placed first and Black's last, and no king at another time.
    #[error(
        "White's king is placed first and Black's last, no king in between: expected {}, got a {kind}",
        if *ply == 0 { "White's king" } else { "another piece" }
    )]
    KingOutOfTime {
        /// The kind asked for.
        kind: Kind,
        /// The pieces on the board.
        ply: u8,
    },
    /// The opponent has just placed the queen, and the player to move holds one.
    #[error("the queen call must be answered with the queen, got a {0}")]
    QueenCall(Kind),
    /// A piece stands on the square.
    #[error("{0} is occupied")]
    Occupied(Square),
    /// No piece stands on any of the square's neighbours.
    #[error("{0} does not touch a piece")]
    NotTouching(Square),
    /// The player's other bishop stands on a square of the same colour.
    #[error("{square} has the colour of the other bishop's square, {other}")]
    BishopsOnOneColour {
        /// The square asked for.
        square: Square,
        /// Where the player's first bishop stands.
        other: Square,
    },
    /// White's last piece would leave no empty square beside it, so none for Black's king.
    #[error("{0} has no empty neighbour: Black's king, which must touch this piece, needs one")]
    NoSquareForKing(Square),
    /// Black's king must touch the piece that White placed last.
    #[error("Black's king must touch White's last piece on {last}, got {square}")]
    KingNotTouchingLast {
        /// The square asked for.
        square: Square,
        /// Where White placed the last piece.
        last: Square,
    },
}

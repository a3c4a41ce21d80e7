//! Why an action is refused: the reasons, and how one is found.

mod refusal;

use super::board::piece::Piece;
use crate::ActionId;
pub(super) use refusal::refusal;

/// Why an action is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A queen is surrounded, or the position has occurred three times.
    #[error("the game is over")]
    GameOver,
    /// The id is beyond the last.
    #[error("action {id} does not exist: expected 0 to {last}")]
    NoSuchAction {
        /// The id given.
        id: ActionId,
        /// The highest id.
        last: ActionId,
    },
    /// A pass is legal only when nothing else is.
    #[error("a pass is legal only if nothing else is")]
    PassWithMoves,

    /// The game is played without this piece.
    #[error("{piece} is not in this game")]
    NotInGame {
        /// The piece.
        piece: Piece,
    },
    /// The piece is the opponent's, and the player has nothing on the board that throws.
    #[error("{piece} is not your piece")]
    NotYours {
        /// The piece.
        piece: Piece,
    },
    /// Pieces of a kind are placed in the order of their numbers.
    #[error("{piece} is placed after {next}, which is still in hand")]
    OutOfOrder {
        /// The piece.
        piece: Piece,
        /// The piece of its kind that is placed next.
        next: Piece,
    },
    /// The first piece of the game is put elsewhere than on the origin.
    #[error("{piece} is the first piece of the game, so it must be placed on the origin")]
    FirstNotOnOrigin {
        /// The piece.
        piece: Piece,
    },
    /// The rule of tournaments: no queen on a side's first turn.
    #[error("{queen} cannot be placed on its side's first turn")]
    QueenOnFirstTurn {
        /// The queen.
        queen: Piece,
    },
    /// The queen is still in hand on a side's fourth turn.
    #[error("{queen} must be placed now, on its side's fourth turn, before {piece}")]
    QueenMustBePlaced {
        /// The queen in hand.
        queen: Piece,
        /// The piece given.
        piece: Piece,
    },
    /// A piece comes from the hand to a cell that touches the enemy.
    #[error("{piece} cannot be placed there: the cell touches {enemy}")]
    TouchesEnemy {
        /// The piece.
        piece: Piece,
        /// A piece of the enemy on top of a cell beside the target.
        enemy: Piece,
    },
    /// The piece would stand apart, or lose touch with the hive on its way: from the hand, it
    /// touches no piece of its own side.
    #[error("{piece} would not be connected to {}", if *.from_hand { "a piece of its side" } else { "the hive during its move" })]
    NotConnected {
        /// The piece.
        piece: Piece,
        /// Whether it comes from the hand.
        from_hand: bool,
    },
    /// The cell holds a piece, and this one cannot climb.
    #[error("{piece} cannot go there: {occupant} is on the cell")]
    Occupied {
        /// The piece.
        piece: Piece,
        /// The top piece of the cell.
        occupant: Piece,
    },

    /// Nothing moves or is thrown before the queen of the player is on the board.
    #[error("{piece} cannot move before {queen} is placed")]
    QueenNotPlaced {
        /// The piece.
        piece: Piece,
        /// The queen in hand.
        queen: Piece,
    },
    /// Another piece stands on this one.
    #[error("{piece} is under {top}")]
    Covered {
        /// The piece, or the thrower.
        piece: Piece,
        /// The piece on top of its stack.
        top: Piece,
    },
    /// The opponent has just moved or thrown the piece, so it can neither move nor throw.
    #[error("{piece} was moved in the last ply, so it can neither move nor throw")]
    Stunned {
        /// The piece, or the thrower.
        piece: Piece,
    },
    /// The hive does not hold without the piece.
    #[error("without {piece} the hive would split")]
    WouldSplit {
        /// The piece.
        piece: Piece,
    },
    /// The piece is on that cell.
    #[error("{piece} is already there")]
    AlreadyThere {
        /// The piece.
        piece: Piece,
    },
    /// A piece that takes one step goes further.
    #[error("{piece} moves one cell at a time, and that cell is not adjacent")]
    NotAdjacent {
        /// The piece.
        piece: Piece,
    },
    /// Two stacks beside the way leave no room.
    #[error("{piece} cannot pass between {} and {}", .gate[0], .gate[1])]
    GateBlocks {
        /// The piece.
        piece: Piece,
        /// The tops of the two stacks.
        gate: [Piece; 2],
    },
    /// A grasshopper leaves the straight line.
    #[error("{piece} jumps in a straight line")]
    NotStraight {
        /// The piece.
        piece: Piece,
    },
    /// A grasshopper goes on beyond a gap, or has nothing to jump over.
    #[error(
        "{piece} jumps over one piece or more to the first empty cell: in this direction it has {n_jumped} to jump over"
    )]
    GapInLine {
        /// The piece.
        piece: Piece,
        /// How many pieces stand in line before the first gap.
        n_jumped: usize,
    },
    /// No path of exactly three slides.
    #[error("{piece} moves exactly three cells around the hive, and no such path ends there")]
    NotThreeSteps {
        /// The spider.
        piece: Piece,
    },
    /// No path of slides.
    #[error("{piece} finds no path around the hive to that cell")]
    NoPath {
        /// The ant.
        piece: Piece,
    },
    /// No path of two steps on the hive and one down.
    #[error("{piece} moves two cells on top of the hive and one down, and no such path ends there")]
    NoPathOverHive {
        /// The ladybug.
        piece: Piece,
    },
    /// A mosquito touches no other kind, so it has no power.
    #[error("{piece} touches only mosquitoes, so it has no power")]
    OnlyMosquitoes {
        /// The mosquito.
        piece: Piece,
    },
    /// No piece that a mosquito touches can do what is asked.
    #[error("nothing that {piece} touches can do that")]
    NoNeighbourCan {
        /// The mosquito.
        piece: Piece,
    },
    /// No pillbug of the player, nor a mosquito in its place, touches both cells of a throw.
    #[error("{piece} cannot be thrown: no pillbug of yours touches both cells")]
    NoPillbugReaches {
        /// The piece of the opponent.
        piece: Piece,
    },
    /// A piece in a stack cannot be thrown.
    #[error("{piece} cannot be thrown: it is on top of {under}")]
    TargetStacked {
        /// The piece of the opponent.
        piece: Piece,
        /// What lies under it.
        under: Piece,
    },
    /// The opponent has just moved the piece, so it cannot be thrown.
    #[error("{piece} cannot be thrown: it was moved in the last ply")]
    TargetMovedLast {
        /// The piece of the opponent.
        piece: Piece,
    },
}

//! Hive, with the expansions Mosquito, Ladybug and Pillbug.
//!
//! # Rules
//! - A turn places a piece beside one's own and away from the enemy's, or moves one. The queen
//!   comes by a side's fourth turn, not on its first in tournaments; before her nothing moves.
//! - The hive stays in one piece, also while a bug moves, and no bug passes between two stacks
//!   higher than where it comes from and where it goes to.
//! - Queen, pillbug: one slide. Ant: any number. Spider: three. Grasshopper: a straight jump.
//!   Beetle: one step, also on top. Ladybug: two steps on top, one down. Mosquito: as what it
//!   touches. Pillbug: also throws a neighbour of either side over itself.
//! - What the last ply moved or threw is *stunned*: it cannot move, be thrown or throw. Who has
//!   no move passes.
//! - A queen with six neighbours loses, both at once draw, and so does the third occurrence of a
//!   position, which may be translated, with the same player to move and piece stunned. In games
//!   without a pillbug that changes nothing, and there no piece is.
//!
//! # Actions
//! `piece * 1024 + cell` puts one of the 28 pieces ([`Piece`]) on a cell ([`Cell`]), from the hand
//! or from the board, by its own power or by a throw; 28,672 is the pass. See [`Action`].
//!
//! # Text
//! Actions are MoveStrings and states are GameStrings of the Universal Hive Protocol, such as
//! `bA1 wS1-` and `Base+MLP;InProgress;White[2];wS1;bA1 wS1-`:
//! <https://github.com/jonthysell/Mzinga/wiki/UniversalHiveProtocol>. Any reference piece is read;
//! the one that is written is the top of the stack that the piece goes on, or else the first that
//! the piece comes to lie east, north-east, north-west, west, south-west or south-east of, in this
//! order. The type alone is read as the beginning of a game.
//!
//! # Drawing
//! The hexes with their top pieces and `.` where the hive ends, each row half a hex to the right of
//! the row above; `^2` is the height of a stack, `*` a stunned piece. Then what a look at the hive
//! does not tell: the stacks, the pieces in hand, who is to move.
//!
//! # Observation
//! `[64, 16, 16]`: a window with the hive in its middle, see
//! [`Encode::plane_descriptions`](crate::Encode::plane_descriptions). Columns run along q, rows
//! along r, so that the neighbours of (column, row) are (±1, 0), (0, ±1), (1, -1) and (-1, 1). A
//! hive that is longer than the window is folded, coordinates modulo 16, and a plane tells where.
//! The policy is `[265, 16, 16]`: for each source, a plane of destinations. Sources are the cells of
//! the window, the mover's hand for each of the eight kinds, and the pass. The symmetries are the
//! twelve of the grid that keep the origin. Features name bugs by their places around both queens,
//! who can move, and liberties: the tables stand in `features.rs`, and they are part of the encoding.

mod board;
mod config;
mod drawing;
mod encoding;
mod features;
mod illegal;
mod movement;
mod notation;
mod rules;
mod state;
mod view;

#[cfg(test)]
mod tests;

pub use board::action::{Action, N_ACTIONS};
pub use board::cell::{Cell, Direction, N_CELLS, SIDE};
pub use board::piece::{Kind, N_KINDS, N_PIECES, N_PIECES_A_SIDE, Piece};
pub use config::{ConfigError, Hive, Opening};
pub use illegal::Illegal;
pub use rules::{Deed, Played};
pub use state::State;

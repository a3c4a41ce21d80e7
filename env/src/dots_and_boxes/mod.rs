//! Dots and Boxes on `rows x cols` boxes, each 1 to 10.
//!
//! # Rules
//! - An action draws one undrawn edge between two neighbouring dots.
//! - Completing one or two boxes scores them, and the same player moves again; otherwise the turn
//!   passes. Capturing is not compulsory.
//! - The game is played to the last edge; more boxes wins, equal boxes is a draw.
//!
//! # Actions
//! Rows and columns count from 0, top left.
//!
//! | ids | edge |
//! |---|---|
//! | `r*cols + c` | horizontal, above the box in row r (`0..=rows`), column c |
//! | `(rows+1)*cols + r*(cols+1) + c` | vertical, left of the box in row r, column c (`0..=cols`) |
//!
//! # Text
//! An action is `F-C-h` (the top edge of box F,C) or `F-C-v` (its left edge), counted from 1;
//! the bottom border is row `rows+1`, the right border column `cols+1`. A state is
//! `HORIZONTAL:VERTICAL:OWNERS:MOVER`, rows joined by `/`: edges as `0`/`1`, owners as `.`
//! (open), `0` or `1` (the player who took the box), and the player to move. The empty 1x2 board
//! is `00/00:000:..:0`.
//!
//! # Drawing
//! Dots as `+`, drawn edges as `---` and `|`, each taken box with its owner's number. Rows and
//! columns are numbered as in the texts.
//!
//! # Observation
//! `[15, rows+1, cols+1]`; the cell (r, c) stands for box (r, c), its top edge and its left edge:
//! see [`Encode::plane_descriptions`](crate::Encode::plane_descriptions). The policy is
//! `[2, rows+1, cols+1]`: plane 0 the horizontal edges, plane 1 the vertical ones. Features name boxes, chains and loops:
//! the table stands in `features.rs`, and they are part of the encoding.

mod board;
mod chains;
mod config;
mod drawing;
mod encoding;
mod features;
mod illegal;
mod notation;
mod rules;
mod state;
mod view;

pub use board::{BoxId, MAX_SIDE};
pub use config::{ConfigError, DotsAndBoxes};
pub use illegal::Illegal;
pub use rules::Played;
pub use state::State;

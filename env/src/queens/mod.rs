//! Queens duel: non-attacking queens for two, on `n x n` cells, n even, 2 to 16.
//!
//! # Rules
//! - White (player 0) and Black (player 1) in turn place one queen on a *free* cell: one that no
//!   queen on the board, own or enemy, occupies or attacks. There is no passing.
//! - The game ends when no cell is free. With t queens on the board White wins if t is odd (White
//!   placed more), Black if t is even and below n (as many each).
//! - With t = n each has placed n/2 and reached the goal: the parameter `full_board` says who
//!   wins, `white` (the default), `black` or neither (`draw`): [`FullBoard`].
//!
//! A spec is `queens:8`, or `queens:8,full_board=draw`.
//!
//! # Actions
//! | ids | action |
//! |---|---|
//! | `y*n + x` | a queen on the cell in column x, row y, both from 0 |
//!
//! # Text
//! An action is `x,y`. A state is its rows from row 0 on, joined by `/`: `.` an empty cell, `W`
//! and `B` the queens that White and Black placed. Whose turn it is follows from their number.
//! The empty 2x2 board is `../..`.
//!
//! # Drawing
//! The queens as `W` (player 0) and `B` (player 1), free cells as `.`, attacked ones as `x`. Columns
//! and rows are numbered as in the texts.
//!
//! # Observation
//! `[8, n, n]`; the cell (y, x) of a plane is that of the board: see
//! [`Encode::plane_descriptions`](crate::Encode::plane_descriptions). The policy is `[1, n, n]`.
//! Features name free cells and what a queen there leaves: the table stands in `features.rs`, and
//! they are part of the encoding.

mod board;
mod config;
mod drawing;
mod encoding;
mod features;
mod illegal;
mod notation;
mod rules;
mod state;
mod view;

pub use board::{Cell, MAX_SIDE};
pub use config::{ConfigError, FullBoard, Queens};
pub use illegal::Illegal;
pub use rules::Played;
pub use state::State;

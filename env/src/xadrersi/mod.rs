//! Xadrersi, or Cheversi (Andy Lewicki): chess pieces placed on an empty 8x8 board.
//!
//! # Rules
//! - Each side has K, Q, 2 R, 2 B, 2 N. White (player 0) begins; the sides place one piece a turn,
//!   sixteen in all. Nothing moves and nothing is captured; kings may be attacked.
//! - White's king comes first, on any square; Black's king last. Every other piece goes on an empty
//!   square that *touches* (is one of the 8 neighbours of) a piece of either side.
//! - The two bishops of a side stand on squares of different colours. When a side places its queen
//!   while the other still holds its own, the other must place its queen at once (*queen call*).
//! - Black's king must touch the piece that White placed last, which must leave it a square.
//! - A side has one point for every pair of an own piece and an *empty* square that it attacks, by
//!   the moves of chess. After the sixteenth piece the higher score wins; equal scores draw.
//!
//! # Actions
//! | ids | action |
//! |---|---|
//! | `kind*64 + square` | a piece of the kind (K Q R B N = 0 to 4) on the square (a1 = 0, b1 = 1, … h8 = 63) |
//!
//! # Text
//! An action is a piece and a square, such as `Qd4`. A state is `PLACEMENT:LAST`: the board as in
//! chess (FEN: ranks 8 to 1, White's pieces `KQRBN`, Black's `kqrbn`, numbers for empty squares)
//! and the square of White's last piece while only Black's king is missing, else `-`. Whose turn
//! it is follows from the number of pieces. The empty board is `8/8/8/8/8/8/8/8:-`.
//!
//! # Drawing
//! White's pieces are capitals, Black's small letters. An empty square that is attacked shows how
//! often it counts for White and for Black, such as `2:0`; the others are dots.
//!
//! # Observation
//! `[26, 8, 8]`; the cell (r, c) of a plane is the square of rank r + 1 in file c (a = 0): see
//! [`Encode::plane_descriptions`](crate::Encode::plane_descriptions). The policy is `[5, 8, 8]`, a
//! plane a kind. Features name attacked squares, gains and losses: the table stands in `features.rs`,
//! and they are part of the encoding.

mod board;
mod config;
mod drawing;
mod encoding;
mod features;
mod illegal;
mod notation;
mod pieces;
mod rules;
mod state;
mod view;

pub use board::square::Square;
pub use config::{ConfigError, Xadrersi};
pub use illegal::Illegal;
pub use pieces::kind::Kind;
pub use pieces::scoring::MAX_POINTS;
pub use rules::Played;
pub use state::State;

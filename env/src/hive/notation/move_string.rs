//! MoveStrings of the Universal Hive Protocol
//! (<https://github.com/jonthysell/Mzinga/wiki/UniversalHiveProtocol>).
//!
//! | text | the piece goes |
//! |---|---|
//! | `wS1` | on the origin of the empty board |
//! | `bA1 wS1-` `bA1 wS1/` `bA1 \wS1` `bA1 -wS1` `bA1 /wS1` `bA1 wS1\` | beside `wS1`: east, north-east, north-west, west, south-west, south-east of it |
//! | `wB1 bQ` | on top of the stack that holds `bQ` |
//! | `pass` | - |
//!
//! # Read
//! Any piece on the board serves as the reference, also a covered one and the moving piece
//! itself: it stands for its cell as the board is before the move. Upper and lower case make no
//! difference.
//!
//! # Written
//! The reference is chosen as the board is once the moving piece has been lifted: the top of
//! the stack that it goes on; else the first piece found in the order of the table's second row,
//! the top of each stack. A cell that touches nothing, where no legal move goes, is written as
//! its coordinates on the torus, `wA1 @5,31`, and read so, so that each action has a text.

use crate::NotationError;
use crate::hive::board::action::Action;
use crate::hive::board::cell::{Cell, Direction, SIDE};
use crate::hive::board::piece::Piece;
use crate::hive::state::State;
use std::fmt::Write;

/// The marks around a reference piece, before it and after it, by the direction in which the
/// moving piece stands from it.
const MARKS: [(Direction, &str, &str); 6] = [
    (Direction::East, "", "-"),
    (Direction::NorthEast, "", "/"),
    (Direction::NorthWest, "\\", ""),
    (Direction::West, "-", ""),
    (Direction::SouthWest, "/", ""),
    (Direction::SouthEast, "", "\\"),
];

/// The text of any action, legal or not.
pub(super) fn write(state: &State, action: Action) -> String {
    let Action::Put(piece, cell) = action else {
        return "pass".to_owned();
    };
    let mut text = piece.to_string();
    // Writing to a string does not fail.
    let _ = if let Some(top) = top_without(state, cell, piece) {
        write!(text, " {top}")
    } else if let Some((reference, before, after)) = beside(state, cell, piece) {
        write!(text, " {before}{reference}{after}")
    } else if cell == Cell::ORIGIN && is_empty(state) {
        Ok(())
    } else {
        write!(text, " @{},{}", cell.q(), cell.r())
    };
    text
}

/// The top of a cell once `lifted` is gone.
fn top_without(state: &State, cell: Cell, lifted: Piece) -> Option<Piece> {
    state.stack(cell).find(|&piece| piece != lifted)
}

/// The reference for a cell without pieces, and the marks before and after it.
fn beside(state: &State, cell: Cell, lifted: Piece) -> Option<(Piece, &str, &str)> {
    MARKS.into_iter().find_map(|(direction, before, after)| {
        let neighbour = cell.neighbour(direction.opposite());
        Some((top_without(state, neighbour, lifted)?, before, after))
    })
}

fn is_empty(state: &State) -> bool {
    Piece::all().all(|piece| state.cell_of(piece).is_none())
}

/// Reads an action.
pub(super) fn parse(state: &State, text: &str) -> Result<Action, NotationError> {
    let mut words = text.split_whitespace();
    let (first, second) = match (words.next(), words.next(), words.next()) {
        (Some(first), second, None) => (first, second),
        _ => return Err(expected("PIECE, PIECE REFERENCE or pass", text.trim())),
    };
    if first.eq_ignore_ascii_case("pass") {
        return match second {
            None => Ok(Action::Pass),
            Some(_) => Err(expected("nothing after pass", text.trim())),
        };
    }
    let piece = Piece::parse(first).ok_or_else(|| expected(PIECE, first))?;
    let cell = match second {
        Some(reference) => parse_cell(state, reference)?,
        None if is_empty(state) => Cell::ORIGIN,
        None => {
            let form =
                format!("{piece} with a place, such as {piece} wS1-, on a board with pieces");
            return Err(expected(&form, first));
        }
    };
    Ok(Action::Put(piece, cell))
}

const PIECE: &str = "a piece: w or b, then Q, S1, S2, B1, B2, G1 to G3, A1 to A3, M, L or P";

fn expected(expected: &str, got: &str) -> NotationError {
    NotationError::Action {
        expected: expected.to_owned(),
        got: got.to_owned(),
    }
}

/// The cell that a reference names.
fn parse_cell(state: &State, text: &str) -> Result<Cell, NotationError> {
    if let Some(coordinates) = text.strip_prefix('@') {
        return parse_coordinates(coordinates)
            .ok_or_else(|| expected("@Q,R with Q and R from 0 to 31", text));
    }
    let on_board = |name: &str| {
        let piece = Piece::parse(name).ok_or_else(|| {
            let form = format!("one of - / \\ before or after {PIECE}; or the piece alone");
            expected(&form, text)
        })?;
        state
            .cell_of(piece)
            .ok_or_else(|| expected("a reference to a piece on the board", text))
    };
    for (direction, before, after) in MARKS {
        let inner = text
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after));
        if let Some(name) = inner {
            return Ok(on_board(name)?.neighbour(direction));
        }
    }
    on_board(text)
}

fn parse_coordinates(text: &str) -> Option<Cell> {
    let (q, r) = text.split_once(',')?;
    let (q, r) = (q.parse::<usize>().ok()?, r.parse::<usize>().ok()?);
    (q < SIDE && r < SIDE).then(|| Cell::new(q as i32, r as i32))
}

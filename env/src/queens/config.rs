//! The parameters of the game and their text.

use crate::Player;
use std::fmt;

/// The longest side of a board.
pub const MAX_SIDE: usize = 16;

/// Who wins with as many queens as the board has rows. White has then placed half of them, which
/// is White's goal; and Black as many as White, which is Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FullBoard {
    /// White, player 0.
    #[default]
    White,
    /// Black, player 1. The last player to place a queen then wins in every case: normal play.
    Black,
    /// Neither.
    Draw,
}

impl FullBoard {
    /// Every reading.
    pub const ALL: [FullBoard; 3] = [FullBoard::White, FullBoard::Black, FullBoard::Draw];

    /// Who wins a full board; `None` is a draw.
    #[inline]
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            FullBoard::White => Some(Player::First),
            FullBoard::Black => Some(Player::Second),
            FullBoard::Draw => None,
        }
    }
}

impl fmt::Display for FullBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FullBoard::White => "white",
            FullBoard::Black => "black",
            FullBoard::Draw => "draw",
        })
    }
}

/// Parameters that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The side is odd, or no board is so small or large.
    #[error("the side of the board is an even number from 2 to {MAX_SIDE}, got {side}")]
    Side {
        /// The side asked for.
        side: usize,
    },
    /// The text does not have the form of the parameters.
    #[error(
        "expected SIDE (even, 2 to {MAX_SIDE}), or SIDE,full_board=white|black|draw, such as \
         8,full_board=draw; got {got:?}"
    )]
    Parameters {
        /// The text given.
        got: String,
    },
}

/// Reads `SIDE` or `SIDE,full_board=READING`. The side is a number, not necessarily a valid one.
pub(super) fn read_parameters(text: &str) -> Result<(usize, FullBoard), ConfigError> {
    let read = || {
        let (side, rest) = match text.split_once(',') {
            Some((side, rest)) => (side, Some(rest)),
            None => (text, None),
        };
        let side = side.trim().parse().ok()?;
        let Some(rest) = rest else {
            return Some((side, FullBoard::default()));
        };
        let (name, value) = rest.split_once('=')?;
        if name.trim() != "full_board" {
            return None;
        }
        let reading = FullBoard::ALL
            .into_iter()
            .find(|reading| reading.to_string() == value.trim())?;
        Some((side, reading))
    };
    read().ok_or_else(|| ConfigError::Parameters {
        got: text.to_owned(),
    })
}

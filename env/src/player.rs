use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two players. Player 0 ([`Player::First`]) moves first in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
#[serde(into = "u8", try_from = "u8")]
pub enum Player {
    /// Player 0: the one who makes the first move of the game.
    First = 0,
    /// Player 1.
    Second = 1,
}

impl Player {
    /// Both players, in order.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// 0 or 1: the position of this player in every `[_; 2]` of this crate.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other player.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// +1 for player 0, -1 for player 1. A value that has a point of view changes it by
    /// [`ForFirst`](crate::ForFirst) instead.
    #[inline]
    #[must_use]
    pub const fn sign(self) -> i8 {
        match self {
            Player::First => 1,
            Player::Second => -1,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.index())
    }
}

impl From<Player> for u8 {
    fn from(player: Player) -> u8 {
        player as u8
    }
}

/// The number is neither 0 nor 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a player is 0 or 1, got {0}")]
pub struct NotAPlayer(pub u8);

impl TryFrom<u8> for Player {
    type Error = NotAPlayer;
    fn try_from(value: u8) -> Result<Self, NotAPlayer> {
        match value {
            0 => Ok(Player::First),
            1 => Ok(Player::Second),
            other => Err(NotAPlayer(other)),
        }
    }
}

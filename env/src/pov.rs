//! Points of view: who sees a number.
//!
//! A value is good for somebody. Two wrappers say for whom, so that a sign cannot be forgotten:
//! what searches store is [`ForFirst`], what a player chooses by and a network answers is
//! [`ForMover`]. The same player may move several times in a row, so neither follows from the ply.

use crate::Player;
use serde::{Deserialize, Serialize};

/// A value that one player's gain makes the other player's loss.
pub trait Flip: Copy {
    /// The same value as the other player sees it.
    #[must_use]
    fn flipped(self) -> Self;
}

macro_rules! flip_by_sign {
    ($($number:ty),*) => {
        $(impl Flip for $number {
            #[inline]
            fn flipped(self) -> Self {
                -self
            }
        })*
    };
}

flip_by_sign!(i8, i32, f32, f64);

/// A value as player 0 sees it, whoever moves. JSON has the value alone.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct ForFirst<T>(pub T);

/// A value as the player to move sees it. JSON has the value alone.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct ForMover<T>(pub T);

impl<T: Flip> ForFirst<T> {
    /// A value that `player` sees.
    #[inline]
    #[must_use]
    pub fn from_player(value: T, player: Player) -> Self {
        ForFirst(value).turned(player)
    }

    /// The value as `player` sees it.
    #[inline]
    #[must_use]
    pub fn seen_by(self, player: Player) -> T {
        self.turned(player).0
    }

    /// The value as `mover`, the player to move, sees it.
    #[inline]
    #[must_use]
    pub fn for_mover(self, mover: Player) -> ForMover<T> {
        ForMover(self.seen_by(mover))
    }

    #[inline]
    fn turned(self, player: Player) -> Self {
        match player {
            Player::First => self,
            Player::Second => ForFirst(self.0.flipped()),
        }
    }
}

impl<T: Flip> ForMover<T> {
    /// The value as player 0 sees it, where `mover` is the player to move.
    #[inline]
    #[must_use]
    pub fn for_first(self, mover: Player) -> ForFirst<T> {
        ForFirst::from_player(self.0, mover)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_from_either_side() {
        for player in Player::BOTH {
            let stored = ForFirst::from_player(3_i32, player);
            assert_eq!(stored.seen_by(player), 3);
            assert_eq!(stored.seen_by(player.opponent()), -3);
            assert_eq!(stored.for_mover(player).for_first(player), stored);
        }
        assert_eq!(ForFirst::from_player(3, Player::Second), ForFirst(-3));
    }
}

use crate::{ForFirst, Player};
use serde::{Deserialize, Serialize};

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Player>,
    /// The points of both players, in games that have points.
    pub points: Option<[i32; 2]>,
}

impl Outcome {
    /// The outcome of a game that the higher number of points wins.
    #[must_use]
    pub fn from_points(points: [i32; 2]) -> Self {
        let winner = match points[0].cmp(&points[1]) {
            std::cmp::Ordering::Greater => Some(Player::First),
            std::cmp::Ordering::Less => Some(Player::Second),
            std::cmp::Ordering::Equal => None,
        };
        Outcome {
            winner,
            points: Some(points),
        }
    }

    /// The outcome of a game without points.
    #[must_use]
    pub fn won_by(winner: Option<Player>) -> Self {
        Outcome {
            winner,
            points: None,
        }
    }

    /// +1 for a win, 0 for a draw, -1 for a loss.
    #[inline]
    #[must_use]
    pub fn value(&self) -> ForFirst<i8> {
        ForFirst(self.return_for(Player::First))
    }

    /// The lead in points, in games that have points.
    #[inline]
    #[must_use]
    pub fn lead(&self) -> Option<ForFirst<i32>> {
        let [first, second] = self.points?;
        Some(ForFirst(first - second))
    }

    /// +1, 0 or -1 for each player; the two sum to zero.
    #[inline]
    #[must_use]
    pub fn returns(&self) -> [i8; 2] {
        Player::BOTH.map(|player| self.return_for(player))
    }

    /// +1, 0 or -1 for `player`.
    #[inline]
    #[must_use]
    pub fn return_for(&self, player: Player) -> i8 {
        match self.winner {
            None => 0,
            Some(winner) if winner == player => 1,
            Some(_) => -1,
        }
    }
}

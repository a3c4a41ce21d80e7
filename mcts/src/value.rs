//! Points of view. Whatever is stored is stored as player 0 sees it, and read through the player
//! who chooses; a sign that depends on the ply would be wrong where a player moves twice.

use crate::Wdl;
use tablero_env::{Outcome, Player};

/// An expected return, -1..=1, as player 0 sees it, whoever moves.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct FirstValue(pub f32);

impl FirstValue {
    /// The expected return of `player`.
    #[inline]
    pub fn seen_by(self, player: Player) -> f32 {
        self.0 * f32::from(player.sign())
    }
}

/// Probabilities of a win, a draw and a loss as player 0 sees them, as expected return and
/// probability of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct FirstWdl {
    pub value: FirstValue,
    pub draw: f32,
}

impl FirstWdl {
    /// Nothing is known: each result is as likely as the others.
    pub const UNKNOWN: FirstWdl = FirstWdl {
        value: FirstValue(0.0),
        draw: 1.0 / 3.0,
    };

    /// The judgement of an evaluator. Numbers that are no probabilities (not finite, negative,
    /// all 0) say nothing; others are scaled to sum to 1.
    #[inline]
    pub fn from_mover(wdl: Wdl, mover: Player) -> Self {
        let total = wdl.win + wdl.draw + wdl.loss;
        let valid = wdl.win >= 0.0 && wdl.draw >= 0.0 && wdl.loss >= 0.0;
        if !valid || !total.is_finite() || total <= 0.0 {
            return FirstWdl::UNKNOWN;
        }
        FirstWdl {
            value: FirstValue((wdl.win - wdl.loss) / total * f32::from(mover.sign())),
            draw: wdl.draw / total,
        }
    }

    /// The result of a finished game.
    #[inline]
    pub fn from_outcome(outcome: &Outcome) -> Self {
        let value = outcome.return_for(Player::First);
        FirstWdl {
            value: FirstValue(f32::from(value)),
            draw: if value == 0 { 1.0 } else { 0.0 },
        }
    }

    /// The probabilities for `player`.
    pub fn seen_by(self, player: Player) -> Wdl {
        let value = self.value.seen_by(player);
        // A mean of values from elsewhere may leave less room for draws; rounding, too.
        let draw = self.draw.min(1.0 - value.abs()).max(0.0);
        let decided = 1.0 - draw;
        Wdl {
            win: ((decided + value) / 2.0).max(0.0),
            draw,
            loss: ((decided - value) / 2.0).max(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JUDGED: Wdl = Wdl {
        win: 0.5,
        draw: 0.375,
        loss: 0.125,
    };

    #[test]
    fn the_mover_reads_back_what_was_stored_and_the_opponent_the_reverse() {
        for mover in Player::BOTH {
            let stored = FirstWdl::from_mover(JUDGED, mover);
            assert_eq!(stored.seen_by(mover), JUDGED);
            assert_eq!(stored.seen_by(mover.opponent()), JUDGED.flipped());
            assert_eq!(stored.value.seen_by(mover), JUDGED.value());
        }
    }

    #[test]
    fn numbers_that_are_no_probabilities_say_nothing() {
        for bad in [f32::NAN, f32::INFINITY, -1.0] {
            let wdl = Wdl { win: bad, ..JUDGED };
            assert_eq!(FirstWdl::from_mover(wdl, Player::Second), FirstWdl::UNKNOWN);
        }
        let zeros = Wdl {
            win: 0.0,
            draw: 0.0,
            loss: 0.0,
        };
        assert_eq!(
            FirstWdl::from_mover(zeros, Player::First),
            FirstWdl::UNKNOWN
        );
    }

    #[test]
    fn a_finished_game_is_certain() {
        let won = Outcome::won_by(Some(Player::Second));
        let stored = FirstWdl::from_outcome(&won);
        assert_eq!(stored.seen_by(Player::Second), Wdl::WIN);
        assert_eq!(stored.seen_by(Player::First), Wdl::LOSS);
        let drawn = FirstWdl::from_outcome(&Outcome::won_by(None));
        assert_eq!(drawn.seen_by(Player::First), Wdl::DRAW);
    }
}

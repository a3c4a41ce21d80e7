//! What is believed and what is proven of a position, in one value.

use crate::Wdl;
use crate::bounds::Bounds;
use tablero_env::{ForFirst, ForMover, Outcome, Player};

/// Probabilities of the results, as expected return and probability of a draw, and the bounds that
/// are proven; the former within the latter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// The expected return, -1..=1.
    pub value: ForFirst<f32>,
    /// The probability of a draw, 0..=1.
    pub draw: f32,
    /// Between which results best play must end.
    pub bounds: Bounds,
}

impl Estimate {
    /// Nothing is known: each result is as likely as the others.
    pub const UNKNOWN: Estimate = Estimate {
        value: ForFirst(0.0),
        draw: 1.0 / 3.0,
        bounds: Bounds::OPEN,
    };

    /// An evaluator's answer, of which nothing is proven. Numbers that are no probabilities (not
    /// finite, negative, all 0) say nothing; others are scaled to sum to 1.
    #[inline]
    pub fn from_mover(wdl: ForMover<Wdl>, mover: Player) -> Self {
        let wdl = wdl.0;
        let total = wdl.win + wdl.draw + wdl.loss;
        let valid = wdl.win >= 0.0 && wdl.draw >= 0.0 && wdl.loss >= 0.0;
        if !valid || !total.is_finite() || total <= 0.0 {
            return Estimate::UNKNOWN;
        }
        Estimate {
            value: ForFirst::from_player((wdl.win - wdl.loss) / total, mover),
            draw: wdl.draw / total,
            bounds: Bounds::OPEN,
        }
    }

    /// The result of a finished game.
    #[inline]
    pub fn from_outcome(outcome: &Outcome) -> Self {
        Estimate::UNKNOWN.within(Bounds::exactly(outcome.value()))
    }

    /// The estimate without the results that these bounds rule out. Their probability goes to the
    /// nearest result within: the player who has secured that one takes it instead.
    #[inline]
    pub fn within(self, bounds: Bounds) -> Estimate {
        let Estimate { value, draw, .. } = self;
        let bounds = self.bounds & bounds;
        let (win, loss) = ((1.0 - draw + value.0) / 2.0, (1.0 - draw - value.0) / 2.0);
        let (value, draw) = match bounds.returns() {
            [-1, 1] => (value.0, draw),
            [0, 1] => (win.clamp(0.0, 1.0), (1.0 - win).clamp(0.0, 1.0)),
            [-1, 0] => (-loss.clamp(0.0, 1.0), (1.0 - loss).clamp(0.0, 1.0)),
            [exact, _] => (f32::from(exact), if exact == 0 { 1.0 } else { 0.0 }),
        };
        Estimate {
            value: ForFirst(value),
            draw,
            bounds,
        }
    }

    /// The probabilities as `mover` sees them.
    pub fn wdl(self, mover: Player) -> ForMover<Wdl> {
        let value = self.value.seen_by(mover);
        // A mean of values from elsewhere may leave less room for draws; rounding, too.
        let draw = self.draw.min(1.0 - value.abs()).max(0.0);
        let decided = 1.0 - draw;
        ForMover(Wdl {
            win: ((decided + value) / 2.0).max(0.0),
            draw,
            loss: ((decided - value) / 2.0).max(0.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::Flip;

    const ANSWER: Wdl = Wdl {
        win: 0.5,
        draw: 0.375,
        loss: 0.125,
    };

    #[test]
    fn the_mover_reads_back_what_was_stored_and_the_opponent_the_reverse() {
        for mover in Player::BOTH {
            let stored = Estimate::from_mover(ForMover(ANSWER), mover);
            assert_eq!(stored.wdl(mover).0, ANSWER);
            assert_eq!(stored.wdl(mover.opponent()).0, ANSWER.flipped());
            assert_eq!(stored.value.seen_by(mover), ANSWER.value());
        }
    }

    #[test]
    fn numbers_that_are_no_probabilities_say_nothing() {
        let read = |wdl| Estimate::from_mover(ForMover(wdl), Player::Second);
        for bad in [f32::NAN, f32::INFINITY, -1.0] {
            assert_eq!(read(Wdl { win: bad, ..ANSWER }), Estimate::UNKNOWN);
        }
        let zeros = Wdl {
            win: 0.0,
            draw: 0.0,
            loss: 0.0,
        };
        assert_eq!(read(zeros), Estimate::UNKNOWN);
    }

    #[test]
    fn a_finished_game_is_certain() {
        let won = Estimate::from_outcome(&Outcome::won_by(Some(Player::Second)));
        assert_eq!(won.wdl(Player::Second).0, Wdl::WIN);
        assert_eq!(won.wdl(Player::First).0, Wdl::LOSS);
        assert_eq!(won.bounds, Bounds::SECOND_WINS);
        let drawn = Estimate::from_outcome(&Outcome::won_by(None));
        assert_eq!(drawn.wdl(Player::First).0, Wdl::DRAW);
    }

    #[test]
    fn what_is_out_of_bounds_becomes_the_nearest_result() {
        // Player 0 wins 0.25, draws 0.25 and loses 0.5.
        let estimate = Estimate {
            value: ForFirst(-0.25),
            draw: 0.25,
            bounds: Bounds::OPEN,
        };
        let within = |lead| {
            let Estimate { value, draw, .. } = estimate.within(Bounds::from_lead(ForFirst(lead)));
            (value.0, draw)
        };
        assert_eq!(within([-1, 1]), (-0.25, 0.25));
        assert_eq!(within([0, 1]), (0.25, 0.75));
        assert_eq!(within([-1, 0]), (-0.5, 0.5));
        assert_eq!(within([1, 1]), (1.0, 0.0));
        assert_eq!(within([0, 0]), (0.0, 1.0));
        assert_eq!(within([-1, -1]), (-1.0, 0.0));
    }
}

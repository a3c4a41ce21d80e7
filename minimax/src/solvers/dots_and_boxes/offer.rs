//! Capturable boxes: what may be taken for granted about them.
//!
//! In the strings-and-coins view of the game (Berlekamp, Conway and Guy, "Winning Ways", 1982)
//! a box is a coin, an open edge a string that ties two coins, or a coin to the ground; a
//! capturable box is a coin with one string left. Cutting off such coins for as long as there
//! are any takes a set of coins and leaves a position without capturable boxes, the *rest*; the
//! order makes no difference. The player to move has two choices, one of which is best
//! (Berlekamp, "The Dots-and-Boxes Game", 2000; Barker and Korf, "Solving Dots-and-Boxes",
//! 2012):
//!
//! - take all, and go on in the rest;
//! - take all but a pair of coins tied to each other (or two such pairs), and cut the pair off
//!   the rest (or the pairs off each other): the opponent takes them, and must go on in the
//!   same rest. This is the *handout*.
//!
//! One pair can be left where a tree of at least two coins hangs on the rest or on the ground
//! by one string: that string is cut. Two pairs can be left where a tree of coins hangs on
//! nothing and one of its strings has more coins on both sides: that string is cut.
//!
//! The tests of this file compare these rules with plain minimax on every position of small
//! boards.

use super::bounds::Bounds;
use super::lines::{Lines, Open};

/// What a player finds who is to move: boxes to take, and what is left after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// The position when everything has been taken: no box in it can be taken.
    pub(super) rest: Open,
    /// How many boxes can be taken in one go.
    pub(super) taken: i32,
    /// How many of them must be handed out to make the opponent go on in `rest`.
    pub(super) handout: Option<i32>,
}

impl Offer {
    /// The net boxes of the player who finds the offer, given those of the player who is to move
    /// in the rest.
    pub(super) fn net(&self, rest: Bounds) -> Bounds {
        let takes_all = Bounds {
            lower: self.taken + rest.lower,
            upper: self.taken + rest.upper,
        };
        match self.handout {
            None => takes_all,
            Some(given) => {
                let kept = self.taken - 2 * given;
                Bounds {
                    // Whatever the rest is worth, one of the two would rather not begin there.
                    lower: takes_all
                        .lower
                        .max(kept - rest.upper)
                        .max(self.taken - given),
                    upper: takes_all.upper.max(kept - rest.lower),
                }
            }
        }
    }
}

/// Whether exactly one of the sides is open.
#[inline]
fn capturable(sides: Open, open: Open) -> bool {
    (sides & open).is_power_of_two()
}

impl Lines {
    /// The offer in a position where no other boxes than those of `candidates`, given by their
    /// sides (none for no box), can be taken at once.
    #[inline]
    pub(super) fn offer(&self, open: Open, candidates: &[Open]) -> Offer {
        let mut rest = open;
        let mut taken = 0;
        // All sides of the coins that a tree hung on when it was cut off.
        let mut hung_on = 0;
        let mut pair = false;
        let mut two_pairs = false;
        for &candidate in candidates {
            let mut coin = candidate;
            while capturable(coin, rest) {
                let string = (coin & rest).trailing_zeros() as usize;
                rest &= !(1 << string);
                taken += 1;
                let [one, other] = self.bordering[string];
                let neighbour = if one == coin { other } else { one };
                if !capturable(coin, open) {
                    // Other coins hung on this one, and have been cut off before.
                    pair |= neighbour == 0;
                    hung_on |= neighbour;
                    two_pairs |= neighbour != 0 && !capturable(neighbour, open);
                }
                if neighbour != 0 && neighbour & rest == 0 {
                    taken += 1;
                }
                coin = neighbour;
            }
        }
        pair |= hung_on & rest != 0;
        let handout = match (pair, two_pairs) {
            (true, _) => Some(2),
            (false, true) => Some(4),
            (false, false) => None,
        };
        Offer {
            rest,
            taken,
            handout,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounds::Bounds;
    use super::super::lines::Lines;
    use super::super::retrograde::Retrograde;
    use tablero_env::dots_and_boxes::DotsAndBoxes;

    #[test]
    fn in_every_position_of_small_boards_one_of_the_two_choices_is_best() {
        for (rows, cols) in [(1, 5), (2, 2), (2, 3), (2, 4), (3, 3)] {
            let lines = Lines::new(&DotsAndBoxes::new(rows, cols).unwrap()).unwrap();
            let truth = Retrograde::new(&lines);
            for open in 0..1u64 << lines.n_edges {
                let offer = lines.offer(open, &lines.boxes);
                let rest = truth.net(offer.rest);
                assert_eq!(
                    offer.net(Bounds::exactly(rest)),
                    Bounds::exactly(truth.net(open)),
                    "{rows}x{cols}, open edges {open:b}: {offer:?}"
                );
            }
        }
    }

    #[test]
    fn bounds_of_the_rest_bound_the_offer() {
        let lines = Lines::new(&DotsAndBoxes::new(2, 3).unwrap()).unwrap();
        let truth = Retrograde::new(&lines);
        for open in 0..1u64 << lines.n_edges {
            let offer = lines.offer(open, &lines.boxes);
            let rest = truth.net(offer.rest);
            for (below, above) in [(0, 2), (2, 0), (4, 2)] {
                let bounds = offer.net(Bounds {
                    lower: rest - below,
                    upper: rest + above,
                });
                assert!(bounds.lower <= truth.net(open) && truth.net(open) <= bounds.upper);
            }
        }
    }
}

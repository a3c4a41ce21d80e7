//! Which edges are enough to look at.
//!
//! In the strings-and-coins view of the game (Berlekamp, Conway and Guy, "Winning Ways", 1982)
//! a box is a coin and an undrawn edge a string that ties two coins, or a coin to the ground.
//!
//! - **A coin hangs on one string: take it**, if that gives nothing away. The alternative is to
//!   hand out the last two coins, or the last two pairs, of what can be taken, by cutting the
//!   string after them: the opponent takes these and must go on (Berlekamp, "The Dots-and-Boxes
//!   Game", 2000; Barker and Korf, "Solving Dots-and-Boxes", 2012). Nothing is given away by
//!   taking a coin after which the handout is still there, or without which there was none.
//! - **Twins**, two strings between one coin and the ground such as the sides of a corner, are
//!   alike: of those that are left one is enough.
//! - **On the empty board** symmetric edges are alike.

use super::grid::Boxes;
use arrayvec::ArrayVec;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{ActionId, Encode, Game, IdSet};

/// The strings of a board, and the coins that they tie.
#[derive(Clone, Debug)]
pub(super) struct Strings {
    /// `[coin]`
    sides: Vec<[usize; 4]>,
    /// `[string]`; `None` is the ground.
    coins: Vec<[Option<usize>; 2]>,
    /// All pairs of twins, the lower first.
    twins: Vec<[usize; 2]>,
    all: IdSet,
    /// Those that no symmetry takes to a lower one.
    openings: IdSet,
}

impl Strings {
    pub(super) fn new(game: &DotsAndBoxes) -> Self {
        let sides: Vec<[usize; 4]> = (0..game.n_boxes())
            .map(|id| game.sides(id / game.cols(), id % game.cols()))
            .collect();
        let mut coins = vec![[None; 2]; game.n_edges()];
        for (coin, sides) in sides.iter().enumerate() {
            for &side in sides {
                let ends: &mut [Option<usize>; 2] = &mut coins[side];
                ends[usize::from(ends[0].is_some())] = Some(coin);
            }
        }
        let is_twin = |low: &usize, high: &usize| coins[*low] == coins[*high] && low < high;
        let grounded = || (0..game.n_edges()).filter(|&string| coins[string][1].is_none());
        let initial = game.initial();
        let is_opening = |&string: &usize| {
            let action = ActionId::from(string);
            let mut symmetries = 0..game.n_symmetries();
            symmetries.all(|symmetry| game.transform_action(symmetry, &initial, action) >= action)
        };
        Strings {
            twins: grounded()
                .flat_map(|low| grounded().map(move |high| [low, high]))
                .filter(|[low, high]| is_twin(low, high))
                .collect(),
            all: (0..game.n_edges()).collect(),
            openings: (0..game.n_edges()).filter(is_opening).collect(),
            sides,
            coins,
        }
    }

    /// The edges that are enough to look at, when these boxes can be taken.
    pub(super) fn sufficient(&self, undrawn: IdSet, capturable: Boxes) -> IdSet {
        if capturable != 0 {
            return self.taking(undrawn, capturable);
        }
        let alike = if undrawn == self.all {
            self.openings
        } else {
            undrawn
        };
        let redundant = self.twins.iter().filter(|twins| {
            let [low, high] = twins.map(|string| undrawn.contains(string));
            low && high
        });
        alike.without(redundant.map(|&[_, high]| high).collect())
    }

    /// One string whose coin can be taken without giving anything away; if there is none, all whose
    /// coins can be taken, and all that hand coins out.
    fn taking(&self, undrawn: IdSet, mut capturable: Boxes) -> IdSet {
        let mut strings = IdSet::EMPTY;
        while capturable != 0 {
            let coin = capturable.trailing_zeros() as usize;
            capturable &= capturable - 1;
            let last = self.left(coin, undrawn)[0];
            match self.handout(coin, last, undrawn) {
                None => return [last].into_iter().collect(),
                Some(cut) => {
                    strings.insert(last);
                    strings.insert(cut);
                }
            }
        }
        strings
    }

    /// The string after the coin next to this one, which hangs on its `last`, if there may be no
    /// other way left to hand out coins once this one is taken. In a line of coins it is so where
    /// - the next coin is the end of the line, or
    /// - the line has four coins and ties up nothing else: two pairs.
    ///
    /// If the next coin has more strings, no line begins here; if this coin hangs on the ground or
    /// the line has two or three coins and ties up nothing else, it is no handout.
    fn handout(&self, coin: usize, last: usize, undrawn: IdSet) -> Option<usize> {
        let next = self.across(coin, last)?;
        let cut = self.onwards(next, last, undrawn)?;
        let Some(third) = self.across(next, cut) else {
            return Some(cut);
        };
        match self.left(third, undrawn).len() {
            1 => None,
            2 => {
                let fourth = self.across(third, self.onwards(third, cut, undrawn)?)?;
                (self.left(fourth, undrawn).len() == 1).then_some(cut)
            }
            _ => Some(cut),
        }
    }

    /// The strings that are left of a coin.
    fn left(&self, coin: usize, undrawn: IdSet) -> ArrayVec<usize, 4> {
        let sides = self.sides[coin].into_iter();
        sides.filter(|&side| undrawn.contains(side)).collect()
    }

    /// The other end of a string.
    fn across(&self, coin: usize, string: usize) -> Option<usize> {
        let [one, other] = self.coins[string];
        if one == Some(coin) { other } else { one }
    }

    /// The other string of a coin that has two left.
    fn onwards(&self, coin: usize, string: usize, undrawn: IdSet) -> Option<usize> {
        match self.left(coin, undrawn)[..] {
            [one, other] => Some(if one == string { other } else { one }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Baseline, Heuristic, Solvable, Solver};
    use tablero_env::dots_and_boxes::{DotsAndBoxes, State};
    use tablero_env::random::mix;
    use tablero_env::{ActionId, Game, IdSet, Player};

    /// Every position of small boards, by its drawn edges, and as many as that of larger ones.
    fn positions(game: &DotsAndBoxes) -> impl Iterator<Item = State> {
        const MOST: u64 = 1 << 17;
        let n_all = 1u64 << game.n_edges();
        (0..n_all.min(MOST)).filter_map(move |index| {
            // Of large boards those in which about a quarter is undrawn.
            let drawn = if n_all <= MOST {
                index
            } else {
                (mix(index) | mix(!index)) & (n_all - 1)
            };
            let state = game.state_from_parts(IdSet([drawn, 0, 0, 0]), 0, Player::First)?;
            (!game.is_over(&state)).then_some(state)
        })
    }

    #[test]
    fn what_is_enough_contains_a_best_action() {
        let boards = [
            (1, 1),
            (1, 5),
            (5, 1),
            (2, 2),
            (2, 3),
            (3, 2),
            (2, 4),
            (3, 3),
            (3, 4),
        ];
        for (rows, cols) in boards {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let heuristic = game.heuristic();
            let mut solver = game.solver().unwrap();
            let mut enough = Vec::new();
            for state in positions(&game) {
                heuristic.sufficient_actions(&game, &state, &mut enough);
                assert!(enough.is_sorted_by(|one, other| one < other));
                let values = solver.action_values(&state);
                let lead_of = |action: Option<&ActionId>| {
                    let values = values.iter();
                    let leads = values
                        .filter(|value| action.is_none_or(|&action| value.action == action))
                        .filter_map(|value| value.points)
                        .map(|[first, second]| first - second);
                    leads.max()
                };
                let best = enough.iter().map(|action| lead_of(Some(action))).max();
                assert_eq!(best, Some(lead_of(None)), "{rows}x{cols} {state:?}");
            }
        }
    }

    fn enough(rows: usize, cols: usize, drawn: impl IntoIterator<Item = usize>) -> Vec<u32> {
        let game = DotsAndBoxes::new(rows, cols).unwrap();
        let state = game.state_from_parts(drawn.into_iter().collect(), 0, Player::First);
        let mut actions = Vec::new();
        let heuristic = game.heuristic();
        heuristic.sufficient_actions(&game, &state.unwrap(), &mut actions);
        actions.into_iter().map(|action| action.0).collect()
    }

    #[test]
    fn of_edges_that_are_alike_one_is_enough() {
        // 1x2: the edge between the boxes, and three sides of each that are alike.
        assert_eq!(enough(1, 2, []), [0, 5]);
        // With one of them drawn there are two of its box left, and three of the other.
        assert_eq!(enough(1, 2, [0]), [1, 2, 5]);
    }

    #[test]
    fn a_box_is_taken_at_once_or_handed_out_with_the_last() {
        // 1x4: horizontal edges 0..8, vertical ones 8..13. A chain of four boxes; the left one
        // can be taken.
        let chain = || 0..8;
        assert_eq!(enough(1, 4, chain().chain([8])), [9]);
        // Its last two boxes: take, or cut the pair off.
        assert_eq!(enough(1, 4, chain().chain([8, 9, 10])), [11, 12]);
        // The last one.
        assert_eq!(enough(1, 4, chain().chain([8, 9, 10, 11])), [12]);
        // Closed on both sides, it leaves two pairs.
        assert_eq!(enough(1, 4, chain().chain([8, 12])), [9, 10, 11]);
        assert_eq!(enough(1, 4, chain().chain([8, 9, 12])), [10]);
    }
}

//! Proven bounds: between which results best play must end (Cazenave and Saffidine, "Score Bounded
//! Monte-Carlo Tree Search", 2010). Bounds that meet are an exact value, as in MCTS-Solver
//! (Winands, Björnsson and Saito, 2008).
//!
//! Bounds on points are bounds on the result, too, and bounding the points of whole lines would
//! tell no more about it: the sign of a maximum or minimum of leads is the maximum or minimum of
//! their signs. So points enter where they bound a single position
//! ([`Game::lead_bounds`](tablero_env::Game::lead_bounds)), and results go up the tree.

use std::ops::BitAnd;
use tablero_env::{Flip, ForFirst, Player};

/// The results that best play of both players may still have: an unbroken range of them.
///
/// A set of three bits: 1 a loss, 2 a draw, 4 a win of whoever sees it, which is player 0 inside a
/// tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds(u8);

impl Bounds {
    /// Nothing is proven.
    pub const OPEN: Bounds = Bounds(0b111);
    /// Player 0 wins.
    pub(crate) const FIRST_WINS: Bounds = Bounds(0b100);
    /// Player 0 wins or draws.
    const AT_LEAST_A_DRAW: Bounds = Bounds(0b110);
    /// Player 0 draws or loses.
    const AT_MOST_A_DRAW: Bounds = Bounds(0b011);
    /// Player 1 wins.
    pub(crate) const SECOND_WINS: Bounds = Bounds(0b001);

    /// From the least and the greatest return of player 0.
    fn new(low: i8, high: i8) -> Bounds {
        let from_low = 0b111 << (low + 1);
        let to_high = 0b111 >> (1 - high);
        Bounds(from_low & to_high)
    }

    /// Exactly this return.
    pub(crate) fn exactly(value: ForFirst<i8>) -> Bounds {
        Bounds::new(value.0, value.0)
    }

    /// From the least and the greatest final lead in points.
    #[inline]
    pub(crate) fn from_lead(ForFirst([least, most]): ForFirst<[i32; 2]>) -> Bounds {
        Bounds::new(least.signum() as i8, most.signum() as i8)
    }

    /// The least and the greatest return: `[0, 1]` where at least a draw is proven, `[-1, 0]` where
    /// it is proven that there is no win.
    #[inline]
    #[must_use]
    pub fn returns(self) -> [i8; 2] {
        /// By the bits; without a result, which no game has, nothing is known.
        const RETURNS: [[i8; 2]; 8] = [
            [-1, 1],
            [-1, -1],
            [0, 0],
            [-1, 0],
            [1, 1],
            [-1, 1],
            [0, 1],
            [-1, 1],
        ];
        RETURNS[usize::from(self.0 & 7)]
    }

    /// The least and the greatest return of `player`.
    #[inline]
    pub(crate) fn seen_by(self, player: Player) -> [i8; 2] {
        ForFirst(self).seen_by(player).returns()
    }

    /// The return, +1, 0 or -1, where the bounds meet.
    #[inline]
    #[must_use]
    pub fn exact(self) -> Option<i8> {
        let [low, high] = self.returns();
        (low == high).then_some(low)
    }

    #[inline]
    pub(crate) fn is_exact(self) -> bool {
        self.0.is_power_of_two()
    }

    /// The nearest value within the bounds.
    #[inline]
    pub(crate) fn clamp(self, value: ForFirst<f32>) -> ForFirst<f32> {
        let [low, high] = self.returns().map(f32::from);
        ForFirst(value.0.clamp(low, high))
    }
}

impl Flip for Bounds {
    #[inline]
    fn flipped(self) -> Self {
        Bounds((self.0 & 1) << 2 | self.0 & 2 | self.0 >> 2)
    }
}

/// The results within both.
impl BitAnd for Bounds {
    type Output = Bounds;

    #[inline]
    fn bitand(self, other: Bounds) -> Bounds {
        Bounds(self.0 & other.0)
    }
}

/// The bounds of a position in which `mover` chooses between moves with these bounds: at least
/// the best that a move secures, at most the best that a move allows.
pub(crate) fn best_of(mover: Player, moves: impl IntoIterator<Item = Bounds>) -> Bounds {
    let mut best = [-1, -1];
    for bounds in moves {
        let [low, high] = bounds.seen_by(mover);
        best = [best[0].max(low), best[1].max(high)];
        if best == [1, 1] {
            break;
        }
    }
    match (mover, best) {
        (Player::First, [low, high]) => Bounds::new(low, high),
        (Player::Second, [low, high]) => Bounds::new(-high, -low),
    }
}

/// Which moves a search need not follow in a position that is not decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// Bit b: moves whose bounds have the bits b.
    cut: u8,
}

impl Cut {
    /// In a position with these bounds, in which `mover` chooses: cut are the moves that cannot
    /// become better than what the mover has secured. But not the one that secures a draw: its
    /// visits tell how it compares with the others.
    #[inline]
    pub fn new(mover: Player, position: Bounds) -> Cut {
        const fn set<const N: usize>(bounds: [Bounds; N]) -> u8 {
            let (mut set, mut index) = (0, 0);
            while index < N {
                set |= 1 << bounds[index].0;
                index += 1;
            }
            set
        }
        /// `[mover][whether a draw is secured]`.
        const CUTS: [[u8; 2]; 2] = [
            [
                set([Bounds::SECOND_WINS]),
                set([Bounds::SECOND_WINS, Bounds::AT_MOST_A_DRAW]),
            ],
            [
                set([Bounds::FIRST_WINS]),
                set([Bounds::FIRST_WINS, Bounds::AT_LEAST_A_DRAW]),
            ],
        ];
        let [low, _] = position.seen_by(mover);
        Cut {
            cut: CUTS[mover.index()][usize::from(low >= 0)],
        }
    }

    #[inline]
    pub fn cuts(self, mv: Bounds) -> bool {
        self.cut >> mv.0 & 1 == 1
    }
}

/// Which moves a player may sensibly choose, given the least and the greatest return of each for
/// that player: all but those to which another is preferable, which returns at least as much
/// however the game goes on, and may return more. No move returns more than `most`, what the
/// position may return at all, which the rules may bound more tightly than its moves do.
/// Where it is lost, moves that are not proven lost come before those that are.
pub(crate) fn acceptable(
    most: i8,
    moves: impl Iterator<Item = [i8; 2]> + Clone,
) -> impl Fn([i8; 2]) -> bool {
    let most = most.max(0);
    let secured = moves.clone().map(|[low, _]| low).max().unwrap_or(-1);
    let most_of_secure = moves
        .filter(|&[low, _]| low == secured)
        .map(|[_, high]| high.min(most))
        .max();
    move |[low, high]| {
        let high = high.min(most);
        high > secured || (low == secured && Some(high) == most_of_secure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_LEAST_A_DRAW: Bounds = Bounds::AT_LEAST_A_DRAW;
    const AT_MOST_A_DRAW: Bounds = Bounds::AT_MOST_A_DRAW;
    const DRAW: Bounds = Bounds(0b010);
    const ALL: [Bounds; 6] = [
        Bounds::OPEN,
        AT_LEAST_A_DRAW,
        AT_MOST_A_DRAW,
        Bounds::FIRST_WINS,
        DRAW,
        Bounds::SECOND_WINS,
    ];

    #[test]
    fn one_winning_move_proves_a_win_whatever_else_is_open() {
        use Bounds as B;
        let moves = [B::SECOND_WINS, B::OPEN, B::FIRST_WINS];
        assert_eq!(best_of(Player::First, moves), B::FIRST_WINS);
        assert_eq!(best_of(Player::Second, moves), B::SECOND_WINS);
    }

    #[test]
    fn a_drawing_move_secures_a_draw_and_the_others_say_whether_there_is_more() {
        use Bounds as B;
        let first = |moves: &[Bounds]| best_of(Player::First, moves.iter().copied());
        assert_eq!(first(&[DRAW, B::OPEN]), AT_LEAST_A_DRAW);
        assert_eq!(first(&[DRAW, B::SECOND_WINS]), DRAW);
        assert_eq!(first(&[DRAW, AT_MOST_A_DRAW]), DRAW);
        assert_eq!(first(&[AT_MOST_A_DRAW, B::SECOND_WINS]), AT_MOST_A_DRAW);
        let second = |moves: &[Bounds]| best_of(Player::Second, moves.iter().copied());
        assert_eq!(second(&[DRAW, B::OPEN]), AT_MOST_A_DRAW);
        assert_eq!(second(&[B::FIRST_WINS; 2]), B::FIRST_WINS);
    }

    #[test]
    fn the_bounds_of_a_choice_are_maximum_and_minimum_for_either_mover() {
        for (a, b) in ALL.into_iter().flat_map(|a| ALL.map(|b| (a, b))) {
            for mover in Player::BOTH {
                let ([a_low, a_high], [b_low, b_high]) = (a.seen_by(mover), b.seen_by(mover));
                let best = best_of(mover, [a, b]).seen_by(mover);
                assert_eq!(best, [a_low.max(b_low), a_high.max(b_high)]);
            }
        }
    }

    #[test]
    fn leads_that_cannot_change_sign_bound_the_result() {
        let of = |lead| Bounds::from_lead(ForFirst(lead));
        assert_eq!(of([-3, 1]), Bounds::OPEN);
        assert_eq!(of([0, 4]), AT_LEAST_A_DRAW);
        assert_eq!(of([-4, 0]), AT_MOST_A_DRAW);
        assert_eq!(of([1, 5]), Bounds::FIRST_WINS);
        assert_eq!(of([0, 0]), DRAW);
        assert_eq!(of([-5, -1]), Bounds::SECOND_WINS);
    }

    #[test]
    fn both_players_read_the_same_bounds_from_their_side() {
        assert_eq!(AT_LEAST_A_DRAW.seen_by(Player::First), [0, 1]);
        assert_eq!(AT_LEAST_A_DRAW.seen_by(Player::Second), [-1, 0]);
        assert_eq!(Bounds::SECOND_WINS.exact(), Some(-1));
        assert_eq!(Bounds::SECOND_WINS.flipped().exact(), Some(1));
        assert_eq!(AT_LEAST_A_DRAW.exact(), None);
        for bounds in ALL {
            let [low, high] = bounds.seen_by(Player::First);
            assert_eq!(Bounds::new(low, high), bounds);
            assert_eq!(bounds.is_exact(), low == high);
        }
    }

    #[test]
    fn a_search_cuts_what_cannot_beat_the_secured_result() {
        let cut = |mover, position| {
            let cut = Cut::new(mover, position);
            ALL.map(|mv| cut.cuts(mv))
        };
        let only_losses = [false, false, false, false, false, true];
        assert_eq!(cut(Player::First, Bounds::OPEN), only_losses);
        assert_eq!(cut(Player::First, AT_MOST_A_DRAW), only_losses);
        // With a draw secured, moves that can at most draw go, too, but for certain draws.
        let with_draw = [false, false, true, false, false, true];
        assert_eq!(cut(Player::First, AT_LEAST_A_DRAW), with_draw);
        let for_second = [false, true, false, true, false, false];
        assert_eq!(cut(Player::Second, AT_MOST_A_DRAW), for_second);
    }

    #[test]
    fn no_move_is_played_to_which_another_is_preferable() {
        let within = |most, moves: &[[i8; 2]]| -> Vec<bool> {
            let accept = acceptable(most, moves.iter().copied());
            moves.iter().copied().map(accept).collect()
        };
        let accepts = |moves: &[[i8; 2]]| within(1, moves);
        let (lost, drawn, won) = ([-1, -1], [0, 0], [1, 1]);
        let (open, at_least, at_most) = ([-1, 1], [0, 1], [-1, 0]);
        assert_eq!(accepts(&[lost, open, drawn]), [false, true, true]);
        assert_eq!(accepts(&[lost, lost]), [true, true]);
        let one_won = [open, won, drawn, lost, at_least];
        assert_eq!(accepts(&one_won), [false, true, false, false, false]);
        assert_eq!(accepts(&[at_most, drawn, open]), [false, true, true]);
        assert_eq!(accepts(&[at_least, drawn, open]), [true, false, true]);
        assert_eq!(accepts(&[drawn, drawn, at_most]), [true, true, false]);
        assert_eq!(accepts(&[at_most, lost]), [true, false]);
        // Where nothing is better than a draw, the one that is secured is.
        assert_eq!(within(0, &[open, drawn, at_most]), [false, true, false]);
        assert_eq!(within(0, &[at_least, drawn, lost]), [true, true, false]);
        assert_eq!(within(-1, &[lost, open]), [false, true]);
    }
}

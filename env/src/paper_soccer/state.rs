//! A position and its hash.

use super::pitch::direction::{Direction, Directions};
use super::pitch::point::{N_POINTS, OFFSETS, Point, index, point};
use crate::Player;
use crate::random::mix;
use std::hash::{Hash, Hasher};

/// A position: the segments that are still free at each point, the ball and the player to move.
///
/// What else the rules look at is in the free segments. A point off the border has all eight until
/// it is visited, and a point on the border or a post never has, so a segment bounces where one of
/// the eight is missing. The points of the goals have none, so the game is over where the ball
/// finds none.
///
/// `Eq` compares all of it, and `Hash` the drawn segments, which tell the rest: see the
/// [text of a state](super).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// For each point of the largest pitch, by its [`index`].
    pub(super) free: [Directions; N_POINTS],
    pub(super) key: u64,
    pub(super) ball: u16,
    pub(super) to_move: Player,
}

impl State {
    /// Before the first segment on a pitch where these are open.
    pub(super) fn kick_off(open: &[Directions; N_POINTS]) -> Self {
        State {
            free: *open,
            key: 0,
            ball: index(Point::KICK_OFF) as u16,
            to_move: Player::First,
        }
    }

    /// The point at which the ball is.
    #[must_use]
    pub fn ball(&self) -> Point {
        point(usize::from(self.ball))
    }

    /// The directions in which the ball can go; none once the game is over.
    #[inline]
    #[must_use]
    pub fn free(&self) -> Directions {
        self.free[usize::from(self.ball)]
    }

    /// For each point of the largest pitch, by its [`index`], the directions in which free segments
    /// lead away from it: none from outside the pitch and from a goal, all eight from a point off
    /// the border that is not yet visited.
    #[inline]
    #[must_use]
    pub fn free_by_index(&self) -> &[Directions; N_POINTS] {
        &self.free
    }

    /// Whether the point with this index is off the border and not yet visited.
    #[inline]
    pub(super) fn is_fresh(&self, index: usize) -> bool {
        self.free[index] == Directions::ALL && index != usize::from(self.ball)
    }

    /// Takes an open segment away from both of its ends and returns the other end.
    #[inline]
    pub(super) fn mark(&mut self, from: usize, direction: Direction) -> usize {
        let to = from.wrapping_add(OFFSETS[direction as usize]);
        self.free[from].0 &= !(1 << direction as u8);
        self.free[to].0 &= !(1 << direction.opposite() as u8);
        self.key ^= segment_key(from, to, direction);
        to
    }

    /// Draws a free segment from the ball; returns whether it bounces (or ends in a goal).
    ///
    /// Free of branches: in random games one on the bounce would often be mispredicted.
    #[inline]
    pub(super) fn draw(&mut self, direction: Direction) -> bool {
        let from = usize::from(self.ball);
        let to = from.wrapping_add(OFFSETS[direction as usize]);
        let bounces = self.free[to] != Directions::ALL;
        self.mark(from, direction);
        self.ball = to as u16;
        self.to_move = Player::BOTH[self.to_move.index() ^ usize::from(!bounces)];
        bounces
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key);
    }
}

/// The Zobrist key (Zobrist, 1970) of a segment between two indices: that of its end from which it
/// leads N, NE, E or SE. A state's key is the xor of those of its drawn segments.
#[inline]
fn segment_key(from: usize, to: usize, direction: Direction) -> u64 {
    let direction = direction as usize;
    let owner = if direction < 4 { from } else { to };
    mix((owner * 4 + direction % 4) as u64)
}

//! The eight directions of a segment, and sets of them.

use crate::ActionId;
use serde::Serialize;
use std::fmt;

/// The direction of a segment as the ball runs along it. Its number is the action id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[repr(u8)]
pub enum Direction {
    /// +y
    N,
    /// +x +y
    NE,
    /// +x
    E,
    /// +x -y
    SE,
    /// -y
    S,
    /// -x -y
    SW,
    /// -x
    W,
    /// -x +y
    NW,
}

impl Direction {
    /// All directions, in the order of the action ids.
    pub const ALL: [Direction; 8] = [
        Direction::N,
        Direction::NE,
        Direction::E,
        Direction::SE,
        Direction::S,
        Direction::SW,
        Direction::W,
        Direction::NW,
    ];

    /// The action that draws a segment in this direction.
    #[must_use]
    pub const fn action(self) -> ActionId {
        ActionId(self as u32)
    }

    /// The direction of an action below 8.
    pub(crate) const fn of(action: ActionId) -> Self {
        Direction::ALL[action.index() & 7]
    }

    /// The change of x and of y, each -1, 0 or 1.
    #[must_use]
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::N => (0, 1),
            Direction::NE => (1, 1),
            Direction::E => (1, 0),
            Direction::SE => (1, -1),
            Direction::S => (0, -1),
            Direction::SW => (-1, -1),
            Direction::W => (-1, 0),
            Direction::NW => (-1, 1),
        }
    }

    /// The way back; so, too, the direction after half a turn of the pitch.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Direction::ALL[self as usize ^ 4]
    }

    /// The direction in the mirror that takes x to -x.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Direction::ALL[(8 - self as usize) & 7]
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A set of directions, bit d the direction with the action id d.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Directions(pub u8);

impl Directions {
    /// All eight.
    pub const ALL: Directions = Directions(u8::MAX);

    /// Whether the direction is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        SELECT[self.0 as usize].len as usize
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The `rank`-th, from 0, in the order of the action ids; `rank` must be below
    /// [`len`](Directions::len).
    #[inline]
    pub(crate) const fn nth(self, rank: usize) -> Direction {
        SELECT[self.0 as usize].members[rank & 7]
    }

    /// The directions in the order of the action ids.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        let Members { members, len } = SELECT[self.0 as usize];
        members.into_iter().take(usize::from(len))
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        let bits = directions.into_iter().map(|direction| 1 << direction as u8);
        Directions(bits.fold(0, |set, bit| set | bit))
    }
}

/// The directions of one set, listed; the rest of the array is not used.
#[derive(Clone, Copy)]
struct Members {
    members: [Direction; 8],
    len: u8,
}

/// Every set, listed. A table, since a random rank would be mispredicted by a loop, and a portable
/// x86-64 binary has no instruction that counts bits.
static SELECT: [Members; 256] = {
    let mut table = [Members {
        members: [Direction::N; 8],
        len: 0,
    }; 256];
    let mut set = 0;
    while set < 256 {
        let list = &mut table[set];
        let mut bit = 0;
        while bit < 8 {
            if set >> bit & 1 == 1 {
                list.members[list.len as usize] = Direction::ALL[bit];
                list.len += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_steps_and_images_agree() {
        for (id, direction) in Direction::ALL.into_iter().enumerate() {
            assert_eq!(direction.action(), ActionId::from(id));
            assert_eq!(Direction::of(direction.action()), direction);
            let (x, y) = direction.step();
            assert_eq!(direction.opposite().step(), (-x, -y));
            assert_eq!(direction.mirrored().step(), (-x, y));
        }
    }

    #[test]
    fn a_set_lists_what_it_contains() {
        for bits in 0..=u8::MAX {
            let set = Directions(bits);
            let all = Direction::ALL.into_iter();
            let expected: Vec<_> = all.filter(|&d| set.contains(d)).collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), expected);
            assert_eq!(set.len(), expected.len());
            assert_eq!(set.is_empty(), expected.is_empty());
            for (rank, &direction) in expected.iter().enumerate() {
                assert_eq!(set.nth(rank), direction);
            }
            assert_eq!(expected.into_iter().collect::<Directions>(), set);
        }
    }
}

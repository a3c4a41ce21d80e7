//! Points of the paper, and where a state keeps them.

use super::direction::Direction;
use serde::Serialize;
use std::fmt;

/// A point of the paper: x to the right, y towards the goal that player 0 attacks, the kick-off
/// at 0,0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Point {
    /// To the right.
    pub x: i8,
    /// Upwards.
    pub y: i8,
}

impl Point {
    /// Where the ball starts.
    pub const KICK_OFF: Point = Point { x: 0, y: 0 };

    /// The neighbour in this direction, on the pitch or not; far beyond any pitch the numbers wrap
    /// around.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Point {
        let (x, y) = direction.step();
        Point {
            x: self.x.wrapping_add(x),
            y: self.y.wrapping_add(y),
        }
    }

    /// The point after half a turn of the pitch.
    pub(crate) const fn turned(self) -> Point {
        Point {
            x: -self.x,
            y: -self.y,
        }
    }

    /// The point in the mirror that takes x to -x.
    pub(crate) const fn mirrored(self) -> Point {
        Point {
            x: -self.x,
            y: self.y,
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The most squares along a side.
pub const MAX_SIDE: usize = 16;

/// Points in a row of the largest pitch. Every pitch keeps its points at the distances of the
/// largest, with 0,0 in the same place, so that a direction is the same change of index on all.
const STRIDE: usize = MAX_SIDE + 1;
const N_ROWS: usize = MAX_SIDE + 3;

/// Points of the largest pitch, the rows of the goals counted in full.
pub const N_POINTS: usize = STRIDE * N_ROWS;

/// For each direction what to add to an index, modulo 2^64.
pub(crate) const OFFSETS: [usize; 8] = {
    let mut offsets = [0; 8];
    let mut id = 0;
    while id < 8 {
        let (x, y) = Direction::ALL[id].step();
        offsets[id] = (y as isize * STRIDE as isize + x as isize) as usize;
        id += 1;
    }
    offsets
};

impl Direction {
    /// What the direction adds to the [`index`] of a point, modulo 2^64.
    #[inline]
    #[must_use]
    pub const fn offset(self) -> usize {
        OFFSETS[self as usize]
    }
}

/// The index of a point of the largest pitch, below [`N_POINTS`]. The point must be on it.
#[inline]
#[must_use]
pub const fn index(point: Point) -> usize {
    let column = point.x as isize + (STRIDE / 2) as isize;
    let row = point.y as isize + (N_ROWS / 2) as isize;
    row as usize * STRIDE + column as usize
}

/// The point that stands at an [`index`].
#[inline]
#[must_use]
pub const fn point(index: usize) -> Point {
    Point {
        x: (index % STRIDE) as i8 - (STRIDE / 2) as i8,
        y: (index / STRIDE) as i8 - (N_ROWS / 2) as i8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_stands_for_one_point_and_directions_are_offsets() {
        for at in 0..N_POINTS {
            assert_eq!(index(point(at)), at);
        }
        let centre = index(Point::KICK_OFF);
        for direction in Direction::ALL {
            let neighbour = centre.wrapping_add(OFFSETS[direction as usize]);
            assert_eq!(point(neighbour), Point::KICK_OFF.step(direction));
        }
    }
}

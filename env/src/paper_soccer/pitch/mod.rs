//! The geometry of one size of pitch: its points and its walls.

pub(super) mod direction;
pub(super) mod point;

use crate::Player;
use direction::{Direction, Directions};
use point::{N_POINTS, Point, index};

/// What lies between two neighbouring points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A segment may be drawn.
    Open,
    /// The border of the pitch, or the side or the back of a goal.
    Wall,
    /// It leaves the pitch.
    Outside,
}

#[derive(Debug)]
pub(super) struct Pitch {
    /// x of the right border.
    pub(super) half_width: i8,
    /// y of the upper end line.
    pub(super) half_height: i8,
    /// For each point the directions in which a segment may be drawn before any is. None from a
    /// point of a goal, where the game ends.
    pub(super) open: [Directions; N_POINTS],
    pub(super) n_segments: usize,
    /// The indices of the points that are in no goal, row by row from the upper end line.
    pub(super) field: Vec<u16>,
    /// For each point its cell in the planes of player 0: rows from the upper goal to the lower
    /// one, columns from left to right.
    pub(super) cells: [u16; N_POINTS],
    /// For each point those up to [`NEAR`] rows and columns away, itself among them, by their indices,
    /// row by row from below, each row from left to right; instead of a point that is not on the pitch
    /// one that is on no pitch.
    pub(super) near: Vec<[u16; N_NEAR]>,
}

/// Up to how many rows and columns away a point is near.
pub(super) const NEAR: i8 = 2;
/// Points in a row of those that are near.
pub(super) const N_NEAR_ROW: usize = 2 * NEAR as usize + 1;
/// Points near a point.
pub(super) const N_NEAR: usize = N_NEAR_ROW * N_NEAR_ROW;
/// The corner of the paper, beside a goal of the largest pitch.
const NOWHERE: u16 = 0;

impl Pitch {
    /// The pitch with both sides even and in `2..=MAX_SIDE`.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let mut pitch = Pitch {
            half_width: (width / 2) as i8,
            half_height: (height / 2) as i8,
            open: [Directions::default(); N_POINTS],
            n_segments: 0,
            field: Vec::new(),
            cells: [0; N_POINTS],
            near: vec![[NOWHERE; N_NEAR]; N_POINTS],
        };
        let points: Vec<Point> = pitch.points().collect();
        for from in points {
            let is_open = |direction: &Direction| pitch.line(from, *direction) == Line::Open;
            let open: Directions = Direction::ALL.into_iter().filter(is_open).collect();
            let owned = open.iter().filter(|&d| owner(from, d) == (from, d));
            pitch.n_segments += owned.count();
            if pitch.goal_of(from).is_none() {
                pitch.open[index(from)] = open;
                pitch.field.push(index(from) as u16);
            }
            let row = (pitch.half_height + 1 - from.y) as usize;
            let column = (pitch.half_width + from.x) as usize;
            pitch.cells[index(from)] = (row * (width + 1) + column) as u16;
            let offsets = (-NEAR..=NEAR).flat_map(|y| (-NEAR..=NEAR).map(move |x| (x, y)));
            for (place, (dx, dy)) in offsets.enumerate() {
                let to = Point {
                    x: from.x + dx,
                    y: from.y + dy,
                };
                if pitch.contains(to) {
                    pitch.near[index(from)][place] = index(to) as u16;
                }
            }
        }
        pitch
    }

    /// The player who wins when the ball is here.
    pub(super) fn goal_of(&self, point: Point) -> Option<Player> {
        let beyond = point.y.abs() == self.half_height + 1 && point.x.abs() <= 1;
        beyond.then_some(if point.y > 0 {
            Player::First
        } else {
            Player::Second
        })
    }

    /// Whether the point lies on the pitch, its goals included.
    pub(super) fn contains(&self, point: Point) -> bool {
        let on_field = point.x.abs() <= self.half_width && point.y.abs() <= self.half_height;
        on_field || self.goal_of(point).is_some()
    }

    /// The x of the points in the row of this y, which is that of a goal at most.
    pub(super) fn columns(&self, y: i8) -> impl Iterator<Item = i8> + use<> {
        let last = if y.abs() > self.half_height {
            1
        } else {
            self.half_width
        };
        -last..=last
    }

    /// The y of the rows, from the upper goal to the lower one.
    pub(super) fn rows(&self) -> impl Iterator<Item = i8> + use<> {
        let last = self.half_height + 1;
        (-last..=last).rev()
    }

    /// All points, row by row from the upper goal to the lower one.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        self.rows()
            .flat_map(|y| self.columns(y).map(move |x| Point { x, y }))
    }

    /// What lies between a point of the pitch and its neighbour in this direction.
    pub(super) fn line(&self, from: Point, direction: Direction) -> Line {
        let to = from.step(direction);
        if !self.contains(to) {
            return Line::Outside;
        }
        let (field, goal) = match (self.goal_of(from), self.goal_of(to)) {
            (None, None) => return self.line_on_field(from, to),
            // The back of the goal.
            (Some(_), Some(_)) => return Line::Wall,
            (None, Some(_)) => (from, to),
            (Some(_), None) => (to, from),
        };
        match (field.x.abs(), goal.x.abs()) {
            (0, _) | (1, 0) => Line::Open,
            // Along the side of the goal.
            (1, _) => Line::Wall,
            // From beyond a post into the corner of the goal.
            _ => Line::Outside,
        }
    }

    fn line_on_field(&self, from: Point, to: Point) -> Line {
        let along_side = from.x == to.x && from.x.abs() == self.half_width;
        let along_end = from.y == to.y && from.y.abs() == self.half_height;
        let beyond_posts = from.x != 0 && to.x != 0;
        if along_side || along_end && beyond_posts {
            Line::Wall
        } else {
            Line::Open
        }
    }
}

/// The one name of a segment that it has from both of its ends: the end from which it leads N, NE,
/// E or SE, and that direction.
pub(super) const fn owner(from: Point, direction: Direction) -> (Point, Direction) {
    if (direction as u8) < 4 {
        (from, direction)
    } else {
        (from.step(direction), direction.opposite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDES: [usize; 8] = [2, 4, 6, 8, 10, 12, 14, 16];

    #[test]
    fn a_segment_is_open_from_both_ends_or_from_none() {
        for width in SIDES {
            for height in SIDES {
                let pitch = Pitch::new(width, height);
                for from in pitch.points() {
                    for direction in Direction::ALL {
                        let line = pitch.line(from, direction);
                        let to = from.step(direction);
                        if pitch.contains(to) {
                            assert_eq!(line, pitch.line(to, direction.opposite()));
                            let ends = (from, direction);
                            let back = (to, direction.opposite());
                            assert_eq!(owner(ends.0, ends.1), owner(back.0, back.1));
                        } else {
                            assert_eq!(line, Line::Outside);
                        }
                        let open = pitch.open[index(from)].contains(direction);
                        let from_goal = pitch.goal_of(from).is_some();
                        assert_eq!(open, line == Line::Open && !from_goal);
                    }
                }
            }
        }
    }

    /// Inner rows and columns have a segment a square, squares two diagonals, goal lines two
    /// segments and goals five.
    #[test]
    fn segments_are_as_many_as_squares_tell() {
        for width in SIDES {
            for height in SIDES {
                let along = width * (height - 1) + height * (width - 1);
                let expected = along + 2 * width * height + 2 * (2 + 5);
                assert_eq!(Pitch::new(width, height).n_segments, expected);
            }
        }
    }
}

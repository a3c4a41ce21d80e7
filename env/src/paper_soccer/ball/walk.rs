//! Where the ball can run without a stop.

use crate::paper_soccer::config::PaperSoccer;
use crate::paper_soccer::pitch::direction::{Direction, Directions};
use crate::paper_soccer::pitch::point::{N_POINTS, Point, index};
use crate::paper_soccer::state::State;
use crate::{ForFirst, Player};
use arrayvec::ArrayVec;

/// The mark of the walk from the ball, in [`turn_walks`](PaperSoccer::turn_walks).
pub(crate) const REACHED: u8 = 1;
/// That of the walk back from the attacked goal.
pub(crate) const SCORING: u8 = 2;
/// That of the walk back from the own goal.
pub(crate) const LOSING: u8 = 4;

/// A walk over free segments: the points that it has entered, by their [`index`], and in their order
/// those that it goes on from.
#[derive(Clone, Debug)]
pub struct Walk {
    /// One bit for each walk that has entered the point: several may be made in one storage.
    marks: [u8; N_POINTS],
    /// The bit of the walk under way.
    mark: u8,
    onward: ArrayVec<u16, N_POINTS>,
    n_done: usize,
}

impl Default for Walk {
    fn default() -> Self {
        Walk {
            marks: [0; N_POINTS],
            mark: REACHED,
            onward: ArrayVec::new(),
            n_done: 0,
        }
    }
}

impl Walk {
    /// Begins another walk with this mark. The marks of earlier walks stay.
    #[inline]
    fn begin(&mut self, mark: u8) {
        self.mark = mark;
        self.onward.clear();
        self.n_done = 0;
    }

    /// The marks of all walks that have entered the point.
    #[inline]
    pub(crate) fn marks(&self, point: usize) -> u8 {
        self.marks[point]
    }

    /// Returns whether the point was not entered before.
    #[inline]
    pub fn enter(&mut self, point: usize) -> bool {
        let before = self.marks[point];
        self.marks[point] = before | self.mark;
        before & self.mark == 0
    }

    /// Whether the walk under way has entered the point.
    #[inline]
    #[must_use]
    pub fn has_entered(&self, point: usize) -> bool {
        self.marks[point] & self.mark != 0
    }

    /// Keeps a point for [`next`](Self::next).
    ///
    /// # Panics
    /// If points are kept more than once, so that there are more than [`N_POINTS`].
    #[inline]
    pub fn go_on_from(&mut self, point: usize) {
        self.onward.push(point as u16);
    }

    /// The next point to go on from; `None` at the end of the walk.
    #[inline]
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<usize> {
        let next = self.onward.get(self.n_done)?;
        self.n_done += 1;
        Some(usize::from(*next))
    }

    /// Goes on over free segments, but not from fresh points, until nothing new is entered.
    fn go_on(&mut self, state: &State) {
        while let Some(from) = self.next() {
            for direction in state.free[from].iter() {
                let to = from.wrapping_add(direction.offset());
                if self.enter(to) && !state.is_fresh(to) {
                    self.go_on_from(to);
                }
            }
        }
    }
}

impl PaperSoccer {
    /// The points of the goal line from which segments lead into the goal in which `player` wins,
    /// by their [`index`], with the directions of these segments on the empty pitch.
    #[inline]
    #[must_use]
    pub fn mouth(&self, player: Player) -> [(usize, Directions); 3] {
        const N: u8 = 1 << Direction::N as u8;
        const NE: u8 = 1 << Direction::NE as u8;
        const NW: u8 = 1 << Direction::NW as u8;
        let ForFirst(y) = ForFirst::from_player(self.pitch.half_height, player);
        [(-1, NE), (0, NW | N | NE), (1, NW)].map(|(x, upwards)| {
            let inwards = match player {
                Player::First => upwards,
                // Mirrored: NE becomes SE, and so on.
                Player::Second => upwards.reverse_bits().rotate_left(5),
            };
            (index(Point { x, y }), Directions(inwards))
        })
    }

    /// Three walks of the player to move, told apart by their marks: the points that the ball can come to
    /// within the turn, that of the ball among them, and those that [approach](Self::approaches) the
    /// attacked goal and the own one.
    pub(crate) fn turn_walks(&self, state: &State) -> Walk {
        let mut walk = Walk::default();
        walk.enter(usize::from(state.ball));
        walk.go_on_from(usize::from(state.ball));
        walk.go_on(state);
        let mover = state.to_move;
        for (mark, player) in [(SCORING, mover), (LOSING, mover.opponent())] {
            walk.begin(mark);
            self.approach(state, player, &mut walk);
        }
        walk
    }

    /// The points from which a ball could run into the goal in which `player` wins, without a
    /// stop on the way; the goal itself is none of them.
    pub(crate) fn approaches(&self, state: &State, player: Player) -> Walk {
        let mut walk = Walk::default();
        self.approach(state, player, &mut walk);
        walk
    }

    fn approach(&self, state: &State, player: Player, walk: &mut Walk) {
        for (point, inwards) in self.mouth(player) {
            if state.free[point].0 & inwards.0 != 0 {
                walk.enter(point);
                if !state.is_fresh(point) {
                    walk.go_on_from(point);
                }
            }
        }
        walk.go_on(state);
        // The way back over a segment into a goal would be none.
        for goal in Player::BOTH {
            let ForFirst(y) = ForFirst::from_player(self.pitch.half_height + 1, goal);
            for x in -1..=1 {
                walk.marks[index(Point { x, y })] &= !walk.mark;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::random::{positions, stream};

    /// The unfinished positions of random games on pitches of all kinds.
    fn random_states() -> Vec<(PaperSoccer, State)> {
        let mut states = Vec::new();
        for (width, height) in [(2, 2), (2, 8), (4, 4), (8, 10), (16, 16)] {
            let game = PaperSoccer::new(width, height).unwrap();
            for index in 0..4 {
                let random = positions(&game, stream(6, "paper soccer walks", index));
                states.extend(random.map(|state| (game.clone(), state)));
            }
        }
        states
    }

    /// By the rules alone: all lines of play of this turn, up to a number of segments.
    fn ends_of_lines(game: &PaperSoccer, state: &State, n: usize, out: &mut Vec<Point>) {
        out.push(state.ball());
        if n == 0 {
            return;
        }
        for direction in state.free().iter() {
            let mut next = state.clone();
            game.play(&mut next, direction.action()).unwrap();
            if next.to_move == state.to_move && !game.is_over(&next) {
                ends_of_lines(game, &next, n - 1, out);
            } else {
                out.push(next.ball());
            }
        }
    }

    #[test]
    fn the_ball_reaches_what_lines_of_play_do() {
        let mut n_far = 0;
        for (game, state) in random_states() {
            let walks = game.turn_walks(&state);
            let is_reached = |point| walks.marks(index(point)) & REACHED != 0;
            let mut ends = Vec::new();
            ends_of_lines(&game, &state, 4, &mut ends);
            for &end in &ends {
                assert!(is_reached(end), "{end} {state:?}");
            }
            // Where lines of four segments find nothing that those of three do not, they find all.
            let mut shorter = Vec::new();
            ends_of_lines(&game, &state, 3, &mut shorter);
            if ends.iter().all(|end| shorter.contains(end)) {
                let n_reached = game.points().filter(|&p| is_reached(p));
                ends.sort_unstable_by_key(|&point| index(point));
                ends.dedup();
                assert_eq!(n_reached.count(), ends.len(), "{state:?}");
                n_far += 1;
            }
        }
        assert!(n_far > 200, "{n_far}");
    }

    /// A ball put on such a point reaches the goal, and no other does.
    #[test]
    fn approaches_are_the_points_from_which_the_ball_reaches_the_goal() {
        for (game, state) in random_states() {
            // The kick-off is fresh once the ball is somewhere else.
            if state == game.initial() {
                continue;
            }
            let of_turn = game.turn_walks(&state);
            for player in Player::BOTH {
                let approaches = game.approaches(&state, player);
                let mark = if player == state.to_move {
                    SCORING
                } else {
                    LOSING
                };
                for point in game.points().filter(|&p| game.goal_of(p).is_none()) {
                    let mut there = state.clone();
                    there.ball = index(point) as u16;
                    assert_eq!(
                        approaches.has_entered(index(point)),
                        of_turn.marks(index(point)) & mark != 0,
                        "{point} {player:?} {state:?}"
                    );
                    let walks = game.turn_walks(&there);
                    let mut goal = game.points().filter(|&p| game.goal_of(p) == Some(player));
                    assert_eq!(
                        approaches.has_entered(index(point)),
                        goal.any(|p| walks.marks(index(p)) & REACHED != 0),
                        "{point} {player:?} {state:?}"
                    );
                }
            }
        }
    }
}

//! Whether drawn segments can be the line that a ball has run along.
//!
//! A line that starts at the kick-off, draws no segment twice and ends at the ball exists exactly
//! if the segments hang together and an even number of them meets at every point but those two
//! (Euler, 1736). Each of its steps is then a legal move, so there is a game that leads here if,
//! besides, the line enters a goal at its end alone and the right player is to move.

use crate::paper_soccer::config::PaperSoccer;
use crate::paper_soccer::pitch::direction::{Direction, Directions};
use crate::paper_soccer::pitch::point::{N_POINTS, Point, index};
use crate::paper_soccer::state::State;
use crate::{Notation, Player};

impl PaperSoccer {
    /// What keeps any game from reaching the state; `None` if one does.
    pub(crate) fn contradiction(&self, state: &State) -> Option<String> {
        let ball = state.ball();
        for point in self.points() {
            let n_drawn = self.drawn_at(state, point).len();
            let is_end = (point == ball) != (point == Point::KICK_OFF);
            if (n_drawn % 2 == 1) != is_end {
                let parity = if is_end { "odd" } else { "even" };
                return Some(format!(
                    "one line from {} to the ball at {ball}, so an {parity} number of segments \
                     at {point}, not {n_drawn}",
                    Point::KICK_OFF
                ));
            }
            if self.goal_of(point).is_some() && n_drawn > usize::from(point == ball) {
                return Some(format!("the line to end at the goal point {point}"));
            }
        }
        let reached = self.reached(state);
        let visited = |point: &Point| !self.drawn_at(state, *point).is_empty();
        if let Some(apart) = self.points().find(|p| visited(p) && !reached[index(*p)]) {
            let start = Point::KICK_OFF;
            return Some(format!(
                "the segments at {apart} to hang together with {start}"
            ));
        }
        // Each point off the border passes the turn when it is visited first.
        let passes = |point: &Point| {
            *point != Point::KICK_OFF && self.pitch.open[index(*point)] == Directions::ALL
        };
        let n_passes = self.points().filter(visited).filter(passes).count();
        let to_move = Player::BOTH[n_passes % 2];
        (to_move != state.to_move).then(|| {
            let side = self.side(to_move);
            format!("{side} to move, as the turn has passed {n_passes} times")
        })
    }

    /// The directions in which segments are drawn at a point.
    fn drawn_at(&self, state: &State, point: Point) -> Directions {
        let all = Direction::ALL.into_iter();
        all.filter(|&direction| self.is_used(state, point, direction))
            .collect()
    }

    /// For each index whether drawn segments connect its point to the kick-off.
    fn reached(&self, state: &State) -> [bool; N_POINTS] {
        let mut reached = [false; N_POINTS];
        reached[index(Point::KICK_OFF)] = true;
        let mut to_leave = vec![Point::KICK_OFF];
        while let Some(point) = to_leave.pop() {
            for direction in self.drawn_at(state, point).iter() {
                let next = point.step(direction);
                if !std::mem::replace(&mut reached[index(next)], true) {
                    to_leave.push(next);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_soccer::pitch::Line;
    use crate::{ActionId, Game};
    use std::collections::HashSet;

    /// All states of at most `depth` segments that games lead to.
    fn reachable(game: &PaperSoccer, depth: usize) -> HashSet<State> {
        let mut all = HashSet::from([game.initial()]);
        let mut layer = all.clone();
        let mut legal: Vec<ActionId> = Vec::new();
        for _ in 0..depth {
            let mut next_layer = HashSet::new();
            for state in &layer {
                game.legal_actions(state, &mut legal);
                for &action in &legal {
                    let mut next = state.clone();
                    game.play_unchecked(&mut next, action);
                    next_layer.insert(next);
                }
            }
            all.extend(next_layer.iter().cloned());
            layer = next_layer;
        }
        all
    }

    /// All sets of at most `n` segments.
    fn sets(segments: &[(Point, Direction)], n: usize) -> Vec<Vec<(Point, Direction)>> {
        let mut all = vec![Vec::new()];
        if n > 0 {
            for (index, &last) in segments.iter().enumerate() {
                for mut set in sets(&segments[..index], n - 1) {
                    set.push(last);
                    all.push(set);
                }
            }
        }
        all
    }

    #[test]
    fn just_the_states_that_games_lead_to_are_free_of_contradictions() {
        const DEPTH: usize = 4;
        let game = PaperSoccer::new(2, 2).unwrap();
        let reachable = reachable(&game, DEPTH);
        let all = |point| Direction::ALL[..4].iter().map(move |&d| (point, d));
        let is_open = |&(point, d): &_| game.pitch.line(point, d) == Line::Open;
        let segments: Vec<_> = game.points().flat_map(all).filter(is_open).collect();
        assert_eq!(segments.len(), game.n_segments());
        let mut n_accepted = 0;
        for set in sets(&segments, DEPTH) {
            for ball in game.points() {
                for to_move in Player::BOTH {
                    let state = game.state_from_segments(set.iter().copied(), ball, to_move);
                    let accepted = game.contradiction(&state).is_none();
                    assert_eq!(accepted, reachable.contains(&state), "{state:?}");
                    n_accepted += usize::from(accepted);
                }
            }
        }
        assert_eq!(n_accepted, reachable.len());
    }
}

//! The rules, by what is free at each point.

use super::config::PaperSoccer;
use super::illegal::Illegal;
use super::notation::SIDES;
use super::pitch::direction::{Direction, Directions};
use super::pitch::point::{Point, index};
use super::pitch::{Line, owner};
use super::state::State;
use crate::{ActionId, Game, Outcome, Player};
use rand::{Rng, RngExt};
use serde::Serialize;
use std::fmt;

/// How a segment ended the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The ball is in a goal.
    Goal,
    /// The player has to go on and cannot.
    DeadEnd,
}

/// What drawing a segment did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// Where the ball is now.
    pub target: Point,
    /// Whether the segment bounces, so that the player has to go on; not in a goal.
    pub bounces: bool,
    /// Who moves next; `None` when the game is over.
    pub next: Option<Player>,
    /// How the game ended, if it did.
    pub end: Option<End>,
    /// Who won, if the game is over.
    pub winner: Option<Player>,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "to {}", self.target)?;
        let [next, winner] = [self.next, self.winner].map(|player| Some(SIDES[player?.index()]));
        match (next, self.end, winner) {
            (Some(next), ..) if self.bounces => write!(f, ", {next} moves again"),
            (Some(next), ..) => write!(f, ", {next} to move"),
            (None, Some(End::Goal), Some(winner)) => write!(f, ", goal for {winner}"),
            (None, _, Some(winner)) => write!(f, ", a dead end, {winner} wins"),
            (None, _, None) => Ok(()),
        }
    }
}

impl PaperSoccer {
    /// The directions in which free segments lead away from a point; none from outside the pitch
    /// and from a goal.
    #[must_use]
    pub fn free_at(&self, state: &State, point: Point) -> Directions {
        if self.pitch.contains(point) {
            state.free[index(point)]
        } else {
            Directions::default()
        }
    }

    /// Whether a segment that ends at this point bounces: it is on the border, a post, or visited,
    /// and not in a goal.
    #[must_use]
    pub fn bounces_at(&self, state: &State, point: Point) -> bool {
        self.pitch.contains(point) && self.goal_of(point).is_none() && !state.is_fresh(index(point))
    }

    /// Whether the segment from a point in this direction is drawn.
    #[must_use]
    pub fn is_used(&self, state: &State, from: Point, direction: Direction) -> bool {
        // Goals keep no account of their segments: the other end does.
        let (from, direction) = if self.goal_of(from).is_some() {
            (from.step(direction), direction.opposite())
        } else {
            (from, direction)
        };
        self.pitch.contains(from)
            && self.pitch.open[index(from)].contains(direction)
            && !state.free[index(from)].contains(direction)
    }

    /// The drawn segments, each once: its end from which it leads N, NE, E or SE, and where.
    pub(super) fn used_segments(&self, state: &State) -> impl Iterator<Item = (Point, Direction)> {
        self.points().flat_map(move |point| {
            let owned = Direction::ALL[..4].iter().copied();
            owned
                .filter(move |&direction| self.is_used(state, point, direction))
                .map(move |direction| (point, direction))
        })
    }

    /// The state with these segments drawn, which are different and open.
    pub(super) fn state_from_segments(
        &self,
        segments: impl Iterator<Item = (Point, Direction)>,
        ball: Point,
        to_move: Player,
    ) -> State {
        let mut state = self.initial();
        // Nested iterators are faster from within than by their `next`.
        segments.for_each(|(from, direction)| {
            debug_assert_eq!(owner(from, direction), (from, direction));
            state.mark(index(from), direction);
        });
        state.ball = index(ball) as u16;
        state.to_move = to_move;
        state
    }
}

impl Game for PaperSoccer {
    type State = State;
    type Played = Played;
    type Illegal = Illegal;

    fn rules_version(&self) -> u32 {
        1
    }

    fn spec(&self) -> String {
        format!("paper-soccer:{}x{}", self.width(), self.height())
    }

    fn n_actions(&self) -> usize {
        Direction::ALL.len()
    }

    fn max_plies(&self) -> Option<usize> {
        Some(self.n_segments())
    }

    fn initial(&self) -> State {
        State::kick_off(&self.pitch.open)
    }

    #[inline]
    fn player_to_move(&self, state: &State) -> Player {
        state.to_move
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.is_over(state).then(|| {
            let scorer = self.goal_of(state.ball());
            Outcome::won_by(Some(scorer.unwrap_or(state.to_move.opponent())))
        })
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.free().is_empty()
    }

    /// Each point is entered once on the shortest way, so all its segments are free when they are drawn.
    fn wins_at_once(&self, state: &State, _legal: &[ActionId]) -> bool {
        let scoring = self.approaches(state, state.to_move);
        scoring.has_entered(usize::from(state.ball))
    }

    #[inline]
    fn legal_actions(&self, state: &State, out: &mut Vec<ActionId>) {
        out.clear();
        out.extend(state.free().iter().map(Direction::action));
    }

    #[inline]
    fn n_legal_actions(&self, state: &State, _buffer: &mut Vec<ActionId>) -> usize {
        state.free().len()
    }

    fn write_mask(&self, state: &State, _buffer: &mut Vec<ActionId>, mask: &mut [i8]) {
        assert_eq!(mask.len(), self.n_actions(), "action mask of {self:?}");
        let free = state.free();
        for (entry, direction) in mask.iter_mut().zip(Direction::ALL) {
            *entry = i8::from(free.contains(direction));
        }
    }

    fn legality(&self, state: &State, action: ActionId) -> Result<(), Illegal> {
        if action.index() >= self.n_actions() {
            return Err(Illegal::NotANeighbour(action.0));
        }
        if self.is_over(state) {
            return Err(Illegal::GameOver);
        }
        let direction = Direction::of(action);
        if state.free().contains(direction) {
            return Ok(());
        }
        let from = state.ball();
        let to = from.step(direction);
        Err(match self.pitch.line(from, direction) {
            Line::Outside => Illegal::OutsideThePitch { from, to },
            Line::Wall => Illegal::Wall { from, to },
            Line::Open => Illegal::AlreadyUsed { from, to },
        })
    }

    #[inline]
    fn is_legal(&self, state: &State, action: ActionId) -> bool {
        action.index() < self.n_actions() && state.free().contains(Direction::of(action))
    }

    fn play(&self, state: &mut State, action: ActionId) -> Result<Played, Illegal> {
        self.legality(state, action)?;
        let bounces = state.draw(Direction::of(action));
        let target = state.ball();
        let outcome = self.outcome(state);
        let in_goal = self.goal_of(target).is_some();
        Ok(Played {
            target,
            bounces: bounces && !in_goal,
            next: outcome.is_none().then_some(state.to_move),
            end: outcome.map(|_| if in_goal { End::Goal } else { End::DeadEnd }),
            winner: outcome.and_then(|outcome| outcome.winner),
        })
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, action: ActionId) {
        state.draw(Direction::of(action));
    }

    #[inline]
    fn hash(&self, state: &State) -> u64 {
        state.key
    }

    #[inline]
    fn sample_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> ActionId {
        let free = state.free();
        free.nth(rng.random_range(0..free.len())).action()
    }
}

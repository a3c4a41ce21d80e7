//! The rules, by what is free at each point.

use super::direction::{Direction, Directions};
use super::pitch::{Line, Pitch, owner};
use super::point::{MAX_SIDE, Point, index};
use super::state::State;
use crate::{ActionId, Game, Outcome, Player};
use rand::{Rng, RngExt};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// The size of the pitch, and tables derived from it.
#[derive(Clone)]
pub struct PaperSoccer {
    pub(super) pitch: Arc<Pitch>,
}

impl fmt::Debug for PaperSoccer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PaperSoccer({}x{})", self.width(), self.height())
    }
}

/// A size that a pitch does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a pitch has an even width and an even height of 2 to {MAX_SIDE}, got {width}x{height}")]
pub struct ConfigError {
    /// Squares asked for from left to right.
    pub width: usize,
    /// Squares asked for from end line to end line.
    pub height: usize,
}

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
        match (self.next, self.end, self.winner) {
            (Some(player), ..) if self.bounces => write!(f, ", player {player} moves again"),
            (Some(player), ..) => write!(f, ", player {player} to move"),
            (None, Some(End::Goal), Some(winner)) => write!(f, ", goal for player {winner}"),
            (None, _, Some(winner)) => write!(f, ", a dead end, player {winner} wins"),
            (None, _, None) => Ok(()),
        }
    }
}

/// Why a segment may not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The ball is in a goal, or its player cannot go on.
    #[error("the game is over")]
    GameOver,
    /// The id is no direction.
    #[error("step {0} does not lead to a neighbour of the ball: expected 0 (N) to 7 (NW)")]
    NotANeighbour(u32),
    /// The segment would leave the pitch.
    #[error("the segment {from} to {to} is outside the pitch")]
    OutsideThePitch {
        /// Where the ball is.
        from: Point,
        /// Where it would go.
        to: Point,
    },
    /// The segment would lie on the border of the pitch, or on the side or the back of a goal.
    #[error("the segment {from} to {to} is a wall")]
    Wall {
        /// Where the ball is.
        from: Point,
        /// Where it would go.
        to: Point,
    },
    /// The segment has been drawn before.
    #[error("the segment {from} to {to} is already used")]
    AlreadyUsed {
        /// Where the ball is.
        from: Point,
        /// Where it would go.
        to: Point,
    },
}

impl PaperSoccer {
    /// A pitch of `width x height` squares.
    ///
    /// # Errors
    /// If either is odd or not in `2..=16`.
    ///
    /// # Examples
    /// ```
    /// use tablero_env::{Game, Player, paper_soccer::{Direction, PaperSoccer}};
    /// let game = PaperSoccer::new(8, 10).unwrap();
    /// let mut state = game.initial();
    /// for direction in [Direction::N, Direction::E, Direction::SW] {
    ///     game.play(&mut state, direction.action()).unwrap();
    /// }
    /// // The last segment ends where the ball started: player 0 moves again.
    /// assert_eq!(game.player_to_move(&state), Player::First);
    /// assert!(game.play(&mut state, Direction::N.action()).is_err(), "already used");
    /// assert!(PaperSoccer::new(7, 10).is_err());
    /// ```
    pub fn new(width: usize, height: usize) -> Result<Self, ConfigError> {
        let fits = |side: usize| (2..=MAX_SIDE).contains(&side) && side.is_multiple_of(2);
        if !fits(width) || !fits(height) {
            return Err(ConfigError { width, height });
        }
        Ok(PaperSoccer {
            pitch: Arc::new(Pitch::new(width, height)),
        })
    }

    /// Squares from left to right.
    #[must_use]
    pub fn width(&self) -> usize {
        2 * self.pitch.half_width as usize
    }

    /// Squares from end line to end line.
    #[must_use]
    pub fn height(&self) -> usize {
        2 * self.pitch.half_height as usize
    }

    /// The number of segments that can be drawn; no game is longer.
    #[must_use]
    pub fn n_segments(&self) -> usize {
        self.pitch.n_segments
    }

    /// All points of the pitch and of the goals, row by row from the upper goal to the lower one,
    /// each row from left to right.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.pitch.points()
    }

    /// The player who wins when the ball is at this point: player 0 in the upper goal.
    #[must_use]
    pub fn goal_of(&self, point: Point) -> Option<Player> {
        self.pitch.goal_of(point)
    }

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
        for (from, direction) in segments {
            debug_assert_eq!(owner(from, direction), (from, direction));
            state.mark(index(from), direction);
        }
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

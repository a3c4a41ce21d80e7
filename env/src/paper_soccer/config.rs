//! The configured game: the size of its pitch, and the text of it.

use super::pitch::Pitch;
use super::pitch::point::{MAX_SIDE, Point};
use crate::Player;
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

/// Parameters that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A side is odd, or no pitch is so small or large.
    #[error(
        "a pitch has an even width and an even height of 2 to {MAX_SIDE}, got {width}x{height}"
    )]
    Size {
        /// Squares asked for from left to right.
        width: usize,
        /// Squares asked for from end line to end line.
        height: usize,
    },
    /// The text does not have the form of a size.
    #[error("expected WIDTHxHEIGHT, such as 8x10 (up to {MAX_SIDE}x{MAX_SIDE})")]
    Parameters {
        /// The text given.
        got: String,
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
            return Err(ConfigError::Size { width, height });
        }
        Ok(PaperSoccer {
            pitch: Arc::new(Pitch::new(width, height)),
        })
    }

    /// Reads the parameters of a spec, such as `8x10`.
    ///
    /// # Errors
    /// If the text is not two numbers with an `x` between them, each even and in `2..=16`.
    ///
    /// # Examples
    /// ```
    /// use tablero_env::{Game, paper_soccer::PaperSoccer};
    /// let game = PaperSoccer::parse_parameters("8x10").unwrap();
    /// assert_eq!(game.spec(), "paper-soccer:8x10");
    /// assert!(PaperSoccer::parse_parameters("8").is_err());
    /// ```
    pub fn parse_parameters(text: &str) -> Result<Self, ConfigError> {
        let read = || {
            let (width, height) = text.split_once(['x', 'X'])?;
            Some((width.parse().ok()?, height.parse().ok()?))
        };
        let (width, height) = read().ok_or_else(|| ConfigError::Parameters {
            got: text.to_owned(),
        })?;
        PaperSoccer::new(width, height)
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
}

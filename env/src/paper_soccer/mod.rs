//! Paper Soccer on a pitch of `width x height` squares, both even, 2 to 16.
//!
//! # Rules
//! - The ball starts in the middle, on the point 0,0. An action draws one segment from the ball to
//!   one of the eight neighbouring points; a segment is drawn once, and diagonals may cross.
//! - The border of the pitch and the sides and backs of the goals are walls: no segment lies on
//!   them. The goal lines between the posts are open.
//! - A segment that ends on a visited point, on the border or on a post *bounces*: the same player
//!   moves again. Otherwise the turn passes.
//! - The ball on a point of a goal ends the game: player 0 wins in the upper goal (+y), player 1 in
//!   the lower one, whoever drew the segment. A player who has to go on and cannot loses.
//!
//! # Points
//! x runs from -width/2 to width/2 and y from -height/2 to height/2, upwards. The points of the
//! goals are those with x from -1 to 1 and |y| = height/2 + 1; the posts are 1 and -1 on the end
//! lines. The middle of a goal line is a point like those inside the pitch, and all three goal
//! points are reached from there; from a post only the middle one is.
//!
//! # Actions
//! 0 to 7 are the directions N (+y), NE, E (+x), SE, S, SW, W, NW.
//!
//! # Text
//! An action is written as the point that it leads to, `x,y`, and read as that or as a direction.
//! So the text of a turn, targets separated by spaces, is the texts of its actions; a point can be
//! found on the drawing; and a record that is replayed from a wrong position is refused, where
//! directions would wander on.
//!
//! A state is `SEGMENTS:BALL:MOVER`. Segments are a hexadecimal digit for each point, rows from
//! the upper goal to the lower one, joined by `/`; the digit adds up the segments drawn between the
//! point and its neighbours to the N (1), NE (2), E (4) and SE (8). The new 2x2 game is
//! `000/000/000/000/000:0,0:0`. The segments are one line from 0,0 to the ball, so they tell which
//! points are visited, and each first visit of a point that is not on the border passes the turn
//! once, so they tell the player to move: a text in which these parts disagree is refused.
//!
//! # Drawing
//! Points as `.`, visited ones as `o`, walls as `=` and `#`, corners and posts as `+`, the ball as
//! `@`, segments as `-`, `|`, `/`, `\` and, where two cross, `X`. x is below, y to the left; player 0
//! attacks upwards.
//!
//! # Observation
//! `[17, height+3, width+1]`, a cell a point, as the player to move sees it who attacks upwards:
//! for player 1 the pitch is turned by half a turn. See
//! [`Encode::plane_descriptions`](crate::Encode::plane_descriptions). The policy is
//! `[8, height+3, width+1]`: a plane a direction, so turned as well, and the cell of the ball.
//! Features name points, stops, bounces and threats: the table stands in `features.rs`, and they
//! are part of the encoding.

mod ball;
mod config;
mod drawing;
mod encoding;
mod features;
mod illegal;
mod notation;
mod pitch;
mod rules;
mod state;
mod view;

pub use ball::walk::Walk;
pub use config::{ConfigError, PaperSoccer};
pub use illegal::Illegal;
pub use pitch::direction::{Direction, Directions};
pub use pitch::point::{MAX_SIDE, N_POINTS, Point, index, point};
pub use rules::{End, Played};
pub use state::State;

//! The units of a search: of scores, and of depth.

use crate::heuristic::MAX_EVALUATION;

/// The score of a won game, before the winner's lead in points is added.
pub const WIN_SCORE: i32 = 2 * MAX_EVALUATION;

/// Above every score.
pub(super) const INFINITY: i32 = 2 * WIN_SCORE;

/// What an action costs of the depth after which the other player moves.
pub(super) const TURN: u16 = 4;

/// What an action costs after which the same player moves again. Were it a whole turn, long runs
/// of captures or bounces would be cut in the middle; were it nothing, Paper Soccer's turns of
/// dozens of segments would never be searched through.
///
/// Measured in paired games against 4 quarters, at equal nodes (1,000 in Paper Soccer 8x10, 3,000
/// in Dots and Boxes 5x5, 120 games each): 0 quarters 50 % and 59 % of the points, 1 quarter 60 %
/// and 62 %, 2 quarters 55 % and 61 %. One quarter in equal time, 5 ms a move: 61 % of 120 games on
/// 6x8, and 50 % of 200 in Dots and Boxes 5x5.
pub(super) const SAME_TURN: u16 = 1;

//! Six levels of play, the same names in every game.
//!
//! A level is a limit in nodes, never in time, so that it plays the same moves on every
//! machine. A core of a current machine looks at 0.4 (Paper Soccer) to 8 million (Queens) nodes a
//! second, so that a master takes up to 500 ms a move and an expert a fifth of that.
//!
//! Measured: the points of each level against the one below, in 100 games, two from each of 50 random
//! openings, with colours swapped (the 95 % interval is about 9 % to either side; in Hive a game of 400
//! plies counts as a draw).
//!
//! | | novice | intermediate | advanced | expert | master |
//! |---|---|---|---|---|---|
//! | Dots and Boxes 5x5 | 83 % | 78 % | 78 % | 70 % | not measured |
//! | Queens 8 | 81 % | 66 % | 52 % | 52 % | 50 % |
//! | Paper Soccer 6x8 | 92 % | 66 % | 59 % | not measured | not measured |
//! | Xadrersi | 62 % | 75 % | 73 % | 70 % | 66 % |
//! | Hive, all expansions | 72 % | 85 % | 89 % (50 games) | not measured | not measured |
//!
//! Queens 8 is small: after a queen or two the three upper levels search it to the end, so a master
//! plays there as an expert does.

use crate::limits::Limits;

/// A level of play of [`Minimax`](crate::Minimax).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level {
    /// The name in English.
    pub name: &'static str,
    /// What it may spend on a move.
    pub limits: Limits,
}

/// The levels, from the weakest to the strongest.
pub const LEVELS: [Level; 6] = [
    Level {
        name: "beginner",
        limits: Limits::nodes(40),
    },
    Level {
        name: "novice",
        limits: Limits::nodes(300),
    },
    Level {
        name: "intermediate",
        limits: Limits::nodes(1_500),
    },
    Level {
        name: "advanced",
        limits: Limits::nodes(7_500),
    },
    Level {
        name: "expert",
        limits: Limits::nodes(37_500),
    },
    Level {
        name: "master",
        limits: Limits::nodes(190_000),
    },
];

impl Level {
    /// The level with a number from 1 to 6, or a name in lower case; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Level> {
        let by_number = || text.parse::<usize>().ok()?.checked_sub(1);
        let by_name = || LEVELS.iter().position(|level| level.name == text);
        LEVELS.get(by_number().or_else(by_name)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_numbers_and_names_and_no_other() {
        for (index, level) in LEVELS.into_iter().enumerate() {
            assert_eq!(Level::parse(&(index + 1).to_string()), Some(level));
            assert_eq!(Level::parse(level.name), Some(level));
        }
        for text in ["", "0", "7", "-1", "Beginner", "99999999999999999999"] {
            assert_eq!(Level::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn no_level_depends_on_the_clock() {
        for level in LEVELS {
            assert_eq!(level.limits.time, None);
            assert!(level.limits.nodes.is_some());
        }
    }
}

//! Six levels of play, the same names in every game.
//!
//! A level is a limit in nodes, never in time, so that it plays the same moves on every
//! machine. The first has enough of them to look deeper than one turn in every game, and each has
//! four times as many as the one below. What that is worth in points and in milliseconds is
//! measured in `docs/baselines.md`.

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
        limits: Limits::nodes(500),
    },
    Level {
        name: "novice",
        limits: Limits::nodes(2_000),
    },
    Level {
        name: "intermediate",
        limits: Limits::nodes(8_000),
    },
    Level {
        name: "advanced",
        limits: Limits::nodes(32_000),
    },
    Level {
        name: "expert",
        limits: Limits::nodes(128_000),
    },
    Level {
        name: "master",
        limits: Limits::nodes(512_000),
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

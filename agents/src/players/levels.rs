//! How strong a player is to play, by names from beginner to master.

use tablero_minimax::{LEVELS, Level};

/// How a policy plays at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyLevel {
    /// Simulations a move.
    pub sims: u32,
    /// At which a move is drawn by its visits; at 0 the best is played.
    pub temperature: f64,
}

/// A policy's levels, by the names of [`LEVELS`].
pub const POLICY_LEVELS: [PolicyLevel; 6] = [
    level(8, 1.0),
    level(16, 0.5),
    level(64, 0.25),
    level(200, 0.0),
    level(800, 0.0),
    level(3200, 0.0),
];

const fn level(sims: u32, temperature: f64) -> PolicyLevel {
    PolicyLevel { sims, temperature }
}

impl PolicyLevel {
    /// As options of a player. Levels with a temperature are bare: an analyser would see too much.
    #[must_use]
    pub fn options(&self) -> String {
        let PolicyLevel { sims, temperature } = self;
        if *temperature > 0.0 {
            format!("sims={sims},temperature={temperature},analyser_nodes=0")
        } else {
            format!("sims={sims}")
        }
    }
}

/// The player of a level, given by its name or number, as text: the policy that comes with Tablero
/// for the game where there is one, else minimax. `None` if there is no such level.
#[must_use]
pub fn level_text(level: &str, has_policy: bool) -> Option<String> {
    let level = Level::parse(level)?;
    let (_, of_policy) = LEVELS
        .iter()
        .zip(POLICY_LEVELS)
        .find(|(other, _)| **other == level)?;
    Some(match has_policy {
        true => format!("zoo:{}", of_policy.options()),
        false => format!("minimax:level={}", level.name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayerSpec;

    #[test]
    fn every_level_is_a_player_and_no_other() {
        for (index, level) in LEVELS.iter().enumerate() {
            for has_policy in [true, false] {
                let text = level_text(level.name, has_policy).unwrap();
                assert!(text.parse::<PlayerSpec>().is_ok(), "{text}");
                assert_eq!(level_text(&(index + 1).to_string(), has_policy), Some(text));
            }
        }
        for text in ["", "0", "7", "Master"] {
            assert_eq!(level_text(text, true), None);
        }
    }
}

//! The policies that come with Tablero, in the binary itself.

use super::directory::{GOLDEN, MANIFEST, WEIGHTS};
use super::{Policy, PolicyError};
use std::path::{Path, PathBuf};

/// A policy that comes with Tablero: a folder of `models/zoo`.
#[derive(Clone, Copy, Debug)]
pub struct ZooEntry {
    /// The folder's name, which is that of the preset that trained it.
    pub name: &'static str,
    /// The spec of the game that it plays.
    pub game: &'static str,
    /// How it was made: seed, time and machine.
    pub made: &'static str,
    /// What was measured, in short.
    pub strength: &'static str,
    files: [(&'static str, &'static [u8]); 3],
}

macro_rules! entry {
    ($name:literal, $game:literal, made: $made:literal, strength: $strength:literal) => {
        ZooEntry {
            name: $name,
            game: $game,
            made: $made,
            strength: $strength,
            files: [
                (
                    MANIFEST,
                    include_bytes!(concat!("../../zoo/", $name, "/policy.json")),
                ),
                (
                    WEIGHTS,
                    include_bytes!(concat!("../../zoo/", $name, "/weights.safetensors")),
                ),
                (
                    GOLDEN,
                    include_bytes!(concat!("../../zoo/", $name, "/golden.json")),
                ),
            ],
        }
    };
}

/// Every policy that comes with Tablero, at most one a game. A static, so that a program has them once.
pub static ZOO: &[ZooEntry] = &[
    entry!(
        "dots-and-boxes-3x3",
        "dots-and-boxes:3x3",
        made: "seed 1, 70 minutes on a part of one core",
        strength: "99.89 % of 40,337 critical decisions optimal against minimax at depth 4, 100 simulations, 0.25 ms per move"
    ),
    entry!(
        "dots-and-boxes-5x5",
        "dots-and-boxes:5x5",
        made: "seed 1, 42 minutes on one core of an EPYC (Zen 5)",
        strength: "80 % against minimax:level=5 in a third of its time, 200 games, 4,000 simulations"
    ),
    entry!(
        "paper-soccer-8x10",
        "paper-soccer:8x10",
        made: "seed 1, 29 minutes on two threads of one core of an EPYC (Zen 5), then two more runs with more simulations",
        strength: "90.5 % against minimax:level=4 in its time, 400 games, 3,500 simulations"
    ),
    entry!(
        "queens-8",
        "queens:8",
        made: "seed 1, 2 minutes on one core of a busy machine",
        strength: "100 % of 2,524 critical decisions optimal, 200 simulations, 0.15 ms per move"
    ),
    entry!(
        "hive-base",
        "hive:base",
        made: "seed 1, 59 minutes on a part of one core",
        strength: "98 % against the engine nokamute 1.0.3 at 1 s per move for each, 46 games"
    ),
    entry!(
        "hive-base+mlp",
        "hive:base+mlp",
        made: "seed 1, 65 minutes on a part of one core",
        strength: "96 % against the engine nokamute 1.0.3 at 1 s per move for each, 108 games"
    ),
    entry!(
        "xadrersi",
        "xadrersi",
        made: "seed 1, 20 minutes on a part of one core",
        strength: "86 % against minimax:level=4 in a sixth of its time, 400 games, 400 simulations"
    ),
];

impl ZooEntry {
    /// The policy for the game of this spec, if there is one.
    #[must_use]
    pub fn of_game(spec: &str) -> Option<&'static ZooEntry> {
        ZOO.iter().find(|entry| entry.game == spec)
    }

    /// Reads the policy and checks all of it, as [`Policy::load`] does.
    ///
    /// # Errors
    /// If the program was built from damaged files.
    pub fn load(&self) -> Result<Policy, PolicyError> {
        let folder: PathBuf = Path::new("models/zoo").join(self.name);
        Policy::from_files(&folder, |name, _| {
            let file = self.files.iter().find(|(file, _)| *file == name);
            Ok(file.map_or(&[][..], |(_, content)| content).to_vec())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size that all of them may have together, so that the binary stays small.
    const MOST_BYTES: usize = 24 << 20;

    #[test]
    fn every_policy_is_whole_and_plays_its_game() {
        for entry in ZOO {
            let policy = entry.load().unwrap();
            assert!(!policy.manifest.search.is_informed(), "bare policies alone");
            assert_eq!(policy.manifest.game, entry.game, "{}", entry.name);
            let first = ZooEntry::of_game(entry.game).unwrap();
            assert_eq!(first.name, entry.name, "one policy a game");
        }
    }

    #[test]
    fn the_table_tells_of_every_policy() {
        let table = include_str!("../../zoo/README.md");
        for entry in ZOO {
            let row = format!("| `{}` | `{}` |", entry.name, entry.game);
            let row = table.lines().find(|line| line.starts_with(&row)).unwrap();
            assert!(row.ends_with(&format!("| {} |", entry.strength)), "{row}");
        }
    }

    #[test]
    fn all_policies_together_are_small() {
        let files = ZOO.iter().flat_map(|entry| entry.files);
        let total: usize = files.map(|(_, content)| content.len()).sum();
        assert!(total < MOST_BYTES, "{total} bytes");
    }
}

//! Memory that is asked for: estimated before anything begins, and refused where the machine does not
//! have it.

use std::fmt;
use std::fs;
use std::time::Duration;
use tablero_env::Game;
use tablero_models::SearchConfig;

const MIB: u64 = 1 << 20;
/// Simulations a millisecond, more than networks allow.
const SIMS_A_MS: u64 = 500;

/// Settings that need more memory than there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotEnoughMemory {
    /// What needs it, with the bytes that it needs; the largest first.
    pub parts: Vec<(&'static str, u64)>,
    /// Bytes that are available.
    pub available: u64,
}

impl std::error::Error for NotEnoughMemory {}

impl fmt::Display for NotEnoughMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = total(&self.parts) / MIB;
        let parts = self.parts.iter();
        let parts: Vec<_> = parts
            .map(|(what, bytes)| format!("{what} {} MiB", bytes / MIB))
            .collect();
        write!(
            f,
            "this needs about {total} MiB of memory ({}), and {} MiB are available",
            parts.join(", "),
            self.available / MIB
        )
    }
}

/// Checks that the machine has memory for all parts together. Where the system does not say how much
/// there is, everything fits.
///
/// # Errors
/// If it has not.
pub fn check(parts: &[(&'static str, u64)]) -> Result<(), NotEnoughMemory> {
    match available() {
        Some(available) => fits(parts, available),
        None => Ok(()),
    }
}

fn fits(parts: &[(&'static str, u64)], available: u64) -> Result<(), NotEnoughMemory> {
    if total(parts) <= available {
        return Ok(());
    }
    let mut parts = parts.to_vec();
    parts.retain(|(_, bytes)| *bytes >= MIB);
    parts.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    Err(NotEnoughMemory { parts, available })
}

fn total(parts: &[(&'static str, u64)]) -> u64 {
    let bytes = parts.iter().map(|(_, bytes)| *bytes);
    bytes.fold(0, u64::saturating_add)
}

/// Bytes of memory that can still be had; `None` where the system is not Linux.
#[must_use]
pub fn available() -> Option<u64> {
    // "MemAvailable:   21913748 kB" (proc_meminfo(5)).
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib.saturating_mul(1024))
}

/// About how many bytes the tree of a search grows to, with this `time` for a move, where there is a
/// limit: its nodes, most of them leaves, have as many moves as the first position. Where they are
/// shared, their positions are kept beside them.
#[must_use]
pub fn of_tree<G: Game>(game: &G, search: &SearchConfig, time: Option<Duration>) -> u64 {
    let mut legal = Vec::new();
    game.legal_actions(&game.initial(), &mut legal);
    let by_time = time.map(|time| SIMS_A_MS.saturating_mul(time.as_millis() as u64));
    let sims = u64::from(search.sims).min(by_time.unwrap_or(u64::MAX));
    // What is kept of the move before counts, too, and as much that will be dropped.
    let nodes = sims.saturating_mul(3);
    let nodes = nodes.min(search.tree.max_nodes as u64);
    let shares_nodes = search.tree.transpositions && game.max_plies().is_some();
    // And its place by hash.
    let position = if shares_nodes {
        size_of::<G::State>() + 20
    } else {
        0
    };
    nodes.saturating_mul((40 + 10 * legal.len() + position) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::dots_and_boxes::{DotsAndBoxes, State};

    #[test]
    fn what_does_not_fit_is_told_with_its_size() {
        assert_eq!(fits(&[("trees", 5), ("games", 6)], 11), Ok(()));
        let parts = [("games", 3 * MIB), ("crumbs", 9), ("trees", u64::MAX)];
        let error = fits(&parts, 100 * MIB).unwrap_err();
        assert_eq!(
            error.to_string(),
            "this needs about 17592186044415 MiB of memory (trees 17592186044415 MiB, games 3 MiB), and \
             100 MiB are available"
        );
    }

    #[test]
    fn a_tree_is_as_large_as_its_nodes_at_most() {
        let game = DotsAndBoxes::new(5, 5).unwrap();
        let mut search = SearchConfig {
            sims: u32::MAX,
            ..SearchConfig::default()
        };
        let node = 40 + 600 + 20 + size_of::<State>() as u64;
        let full = of_tree(&game, &search, None);
        assert_eq!(full, (1 << 21) * node);
        // A search of a moment does not fill it.
        let moment = Some(Duration::from_millis(10));
        assert_eq!(of_tree(&game, &search, moment), 15_000 * node);
        assert_eq!(of_tree(&game, &search, Some(Duration::MAX)), full);
        search.sims = 100;
        assert_eq!(of_tree(&game, &search, moment), 300 * node);
        search.tree.transpositions = false;
        assert_eq!(of_tree(&game, &search, moment), 300 * 640);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_says_how_much_there_is() {
        assert!(available().unwrap() > 16 * MIB);
    }
}

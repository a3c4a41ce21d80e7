//! The memory of the process: how much there is of it, and giving back what a long run does not need.

use crate::config::RunConfig;
use crate::self_play::Workers;
use std::fs;
use tablero_agents::memory::{self, NotEnoughMemory};
use tablero_env::BoardGame;
use tablero_models::{NetworkConfig, NetworkShape};

/// Gives free memory back to the system, where the allocator is glibc's; does nothing elsewhere.
///
/// Games are made of many small blocks, by threads that end with their round. As old games leave the replay
/// window, glibc keeps what was theirs, and other threads do not get it: a run that had gone on from 19
/// rounds of Dots and Boxes 5x5 held 304 MiB after 23 more, of which 158 were in use. It takes milliseconds.
pub fn release() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it may be called at any time by any thread (malloc_trim(3): "MT-Safe").
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Bytes of memory that the process holds, resident; `None` where the system is not Linux.
#[must_use]
pub fn resident() -> Option<u64> {
    // "VmRSS:     188520 kB" (proc_pid_status(5)).
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// Checks that the machine has the memory for a run: of a batch that the learner draws, with what its
/// network remembers of it, and of the trees of all games that are played at once.
///
/// # Errors
/// If it has not.
pub(crate) fn check_run<G: BoardGame>(
    game: &G,
    config: &RunConfig,
    workers: Workers,
) -> Result<(), NotEnoughMemory> {
    let shape = NetworkShape::of_network(game, &config.network);
    let at_once = (workers.threads as u64).saturating_mul(workers.group_size as u64);
    let at_once = at_once.min(config.self_play.games);
    memory::check(&[
        ("learner.batch_size", of_batch(config, &shape)),
        (
            "search.sims and games at once",
            memory::of_tree(game, &config.search, None).saturating_mul(at_once),
        ),
    ])
}

/// About how many bytes a batch takes: inputs and targets, and each layer's output with its gradient.
fn of_batch(config: &RunConfig, shape: &NetworkShape) -> u64 {
    let outputs = match &config.network {
        NetworkConfig::Sparse { width, hidden } => 2 * width + hidden.iter().sum::<usize>(),
        NetworkConfig::Mlp { hidden } => hidden.iter().sum(),
        NetworkConfig::Residual {
            blocks, channels, ..
        } => (2 * blocks + 1) * channels * shape.n_cells(),
    };
    let ends = match &config.network {
        // Lists of features and of legal actions.
        NetworkConfig::Sparse { .. } => 1000,
        NetworkConfig::Mlp { .. } | NetworkConfig::Residual { .. } => {
            shape.n_inputs() + 3 * shape.n_slots()
        }
    };
    let position = (2 * outputs + ends) as u64 * 4;
    position.saturating_mul(config.learner.batch_size as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::dots_and_boxes::DotsAndBoxes;

    #[test]
    fn a_batch_beyond_all_memory_is_refused_with_the_figure() {
        let game = DotsAndBoxes::new(5, 5).unwrap();
        let mut config = RunConfig::preset("quickstart").unwrap();
        let workers = Workers {
            threads: 1,
            group_size: 32,
        };
        assert_eq!(check_run(&game, &config, workers), Ok(()));
        config.network = NetworkConfig::Residual {
            blocks: 40,
            channels: 512,
        };
        config.learner.batch_size = 16_384;
        let shape = NetworkShape::of_network(&game, &config.network);
        // 81 layers of 512 channels on a grid of 6 by 6, twice.
        assert_eq!(shape.n_cells(), 36);
        assert!(of_batch(&config, &shape) > 16_384 * 81 * 512 * 36 * 2 * 4);
        let error = check_run(&game, &config, workers).unwrap_err().to_string();
        assert!(
            error.contains("(learner.batch_size ") && error.contains("MiB are available"),
            "{error}"
        );
    }
}

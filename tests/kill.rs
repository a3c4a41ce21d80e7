//! A run that is killed again and again ends bit for bit as one that never was.

use rand::RngExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use tablero_env::random::stream;
use tablero_tests::{results_of_run, shrunk_presets, split};
use tablero_train::RunConfig;

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn command(config: &str, folder: &Path) -> Command {
    std::fs::write(folder.join("config.toml"), config).unwrap();
    let mut command = Command::new(BINARY);
    command
        .args(split("train --config config.toml --out run"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Trains once in peace, and once with a kill after each of `lives`, from the shortest to ever longer
/// ones, until the run ends. Returns the number of kills.
fn train_and_kill(config: &str, lives: impl Fn(u64) -> Duration) -> u64 {
    let calm = tempfile::tempdir().unwrap();
    assert!(command(config, calm.path()).status().unwrap().success());

    let harassed = tempfile::tempdir().unwrap();
    let mut kills = 0;
    loop {
        let mut child = command(config, harassed.path()).spawn().unwrap();
        sleep(lives(kills));
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        let status = child.wait().unwrap();
        if status.success() {
            break;
        }
        assert_eq!(status.code(), None, "ended by itself: {status}");
    }

    let [calm, harassed] =
        [calm, harassed].map(|folder| results_of_run(&folder.path().join("run")));
    let names: Vec<&String> = calm.keys().collect();
    assert_eq!(names, harassed.keys().collect::<Vec<_>>());
    assert!(
        names.iter().any(|name| name.ends_with(".shard")),
        "{names:?}"
    );
    for (name, content) in &calm {
        assert!(harassed[name] == *content, "{name} differs");
    }
    kills
}

#[test]
fn a_killed_run_goes_on_to_the_same_end() {
    let small = include_str!("data/small.toml");
    let config = RunConfig {
        rounds: 24,
        ..RunConfig::from_toml(small, "small.toml").unwrap()
    };
    // Longer and longer lives, so that the run ends on any machine; at first so short that the start
    // itself is hit.
    let kills = train_and_kill(&config.to_toml(), |kills| {
        let mut rng = stream(11, "kill", kills);
        Duration::from_millis(rng.random_range(1..=20 + 8 * kills))
    });
    assert!(kills > 5, "the run was killed {kills} times");
}

#[test]
fn a_killed_run_that_takes_games_goes_on_to_the_same_end() {
    let small = include_str!("data/small.toml");
    let source = tempfile::tempdir().unwrap();
    assert!(command(small, source.path()).status().unwrap().success());
    let mut config = RunConfig::from_toml(small, "small.toml").unwrap();
    config.games_from = vec![source.path().join("run"); 3];
    config.rounds = 12;
    let kills = train_and_kill(&config.to_toml(), |kills| {
        let mut rng = stream(13, "kill", kills);
        Duration::from_millis(rng.random_range(1..=10 + 8 * kills))
    });
    assert!(kills > 3, "the run was killed {kills} times");
}

#[test]
fn every_preset_goes_on_to_the_same_end() {
    for (name, config) in shrunk_presets() {
        let kills = train_and_kill(&config.to_toml(), |kills| {
            let mut rng = stream(12, name, kills);
            Duration::from_millis(rng.random_range(1..=20 + 40 * kills))
        });
        assert!(kills > 0, "{name}");
    }
}

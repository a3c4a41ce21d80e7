//! Folders and configurations that came from somebody else.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use tablero_tests::{Finished, run_in};

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn tablero(folder: &Path, arguments: &str) -> Finished {
    run_in(BINARY, folder, arguments)
}

fn trained() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("small.toml"),
        include_str!("data/small.toml"),
    )
    .unwrap();
    let _ = tablero(
        folder.path(),
        "train --config small.toml --out run --rounds 2",
    )
    .ok();
    folder
}

#[test]
fn a_run_follows_no_link_out_of_its_folder() {
    for part in [
        "lock",
        "metrics.jsonl",
        "evaluations.jsonl",
        "tensorboard",
        "checkpoints",
        "replay",
        "policy",
        "checkpoints/000003",
        "replay/000009.shard",
    ] {
        let folder = trained();
        let (path, mine) = (
            folder.path().join("run").join(part),
            folder.path().join("mine"),
        );
        if path.is_dir() {
            fs::rename(&path, &mine).unwrap();
        } else {
            if path.exists() {
                fs::remove_file(&path).unwrap();
            }
            fs::write(&mine, "mine").unwrap();
        }
        symlink(&mine, &path).unwrap();
        let finished = tablero(folder.path(), "train --out run --rounds 3");
        finished.refused(&[part, "is a link"]);
        if mine.is_file() {
            assert_eq!(fs::read(&mine).unwrap(), b"mine", "{part}");
        }
    }
    // A match writes into a run without opening it.
    let folder = trained();
    fs::write(folder.path().join("mine"), "mine").unwrap();
    let evaluations = folder.path().join("run/evaluations.jsonl");
    symlink(folder.path().join("mine"), evaluations).unwrap();
    let finished = tablero(folder.path(), "eval --a policy:run --b random --games 2");
    assert_eq!(finished.code, Some(1), "{finished:?}");
    assert!(finished.stderr.contains("a link"), "{finished:?}");
    assert_eq!(fs::read(folder.path().join("mine")).unwrap(), b"mine");
}

#[test]
fn a_configuration_starts_no_program_unless_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let small = include_str!("data/small.toml").replace("dots-and-boxes:2x2", "hive:base");
    let small = small.replace("random_plies = 4", "random_plies = 4\nmax_plies = 8");
    let command = "touch started";
    let text =
        format!("{small}\n[evaluation]\nevery = 1\ngames = 2\nopponents = ['uhp:\"{command}\"']\n");
    fs::write(folder.path().join("theirs.toml"), text).unwrap();
    let train = "train --config theirs.toml --out run";
    let finished = tablero(folder.path(), train);
    finished.refused(&["touch started", "--allow-commands"]);
    let started = folder.path().join("started");
    assert!(!started.exists() && !folder.path().join("run").exists());
    // It may, and turns out to be no engine.
    let allowed = tablero(folder.path(), &format!("{train} --allow-commands"));
    assert_ne!(allowed.code, Some(0), "{allowed:?}");
    assert!(started.exists(), "{allowed:?}");
}

#[test]
fn texts_of_a_policy_do_not_steer_the_terminal() {
    let folder = trained();
    let _ = tablero(folder.path(), "export run --out policy").ok();
    let path = folder.path().join("policy/policy.json");
    let text = fs::read_to_string(&path).unwrap();
    let hostile = text.replace(
        "dots-and-boxes:2x2",
        "dots\\u001b]0;owned\\u0007\\u202e:2x2",
    );
    assert_ne!(hostile, text);
    fs::write(&path, hostile).unwrap();
    let finished = tablero(folder.path(), "eval --a policy:policy --b random --games 2");
    assert_eq!(finished.code, Some(2), "{finished:?}");
    let steers = |text: &str| text.contains(['\u{1b}', '\u{7}', '\u{202e}']);
    assert!(!steers(&finished.stderr), "{finished:?}");
}

#[test]
fn devices_pipes_and_endless_files_are_refused() {
    let folder = trained();
    let _ = tablero(folder.path(), "export run --out policy").ok();
    for name in ["policy.json", "weights.safetensors", "golden.json"] {
        let path = folder.path().join("policy").join(name);
        let whole = fs::read(&path).unwrap();
        let eval = "eval --a policy:policy --b random --games 2";
        for device in ["/dev/zero", "pipe", "long"] {
            fs::remove_file(&path).unwrap();
            match device {
                "long" => {
                    let file = fs::File::create(&path).unwrap();
                    file.set_len(1 << 40).unwrap();
                }
                "pipe" => {
                    let made = std::process::Command::new("mkfifo").arg(&path).status();
                    assert!(made.unwrap().success());
                }
                device => symlink(device, &path).unwrap(),
            }
            let finished = tablero(folder.path(), eval);
            assert_eq!(finished.code, Some(2), "{name} {device}: {finished:?}");
        }
        fs::remove_file(&path).unwrap();
        fs::write(&path, whole).unwrap();
        let _ = tablero(folder.path(), eval).ok();
    }
    tablero(folder.path(), "train --config /dev/zero --out new").refused(&["plain file"]);
}

/// Not a stranger's, but of another machine.
#[test]
fn a_run_that_is_moved_to_another_machine_says_so_once() {
    let folder = trained();
    let manifest = folder.path().join("run/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["machine"]["version"], env!("CARGO_PKG_VERSION"));
    let here = value["machine"]["instructions"]
        .as_str()
        .unwrap()
        .to_owned();
    value["machine"]["instructions"] = "Abacus".into();
    fs::write(&manifest, value.to_string()).unwrap();
    let moved = tablero(folder.path(), "train --out run --rounds 3");
    assert!(
        moved.code == Some(0) && moved.stderr.contains("Abacus"),
        "{moved:?}"
    );
    assert!(moved.stderr.contains(&here), "{moved:?}");
    // Nothing new to notice: the metrics hold it once, and show it while it is recent.
    let _ = tablero(folder.path(), "train --out run --rounds 4").ok();
    let status = tablero(folder.path(), "status run --json").json();
    let metrics = status["metrics"].to_string();
    assert_eq!(metrics.matches("Abacus").count(), 1, "{metrics}");
}

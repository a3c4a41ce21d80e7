//! What was computed is told and kept, whatever becomes of pipes, disks and opponents.

use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tablero_tests::{Finished, run_in, split};
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn tablero(folder: &TempDir, arguments: &str) -> Finished {
    run_in(BINARY, folder.path(), arguments)
}

/// A folder with a run of one round in `run`, whose checkpoints are evaluated.
fn trained() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let small = include_str!("data/small.toml").replace("rounds = 5", "rounds = 1");
    let evaluation = "\n[evaluation]\nevery = 1\ngames = 2\nsearch = { sims = 2 }\n\
                      opponents = [\"random\"]\n";
    fs::write(folder.path().join("small.toml"), small + evaluation).unwrap();
    let _ = tablero(&folder, "train --config small.toml --out run").ok();
    folder
}

/// What the run of [`trained`] has kept.
fn evaluations(folder: &TempDir) -> Vec<Value> {
    let text = fs::read_to_string(folder.path().join("run/evaluations.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A folder where the run's file of evaluations should be.
fn block_evaluations(folder: &TempDir) {
    let path = folder.path().join("run/evaluations.jsonl");
    fs::remove_file(&path).unwrap();
    fs::create_dir(path).unwrap();
}

/// Runs a command whose standard output and error go to these files.
fn with_outputs(folder: &TempDir, arguments: &str, out: &str, error: &str) -> Option<i32> {
    let open = |path: &str| {
        let path = folder.path().join(path);
        File::options()
            .create(true)
            .append(true)
            .open(path)
            .unwrap()
    };
    let mut command = Command::new(BINARY);
    command.args(split(arguments)).current_dir(folder.path());
    command
        .stdin(Stdio::null())
        .stdout(open(out))
        .stderr(open(error));
    command.status().unwrap().code()
}

#[test]
fn a_result_is_printed_before_it_is_kept() {
    let folder = trained();
    block_evaluations(&folder);
    let commands = [
        "eval --a policy:run,sims=2 --b random --games 4 --json",
        "eval ladder policy:run,sims=2 random --games 4 --json",
    ];
    for command in commands {
        let finished = tablero(&folder, command);
        assert_eq!(finished.code, Some(1), "{finished:?}");
        let report: Value = serde_json::from_str(&finished.stdout).unwrap();
        assert_eq!(report["game"], "dots-and-boxes:2x2");
        assert!(
            finished.stderr.contains("not stored in run"),
            "{finished:?}"
        );
    }
}

#[test]
fn a_result_is_kept_if_it_cannot_be_printed() {
    let folder = trained();
    let before = evaluations(&folder).len();
    let command = "eval --a policy:run,sims=2 --b random --games 4";
    assert_eq!(
        with_outputs(&folder, command, "/dev/full", "errors"),
        Some(1)
    );
    let errors = fs::read_to_string(folder.path().join("errors")).unwrap();
    assert!(
        errors.contains("cannot write to standard output"),
        "{errors}"
    );
    assert_eq!(evaluations(&folder).len(), before + 1);
    // A reader that has gone.
    let status = Command::new("sh")
        .args(["-c", &format!("{BINARY} {command} | true")])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(evaluations(&folder).len(), before + 2);
}

#[test]
fn no_command_panics_where_nothing_can_be_written() {
    let folder = trained();
    for arguments in [
        "--help",
        "games",
        "zoo",
        "train --presets",
        "status run",
        "status run --json",
        "report run",
        "export run --out policy",
        "export nowhere --out policy",
        "moves hive",
        "perft dots-and-boxes:2x2 --depth 3",
        "count queens:4",
        "solve dots-and-boxes:2x2",
        "analyze dots-and-boxes:2x2",
        "hint dots-and-boxes:2x2",
        "play dots-and-boxes:2x2",
        "uhp",
        "replay run",
        "eval --game queens:4 --a random --b greedy --games 2 --oracle",
        "eval ladder --game queens:4 random greedy --games 2",
    ] {
        for (out, error) in [
            ("/dev/full", "/dev/full"),
            ("/dev/full", "errors"),
            ("out", "/dev/full"),
        ] {
            let code = with_outputs(&folder, arguments, out, error);
            assert!(
                matches!(code, Some(0..=2)),
                "{arguments} {out} {error}: {code:?}"
            );
        }
    }
    let errors = fs::read_to_string(folder.path().join("errors")).unwrap();
    assert!(!errors.contains("panicked"), "{errors}");
}

#[test]
fn a_log_that_is_full_does_not_stop_training() {
    let folder = trained();
    let train = "train --out run --rounds 3 --json";
    assert_eq!(with_outputs(&folder, train, "out", "/dev/full"), Some(0));
    let status = tablero(&folder, "status run --json").json();
    assert_eq!(status["rounds"], 3);
}

#[test]
fn an_interrupted_match_tells_what_was_finished() {
    let folder = trained();
    let before = evaluations(&folder).len();
    let games = 20_000;
    for command in [
        format!("eval --a policy:run,sims=400 --b random --games {games} --oracle --json"),
        format!("eval ladder policy:run,sims=400 random --games {games} --json"),
    ] {
        let child = Command::new(BINARY)
            .args(split(&command))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(4));
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &id])
                .status()
                .unwrap()
                .success()
        );
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let played = match report.get("matches") {
            Some(matches) => &matches[0],
            None => &report,
        };
        let finished = played["games"].as_u64().unwrap();
        assert!(finished > 0 && finished < games, "{finished} games");
        assert_eq!(played["interrupted"], true);
    }
    assert_eq!(evaluations(&folder).len(), before + 2);
}

#[test]
fn a_missing_opponent_is_refused_before_the_first_round() {
    let folder = trained();
    let text = fs::read_to_string(folder.path().join("small.toml")).unwrap();
    let text = text.replace("\"random\"", "\"random\", \"policy:nowhere\"");
    fs::write(folder.path().join("other.toml"), text).unwrap();
    tablero(&folder, "train --config other.toml --out other").refused(&["evaluation", "nowhere"]);
    assert!(!folder.path().join("other").exists());
}

#[test]
fn a_match_on_the_way_that_fails_is_a_warning() {
    let folder = trained();
    block_evaluations(&folder);
    let finished = tablero(&folder, "train --out run --rounds 3");
    assert_eq!(finished.code, Some(0), "{finished:?}");
    assert!(
        finished.stderr.contains("evaluations.jsonl"),
        "{finished:?}"
    );
    let status = tablero(&folder, "status run --json").json();
    assert_eq!(status["rounds"], 3);
    let rounds = status["metrics"].as_array().unwrap();
    let numbers: Vec<u64> = rounds
        .iter()
        .map(|it| it["checkpoint"].as_u64().unwrap())
        .collect();
    assert!(
        numbers.iter().copied().eq(1..=numbers.len() as u64),
        "{numbers:?}"
    );
    let warnings = rounds.last().unwrap()["warnings"].to_string();
    assert!(warnings.contains("evaluations.jsonl"), "{warnings}");
    let path = Path::new("run/metrics.jsonl");
    assert!(folder.path().join(path).is_file());
}

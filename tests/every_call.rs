//! Each file operation of training, resuming, exporting and evaluating fails in turn: with an error,
//! since the disk is full, half way, or since the process is killed. What is left is resumed to the
//! same end, bit for bit; whoever fails says so; nobody else's files are touched.
//!
//! `TABLERO_TRIES=2000 cargo test --release --workspace --test every_call` lets every single call fail.
#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tablero_tests::{Finished, files_of, results_of_run, run_in, split};

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

const TRAIN: &str = "train --config small.toml --out run --threads 1";
const EXPORT: &str = "export run --out policy";
const EVAL: &str = "eval --a policy:run,sims=2 --b random --games 2 --seed 5";

const EVALUATIONS: &str = "evaluations.jsonl";

/// Somebody's files, near and among what is written.
const FOREIGN: [&str; 4] = [
    "notes.txt",
    "thesis/policy.json",
    "run/notes.txt",
    "run/replay/notes.txt",
];

/// How many calls of each command fail in each way.
fn tries() -> u64 {
    let tries = std::env::var("TABLERO_TRIES").ok();
    tries.and_then(|tries| tries.parse().ok()).unwrap_or(7)
}

/// A command whose `n`-th file operation meets its fate.
fn faulty(folder: &Path, arguments: &str, fault: &str) -> Finished {
    let output = Command::new(BINARY)
        .args(split(arguments))
        .current_dir(folder)
        .env("TABLERO_FAULT", fault)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Finished {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Writes the foreign files whose folders are there.
fn add_foreign(folder: &Path) {
    fs::create_dir_all(folder.join("thesis")).unwrap();
    for file in FOREIGN {
        if folder.join(file).parent().unwrap().is_dir() {
            fs::write(folder.join(file), "mine").unwrap();
        }
    }
}

/// An empty folder with a configuration.
fn empty() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let small = include_str!("data/small.toml")
        .replace("rounds = 5", "rounds = 2")
        .replace("games = 24", "games = 6")
        .replace("sims = 24", "sims = 4")
        .replace("nodes = 100", "nodes = 20");
    let matches =
        "[evaluation]\nevery = 1\ngames = 2\nopponents = [\"random\"]\nsearch = { sims = 2 }\n";
    fs::write(folder.path().join("small.toml"), small + matches).unwrap();
    add_foreign(folder.path());
    folder
}

/// The same with a finished run, its policy, and an evaluation.
fn trained() -> tempfile::TempDir {
    let folder = empty();
    for command in [TRAIN, EXPORT, EVAL] {
        let _ = run_in(BINARY, folder.path(), command).ok();
    }
    add_foreign(folder.path());
    folder
}

fn copied(files: &BTreeMap<String, Vec<u8>>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

/// Lets calls of `arguments` fail, each in a copy of `before`, and asks `check` what it thinks of the
/// folder and of how the command ended. Returns the names of the calls that failed.
fn sweep(before: &Path, arguments: &str, check: impl Fn(&Path, &Finished)) -> BTreeSet<String> {
    let before = files_of(before);
    let calm = copied(&before);
    let counted = faulty(calm.path(), arguments, "none:0");
    let calls = counted.stderr.rsplit_once("file operations: ");
    let calls: u64 = calls.unwrap().1.trim().parse().unwrap();
    assert_eq!(counted.code, Some(0), "{counted:?}");
    let tries = tries().min(calls);
    let mut struck = BTreeSet::new();
    for (index, kind) in ["error", "full", "short", "kill"].into_iter().enumerate() {
        for number in 0..tries {
            // Kinds take other calls, if not all are taken.
            let n = 1 + (number * calls + index as u64 * calls / 4) / tries % calls;
            let fault = format!("{kind}:{n}");
            let folder = copied(&before);
            let finished = faulty(folder.path(), arguments, &fault);
            let what = format!("{fault} of {calls} in {arguments}: {finished:?}");
            if kind == "kill" {
                assert!(matches!(finished.code, None | Some(0)), "{what}");
            } else {
                assert!(matches!(finished.code, Some(0..=2)), "{what}");
                assert!(!finished.stderr.contains("panicked"), "{what}");
            }
            if kind == "short" {
                assert_eq!(finished.code, Some(0), "{what}");
            }
            if matches!(finished.code, Some(1 | 2)) {
                let is_told = ["error:", "warning:"];
                assert!(
                    is_told.iter().any(|it| finished.stderr.contains(it)),
                    "{what}"
                );
            }
            for file in FOREIGN.into_iter().filter(|&it| before.contains_key(it)) {
                let content = fs::read(folder.path().join(file)).ok();
                assert_eq!(
                    content.as_deref(),
                    Some(&b"mine"[..]),
                    "{file} after {what}"
                );
            }
            struck.extend(
                finished
                    .stderr
                    .lines()
                    .filter_map(|line| line.strip_prefix("fault at call "))
                    .filter_map(|line| Some(line.split_once(": ")?.1.to_owned())),
            );
            let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                check(folder.path(), &finished);
            }));
            assert!(checked.is_ok(), "after {what}");
        }
    }
    struck
}

/// Without what a process that was killed may leave, until the next one clears it.
fn settled(mut files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    files.retain(|name, _| !name.contains(".tablero-tmp"));
    files
}

/// Whether all JSON values of one text are in another.
fn is_part(part: &[u8], all: &[u8]) -> bool {
    let values = |bytes| {
        let values = serde_json::Deserializer::from_slice(bytes).into_iter();
        let values: Result<Vec<serde_json::Value>, _> = values.collect();
        values.unwrap()
    };
    let all = values(all);
    values(part).iter().all(|value| all.contains(value))
}

fn train_sweep(before: &Path, arguments: &str) {
    let calm = copied(&files_of(before));
    let _ = run_in(BINARY, calm.path(), arguments).ok();
    let expected = results_of_run(&calm.path().join("run"));
    let struck = sweep(before, arguments, |folder, finished| {
        // Also where it was not told: what could not be looked at may be left over.
        let _ = run_in(BINARY, folder, arguments).ok();
        let mut results = results_of_run(&folder.join("run"));
        if finished.stderr.contains("warning: checkpoint") {
            // A match on the way that fails is reported, and the run continues without it.
            let (left, all) = (&results[EVALUATIONS], &expected[EVALUATIONS]);
            assert!(is_part(left, all), "matches are not those of a calm run");
            results.insert(EVALUATIONS.to_owned(), all.clone());
        }
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&results), names(&expected));
        for (name, content) in &results {
            assert!(expected[name] == *content, "{name} differs");
        }
        let status = run_in(BINARY, folder, "status run --json").json();
        assert!(status["rounds"].as_u64() >= Some(2), "{status}");
    });
    assert!(struck.len() > 5, "only {struck:?} failed");
}

#[test]
fn a_run_that_starts_survives_each_fault() {
    train_sweep(empty().path(), TRAIN);
}

#[test]
fn a_run_that_is_resumed_survives_each_fault() {
    train_sweep(trained().path(), "train --out run --rounds 3 --threads 1");
}

#[test]
fn an_export_leaves_the_old_policy_or_the_new_one() {
    let folder = trained();
    let _ = run_in(
        BINARY,
        folder.path(),
        "train --out run --rounds 3 --threads 1",
    )
    .ok();
    let old = files_of(&folder.path().join("policy"));
    let calm = copied(&files_of(folder.path()));
    let _ = run_in(BINARY, calm.path(), EXPORT).ok();
    let new = files_of(&calm.path().join("policy"));
    assert!(old != new);
    let _ = sweep(folder.path(), EXPORT, |folder, finished| {
        let policy = folder.join("policy");
        // Where names cannot be exchanged the old one waits beside it for a moment.
        if policy.exists() {
            let left = files_of(&policy);
            assert!(left == new || left == old && finished.code != Some(0));
        }
        let _ = run_in(BINARY, folder, EXPORT).ok();
        assert!(files_of(&policy) == new);
        let all = files_of(folder);
        assert!(all == settled(all.clone()), "leftovers: {:?}", all.keys());
    });
}

/// A result is printed whatever becomes of the run's file of evaluations, which loses no line.
#[test]
fn an_evaluation_is_printed_and_earlier_ones_are_kept() {
    let folder = trained();
    let lines = |folder: &Path| {
        let text = fs::read(folder.join("run/evaluations.jsonl")).unwrap();
        let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec);
        lines.filter(|it| !it.is_empty()).collect::<Vec<_>>()
    };
    let old = lines(folder.path());
    let is_whole = |line: &Vec<u8>| serde_json::from_slice::<serde_json::Value>(line).is_ok();
    let _ = sweep(folder.path(), EVAL, |folder, finished| {
        let whole = |folder: &Path| {
            let all = lines(folder);
            assert_eq!(all[..old.len()], old);
            all[old.len()..].iter().filter(|it| is_whole(it)).count()
        };
        let kept = whole(folder);
        let is_kept = !finished.stderr.contains("is not stored");
        match finished.code {
            Some(0) => assert_eq!((kept, is_kept), (1, true)),
            Some(1) if !is_kept => assert_eq!(kept, 0),
            _ => assert!(kept <= 1),
        }
        if finished.code == Some(0) || !is_kept {
            assert!(finished.stdout.contains("score of a"));
        }
        let _ = run_in(BINARY, folder, EVAL).ok();
        assert_eq!(whole(folder), kept + 1);
    });
}

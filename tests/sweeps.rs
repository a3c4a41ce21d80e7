//! Attacks by the number: inputs that are changed at random, and system calls that fail one after the
//! other. `TABLERO_TRIES=2000 cargo test --release --workspace --test sweeps` makes a long sweep.
#![cfg(unix)]

use rand::RngExt;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tablero_env::random::{Stream, stream};
use tablero_tests::{Finished, run_in};

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

/// Far beyond what any of these commands takes on a busy machine.
const HANG: Duration = Duration::from_secs(120);

fn tries() -> u64 {
    let tries = std::env::var("TABLERO_TRIES").ok();
    tries.and_then(|tries| tries.parse().ok()).unwrap_or(40)
}

fn trained() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let small = include_str!("data/small.toml");
    fs::write(folder.path().join("small.toml"), small).unwrap();
    let train = "train --config small.toml --out run --rounds 2";
    let _ = run_in(BINARY, folder.path(), train).ok();
    let _ = run_in(BINARY, folder.path(), "export run --out policy").ok();
    folder
}

/// Bits, pieces and numbers of a file in other places and sizes.
fn mutated(bytes: &[u8], rng: &mut Stream) -> Vec<u8> {
    const NUMBERS: [&str; 8] = [
        "18446744073709551615",
        "4294967296",
        "-1",
        "0",
        "1e308",
        "1e-30",
        "nan",
        "99999999999999999999999",
    ];
    let mut bytes = bytes.to_vec();
    let at = |rng: &mut Stream, bytes: &[u8]| rng.random_range(0..bytes.len().max(1));
    for _ in 0..rng.random_range(1..=3) {
        let place = at(rng, &bytes);
        match rng.random_range(0..5) {
            0 if !bytes.is_empty() => bytes[place] ^= 1 << rng.random_range(0..8),
            1 => bytes.truncate(place),
            2 => {
                let end = (place + rng.random_range(0..64)).min(bytes.len());
                let piece = bytes[place.min(end)..end].to_vec();
                let to = at(rng, &bytes).min(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => {
                // The next number takes another value.
                let is_number = |byte: &u8| byte.is_ascii_digit() || b".-e".contains(byte);
                let rest = bytes.get(place..).unwrap_or_default();
                if let Some(start) = rest.iter().position(u8::is_ascii_digit) {
                    let start = place + start;
                    let length = bytes[start..]
                        .iter()
                        .take_while(|byte| is_number(byte))
                        .count();
                    let number = NUMBERS[rng.random_range(0..NUMBERS.len())];
                    bytes.splice(start..start + length, number.bytes());
                }
            }
        }
    }
    bytes
}

fn is_orderly(what: &str, finished: &Finished, started: Instant) {
    assert!(matches!(finished.code, Some(0..=2)), "{what}: {finished:?}");
    assert!(
        !finished.stderr.contains("panicked"),
        "{what}: {finished:?}"
    );
    assert!(started.elapsed() < HANG, "{what}: {finished:?}");
}

/// Runs a command on a file that is changed in many ways.
fn sweep(folder: &Path, file: &str, arguments: &str) {
    let path = folder.join(file);
    let whole = fs::read(&path).unwrap();
    for index in 0..tries() {
        let changed = mutated(&whole, &mut stream(21, file, index));
        fs::write(&path, changed).unwrap();
        let started = Instant::now();
        let finished = run_in(BINARY, folder, arguments);
        is_orderly(&format!("{file}, try {index}"), &finished, started);
    }
    fs::write(&path, whole).unwrap();
}

#[test]
fn a_changed_policy_is_refused_or_plays() {
    let folder = trained();
    let eval = "eval --a policy:policy,sims=2 --b random --games 2 --max-plies 20";
    for file in ["policy.json", "weights.safetensors", "golden.json"] {
        sweep(folder.path(), &format!("policy/{file}"), eval);
    }
    let _ = run_in(BINARY, folder.path(), eval).ok();
}

#[test]
fn a_changed_run_is_refused_or_read() {
    let folder = trained();
    for file in ["manifest.json", "metrics.jsonl", "config.toml"] {
        sweep(folder.path(), &format!("run/{file}"), "status run --json");
    }
    let shard = "run/replay/000001.shard";
    sweep(
        folder.path(),
        shard,
        "train --config small.toml --out other --games-from run --rounds 0",
    );
    let _ = run_in(BINARY, folder.path(), "train --out run --rounds 3").ok();
}

#[test]
fn a_changed_configuration_is_refused_or_starts() {
    let folder = trained();
    let path = folder.path().join("small.toml");
    let whole = fs::read(&path).unwrap();
    for index in 0..2 * tries() {
        let changed = mutated(&whole, &mut stream(22, "configuration", index));
        fs::write(&path, &changed).unwrap();
        let started = Instant::now();
        let train = format!("train --config small.toml --out new{index} --rounds 0");
        let finished = run_in(BINARY, folder.path(), &train);
        let text = String::from_utf8_lossy(&changed);
        is_orderly(&format!("try {index}: {text}"), &finished, started);
    }
}

/// An engine whose lines are spoilt in many ways costs its games at most.
#[test]
fn a_garbled_engine_loses_its_games_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let garbles = [
        "s/w/b/",
        "s/S/Q/2",
        "s/;/,/",
        "s/ok/OK/2",
        "s/o/\\n/3",
        "s/[1-3]/9/g",
        "s/$/\\r/",
        "y/wb/bw/",
        "3d",
        "s/-/\\//",
        "p",
    ];
    for (index, garble) in garbles.iter().enumerate() {
        let script = format!("{BINARY} uhp --player random | sed -u '{garble}'");
        fs::write(folder.path().join("engine.sh"), script).unwrap();
        let started = Instant::now();
        let eval = "eval --game hive:base --a 'uhp:\"sh engine.sh\",ms=100,wait=2' --b random --games 2 \
                    --max-plies 16 --json";
        let finished = run_in(BINARY, folder.path(), eval);
        is_orderly(&format!("garble {index}: {garble}"), &finished, started);
    }
}

/// Resumes training after a command of the shell's `ulimit`.
fn limited(folder: &Path, limit: &str) -> Option<i32> {
    let script = format!("trap '' XFSZ; {limit}; exec {BINARY} train --out run --rounds 3");
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!error.contains("panicked"), "{limit}: {error}");
    output.status.code()
}

/// Each limit lets another call fail: the n-th file that is opened, or a write beyond n blocks. What
/// fails leaves a run that is resumed to the same weights.
#[test]
fn a_run_whose_system_calls_fail_goes_on_later() {
    let calm = trained();
    let _ = run_in(BINARY, calm.path(), "train --out run --rounds 3").ok();
    let weights = |folder: &Path| fs::read(folder.join("run/policy/weights.safetensors")).unwrap();
    let expected = weights(calm.path());
    let files = (3..16).map(|n| format!("ulimit -n {n}"));
    let blocks = (0..8).map(|n| format!("ulimit -f {n}"));
    let mut failures = 0;
    for limit in files.chain(blocks) {
        let folder = trained();
        let code = limited(folder.path(), &limit);
        // 127: not even the program could be loaded.
        assert!(matches!(code, Some(0..=2 | 127)), "{limit}: {code:?}");
        failures += u32::from(code != Some(0));
        let _ = run_in(BINARY, folder.path(), "train --out run --rounds 3").ok();
        assert!(weights(folder.path()) == expected, "{limit}");
    }
    assert!(failures > 3, "{failures} failures");
}

//! Damaged files, foreign files, full disks: a clear error each time, and good files left alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tablero_tests::{Finished, run_in};
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn tablero(folder: &TempDir, arguments: &str) -> Finished {
    run_in(BINARY, folder.path(), arguments)
}

/// A folder with a short finished run in `run` and its policy in `policy`.
fn trained() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("small.toml"),
        include_str!("data/small.toml"),
    )
    .unwrap();
    let _ = tablero(&folder, "train --config small.toml --out run --rounds 2").ok();
    let _ = tablero(&folder, "export run --out policy").ok();
    folder
}

fn files(folder: &TempDir) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.clone(), std::fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    std::fs::write(path, bytes).unwrap();
}

#[allow(
    clippy::ptr_arg,
    reason = "one of the damages, which may change the length"
)]
fn flip_a_bit(bytes: &mut Vec<u8>) {
    let last = bytes.len() - 5;
    bytes[last] ^= 2;
}

fn cut(bytes: &mut Vec<u8>) {
    bytes.truncate(bytes.len() * 2 / 3);
}

/// Damages one file, checks that `arguments` are refused with an error that names the file, and
/// that nothing else changed.
fn is_refused(file: &str, damage: impl FnOnce(&mut Vec<u8>), arguments: &str) {
    let folder = trained();
    change(&folder.path().join(file), damage);
    let before = files(&folder);
    let name = Path::new(file).file_name().unwrap().to_string_lossy();
    tablero(&folder, arguments).refused(&[&name]);
    assert!(files(&folder) == before, "{file}: files changed");
}

#[test]
fn a_truncated_shard_is_named() {
    is_refused("run/replay/000001.shard", cut, "train --out run --rounds 3");
}

#[test]
fn a_flipped_bit_in_a_shard_is_named() {
    is_refused(
        "run/replay/000001.shard",
        flip_a_bit,
        "train --out run --rounds 3",
    );
}

#[test]
fn a_flipped_bit_in_each_file_of_a_checkpoint_is_named() {
    for file in [
        "weights.safetensors",
        "learner.safetensors",
        "optimizer.bin",
    ] {
        let file = format!("run/checkpoints/000003/{file}");
        is_refused(&file, flip_a_bit, "train --out run --rounds 3");
    }
}

#[test]
fn a_damaged_manifest_is_named() {
    is_refused("run/manifest.json", cut, "train --out run --rounds 3");
    is_refused("run/manifest.json", cut, "status run");
}

/// What only tells of a run stops nothing: what is left of it is read.
#[test]
fn damaged_metrics_and_evaluations_stop_nothing() {
    let rounds_told = |folder: &TempDir| {
        let status = tablero(folder, "status run --json").json();
        let metrics = status["metrics"].as_array().unwrap();
        metrics
            .iter()
            .map(|it| it["checkpoint"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    for (damage, left) in [
        ("cut", vec![1, 2]),
        ("deleted", vec![]),
        ("mixed", vec![1, 3]),
    ] {
        let folder = trained();
        assert_eq!(rounds_told(&folder), [1, 2, 3]);
        let path = folder.path().join("run/metrics.jsonl");
        match damage {
            "cut" => change(&path, |bytes| bytes.truncate(bytes.len() - 9)),
            "deleted" => std::fs::remove_file(&path).unwrap(),
            _ => change(&path, |bytes| {
                let text = String::from_utf8_lossy(bytes);
                let mut lines: Vec<&str> = text.lines().collect();
                lines[1] = "\u{0}\u{1}not a line of ours";
                *bytes = (lines.join("\n") + "\n").into_bytes();
            }),
        }
        assert_eq!(rounds_told(&folder), left, "{damage}");
        let _ = tablero(&folder, "report run").ok();
        let _ = tablero(&folder, "train --out run --rounds 3").ok();
        assert_eq!(
            rounds_told(&folder),
            [left, vec![4, 5]].concat(),
            "{damage}"
        );
    }
    let folder = trained();
    let path = folder.path().join("run/evaluations.jsonl");
    std::fs::write(&path, b"{\"checkpoint\": 3, \xff\n{\"cut").unwrap();
    let _ = tablero(&folder, "eval --a policy:run,sims=2 --b random --games 2").ok();
    let text = std::fs::read(&path).unwrap();
    assert_eq!(text.iter().filter(|&&byte| byte == b'\n').count(), 3);
    let report = tablero(&folder, "report run --out report.html").ok();
    assert!(!report.is_empty());
}

#[test]
fn a_damaged_policy_is_named() {
    let eval = "eval --a policy:policy --b random --games 2";
    is_refused("policy/weights.safetensors", flip_a_bit, eval);
    is_refused("policy/weights.safetensors", cut, eval);
    is_refused("policy/policy.json", cut, eval);
    is_refused("policy/golden.json", cut, eval);
}

#[test]
fn a_foreign_policy_is_refused() {
    let eval = "eval --a policy:policy --b random --games 2";
    let foreign = |bytes: &mut Vec<u8>| *bytes = br#"{"name": "something else"}"#.to_vec();
    is_refused("policy/policy.json", foreign, eval);
    let folder = trained();
    tablero(
        &folder,
        "eval --game dots-and-boxes:3x3 --a policy:policy --b random --games 2",
    )
    .refused(&["dots-and-boxes:2x2", "dots-and-boxes:3x3"]);
}

#[test]
fn a_run_starts_from_an_agent_of_its_network_only() {
    let folder = trained();
    let small = include_str!("data/small.toml");
    for (field, other, parts) in [
        ("hidden = [16]", "hidden = [24]", ["[24]", "[16]"]),
        (
            "game = \"dots-and-boxes:2x2\"",
            "game = \"queens:6\"",
            ["queens:6", "dots-and-boxes:2x2"],
        ),
        (
            "game = \"dots-and-boxes:2x2\"",
            "game = \"dots-and-boxes:2x3\"",
            ["start_from", "tensor"],
        ),
    ] {
        std::fs::write(
            folder.path().join("other.toml"),
            small.replace(field, other),
        )
        .unwrap();
        let train = "train --config other.toml --start-from policy --out other";
        tablero(&folder, train).refused(&parts);
    }
    let train = "train --config small.toml --out new --start-from";
    tablero(&folder, &format!("{train} nowhere")).refused(&["start_from", "nowhere"]);
    tablero(&folder, "train --out run --start-from policy").refused(&["--start-from"]);
}

#[test]
fn games_are_taken_from_whole_runs_of_the_game_only() {
    let folder = trained();
    let queens = include_str!("data/small.toml").replace("dots-and-boxes:2x2", "queens:6");
    std::fs::write(folder.path().join("queens.toml"), queens).unwrap();
    tablero(
        &folder,
        "train --config queens.toml --games-from run --out other",
    )
    .refused(&["games_from", "queens:6", "dots-and-boxes:2x2"]);
    let train = "train --config small.toml --out other --games-from";
    tablero(&folder, &format!("{train} nowhere")).refused(&["nowhere"]);
    tablero(&folder, &format!("{train} policy")).refused(&["policy", "not a training run"]);
    tablero(&folder, "train --out run --games-from run").refused(&["--games-from"]);
    change(&folder.path().join("run/replay/000001.shard"), |bytes| {
        flip_a_bit(bytes);
    });
    tablero(&folder, &format!("{train} run")).refused(&["run/replay/000001.shard"]);
}

#[test]
fn a_run_keeps_its_configuration() {
    let folder = trained();
    let before = files(&folder);
    tablero(&folder, "train --config small.toml --out run --seed 4").refused(&["seed"]);
    for command in ["train --out run", "train --config small.toml --out run"] {
        let fewer = format!("{command} --rounds 1");
        tablero(&folder, &fewer).refused(&["2 rounds are done", "got 1", "run/checkpoints"]);
    }
    assert!(files(&folder) == before);
}

#[test]
fn a_configuration_that_was_edited_under_a_run_is_noticed() {
    for (old, new, field) in [
        ("seed = 3", "seed = 4", "seed: 3, now 4"),
        ("games = 24", "games = 25", "self_play.games: 24, now 25"),
        (
            "window_games = 60",
            "window_games = 61",
            "learner.window_games: 60, now 61",
        ),
        (
            "random_plies = 4",
            "random_plies = 4\nmax_plies = 9",
            "self_play.max_plies",
        ),
    ] {
        let edit = |bytes: &mut Vec<u8>| {
            let text = String::from_utf8_lossy(bytes);
            assert!(text.contains(old), "{old} in {text}");
            *bytes = text.replace(old, new).into_bytes();
        };
        let folder = trained();
        change(&folder.path().join("run/config.toml"), edit);
        let before = files(&folder);
        tablero(&folder, "train --out run --rounds 3").refused(&["config.toml", "edited", field]);
        assert!(files(&folder) == before, "{field}");
        let _ = tablero(&folder, "status run").ok();
    }
    // What changes nothing of what was made may be edited.
    let folder = trained();
    change(&folder.path().join("run/config.toml"), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let text = text.replace("keep_checkpoints = 2", "keep_checkpoints = 1");
        *bytes = text.replace("rounds = 2", "rounds = 3").into_bytes();
    });
    let _ = tablero(&folder, "train --out run").ok();
}

#[test]
fn a_player_that_is_named_twice_is_named() {
    let folder = tempfile::tempdir().unwrap();
    tablero(
        &folder,
        "eval ladder --game queens:4 random greedy random --games 2",
    )
    .refused(&["random twice"]);
}

#[test]
fn a_folder_with_other_files_is_left_alone() {
    let folder = trained();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    std::fs::write(folder.path().join("mine/diary.txt"), "dear diary").unwrap();
    let before = files(&folder);
    tablero(&folder, "train --config small.toml --out mine").refused(&["mine", "not empty"]);
    tablero(&folder, "export run --out mine").refused(&["mine"]);
    assert!(files(&folder) == before);
}

#[test]
fn only_what_a_run_wrote_is_ever_deleted() {
    let folder = trained();
    for file in ["run/replay/notes.txt", "run/checkpoints/000002.bak"] {
        std::fs::write(folder.path().join(file), "mine").unwrap();
    }
    let _ = tablero(&folder, "train --out run --rounds 3").ok();
    for file in ["run/replay/notes.txt", "run/checkpoints/000002.bak"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
    // What has the name of a checkpoint or a shard and is none.
    for (file, name) in [
        ("run/checkpoints/000001/thesis.tex", "000001"),
        ("run/checkpoints/000002/notes.txt", "notes.txt"),
        ("run/checkpoints/20261125", "20261125"),
        ("run/replay/000077.shard", "000077.shard"),
    ] {
        let folder = trained();
        let file = folder.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "mine").unwrap();
        let before = files(&folder);
        let finished = tablero(&folder, "train --out run --rounds 4");
        if name == "notes.txt" {
            // Kept by the first of the two rounds and to be deleted by the next.
            let _ = finished.ok();
        } else {
            finished.refused(&[name, "move it elsewhere"]);
            assert!(files(&folder) == before, "{name}: files changed");
        }
        assert_eq!(std::fs::read(&file).unwrap(), b"mine", "{name}");
    }
    // A folder that merely looks like the start of a run.
    std::fs::create_dir_all(folder.path().join("other/replay")).unwrap();
    std::fs::write(folder.path().join("other/replay/film.txt"), "mine").unwrap();
    tablero(&folder, "train --config small.toml --out other").refused(&["other"]);
}

#[test]
fn a_configuration_with_comments_is_not_overwritten() {
    let folder = trained();
    let small = include_str!("data/small.toml");
    std::fs::create_dir(folder.path().join("new")).unwrap();
    std::fs::write(folder.path().join("new/config.toml"), small).unwrap();
    let before = files(&folder);
    for arguments in [
        "train --config new/config.toml --out new",
        "train --config small.toml --out new/ --seed 4",
    ] {
        tablero(&folder, arguments).refused(&["config.toml", "left alone"]);
    }
    assert!(files(&folder) == before);

    // In a run, too: as it is it may be resumed, but it cannot be changed.
    let path = folder.path().join("run/config.toml");
    change(&path, |text| text.extend(b"# the seed is lucky\n"));
    let commented = std::fs::read(&path).unwrap();
    let _ = tablero(&folder, "train --out run").ok();
    assert_eq!(std::fs::read(&path).unwrap(), commented);
    let before = files(&folder);
    let longer = "train --out run --rounds 3";
    tablero(&folder, longer).refused(&["config.toml", "left alone", "rounds = 3"]);
    assert!(files(&folder) == before);
    change(&path, |text| {
        *text = String::from_utf8_lossy(text)
            .replace("rounds = 2", "rounds = 3")
            .into_bytes();
    });
    let _ = tablero(&folder, "train --out run").ok();
    assert_eq!(tablero(&folder, "status run --json").json()["rounds"], 3);
}

#[test]
fn an_export_replaces_policies_alone_however_the_path_is_written() {
    let folder = trained();
    for out in ["policy/", "./policy", "policy/."] {
        let _ = tablero(&folder, &format!("export run --out {out}")).ok();
        let eval = "eval --a policy:policy --b random --games 2";
        let _ = tablero(&folder, eval).ok();
    }
    let beside = |name: &str| folder.path().join(name).exists();
    assert!(!beside("policy.tablero-tmp") && !beside("policy/.tablero-tmp"));

    std::fs::write(folder.path().join("policy/notes.md"), "mine").unwrap();
    std::fs::create_dir(folder.path().join("cloud")).unwrap();
    let statement = r#"{"Version": "2012-10-17", "Statement": []}"#;
    std::fs::write(folder.path().join("cloud/policy.json"), statement).unwrap();
    let before = files(&folder);
    tablero(&folder, "export run --out policy/").refused(&["policy", "notes.md"]);
    tablero(&folder, "export run --out cloud").refused(&["cloud", "left alone"]);
    assert!(files(&folder) == before);
}

#[test]
fn a_configuration_with_an_unknown_field_is_refused() {
    let folder = trained();
    let text = include_str!("data/small.toml").replace("batch_size", "bath_size");
    std::fs::write(folder.path().join("wrong.toml"), text).unwrap();
    tablero(&folder, "train --config wrong.toml --out new").refused(&["wrong.toml", "bath_size"]);
    assert!(!folder.path().join("new").exists());
}

#[test]
fn a_place_that_cannot_be_written_fails_with_1() {
    let folder = trained();
    for arguments in [
        "train --config small.toml --out small.toml/run",
        "export run --out small.toml/policy",
    ] {
        let finished = tablero(&folder, arguments);
        assert_eq!(finished.code, Some(1), "{finished:?}");
        assert!(finished.stderr.contains("small.toml"), "{finished:?}");
    }
}

#[test]
fn a_run_that_hits_a_quota_fails_and_goes_on_later() {
    let folder = trained();
    let arguments = "train --out run --rounds 3";
    // A limit of one block a file; with its signal ignored, longer writes fail.
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {BINARY} {arguments}");
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("cannot write"), "{error}");
    let status = tablero(&folder, "status run --json").json();
    assert_eq!(status["rounds"], 2, "what was there is still valid");

    let _ = tablero(&folder, arguments).ok();
    let status = tablero(&folder, "status run --json").json();
    assert_eq!(status["rounds"], 3);
}

#[test]
fn two_processes_do_not_train_one_run() {
    let folder = trained();
    let lock = std::fs::File::open(folder.path().join("run/lock")).unwrap();
    lock.lock().unwrap();
    let finished = tablero(&folder, "train --out run --rounds 3");
    assert_eq!(finished.code, Some(1), "{finished:?}");
    assert!(finished.stderr.contains("another process"), "{finished:?}");
}

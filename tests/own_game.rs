//! A game of somebody else, from the outside: every command takes it, and `new-game` begins one.

use tablero_tests::{Finished, files_of, run_in};
use tempfile::TempDir;

// The crate that `new-game` writes, as it is written, and its tests.
#[path = "../cli/new-game/src/lib.rs"]
mod my_game;
include!("../cli/new-game/tests/laws.rs");

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn tablero(folder: &TempDir, arguments: &str) -> Finished {
    run_in(BINARY, folder.path(), arguments)
}

#[test]
fn every_command_takes_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| tablero(&folder, arguments);
    assert!(
        run("rules connect-four")
            .ok()
            .contains("four stones in a row")
    );
    assert_eq!(
        run("perft connect-four --depth 4 --json").json()["counts"][3],
        2_401
    );
    assert!(run("moves connect-four --moves '3 3'").ok().contains('O'));
    assert!(
        run("play connect-four --a random --b greedy")
            .ok()
            .contains('X')
    );
    assert_eq!(run("solve connect-four:4x4 --json").json()["value"], 0);
    run("solve connect-four").refused(&["ask later in the game"]);
    // The first player threatens three in the bottom row on both sides.
    let won = run("hint connect-four --moves '2 2 3 3' --player minimax:depth=4");
    assert!(won.ok().contains('1'));

    let config = include_str!("data/small.toml").replace("dots-and-boxes:2x2", "connect-four:4x4");
    std::fs::write(folder.path().join("small.toml"), config).unwrap();
    let trained = run("train --config small.toml --out run --json").json();
    assert_eq!(trained["games"], 120);
    let report = run("eval --a policy:run --b minimax:depth=2 --games 4 --oracle --json").json();
    assert!(report["oracle"]["all"]["decisions"].as_u64().unwrap() > 0);
    assert_eq!(run("report run").ok().trim(), "run/report.html");
    let exported = run("export run --out policy --format onnx --json").json();
    assert_eq!(exported["game"], "connect-four:4x4");
    run("play connect-four:5x4 --a random --b policy:policy").refused(&["connect-four:4x4"]);
}

#[test]
fn a_new_game_has_its_name_everywhere_and_is_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let said = tablero(&folder, "new-game tic-tac-toe").ok();
    assert!(said.contains("cd tic-tac-toe"), "{said}");
    let files = files_of(&folder.path().join("tic-tac-toe"));
    for file in [
        "Cargo.toml",
        "Cargo.lock",
        "preset.toml",
        "src/lib.rs",
        "src/main.rs",
    ] {
        assert!(files.contains_key(file), "{file}");
    }
    for (file, content) in &files {
        let text = String::from_utf8_lossy(content);
        for other in ["my-game", "my_game", "MyGame", "TABLERO"] {
            assert!(!text.contains(other), "{other} in {file}");
        }
    }
    let main = String::from_utf8_lossy(&files["src/main.rs"]);
    assert!(main.contains("tic_tac_toe::TicTacToe"), "{main}");
    tablero(&folder, "new-game tic-tac-toe").refused(&["already exists"]);
    tablero(&folder, "new-game Chess").refused(&["lower-case letters"]);
    tablero(&folder, "new-game go --tablero nowhere").refused(&["--tablero DIR"]);
}

/// The configuration that comes with a new game is one.
#[test]
fn the_preset_of_a_new_game_is_valid() {
    let preset = include_str!("../cli/new-game/preset.toml");
    let preset = tablero_train::RunConfig::from_toml(preset, "preset.toml").unwrap();
    assert_eq!(preset.game, "my-game");
}

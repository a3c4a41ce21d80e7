//! Players of a program's own: every command that takes players takes them by their names. The program
//! under test adds those of under_test.rs.

use tablero_tests::{Finished, run_in};
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn tablero(folder: &TempDir, arguments: &str) -> Finished {
    run_in(BINARY, folder.path(), arguments)
}

#[test]
fn matches_ladders_and_the_oracle_take_them() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| tablero(&folder, arguments);
    // "last" plays the last legal column, so that it loses to whoever looks ahead.
    let report =
        run("eval --game connect-four:4x4 --a last --b minimax:depth=4 --games 8 --oracle --json");
    let report = report.json();
    assert_eq!(report["a"], "last");
    assert!(report["score"].as_f64().unwrap() < 0.5, "{report}");
    assert!(report["oracle"]["all"]["decisions"].as_u64().unwrap() > 0);
    let ladder = "eval ladder --game connect-four:4x4 last central:sims=20 random --games 4 --json";
    let ladder = run(ladder).json();
    let names = ladder["players"].as_array().unwrap().iter();
    let mut names: Vec<&str> = names
        .map(|player| player["player"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["central:sims=20", "last", "random"]);
}

#[test]
fn an_evaluator_searches_and_gives_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| tablero(&folder, arguments);
    let hint = run("hint connect-four --player central:sims=200 --json").json();
    // "central" holds a stone in the middle for a win, and no rule says otherwise on an empty board.
    assert_eq!(hint["action"], 3);
    assert_eq!(hint["by"], "central:sims=200");
    run("hint connect-four --player weightless").refused(&["weightless", "no weights of mine"]);
    run("eval --game connect-four --a random --b weightless --games 2")
        .refused(&["no weights of mine"]);
    run("hint connect-four --player last").refused(&["last", "expected"]);
    run("hint connect-four --player central:simms=3").refused(&["simms"]);
    run("hint connect-four --player last:sims=3").refused(&["no options"]);
    run("hint connect-four --player lost").refused(&["did you mean last?"]);
}

#[test]
fn the_game_of_another_type_is_refused_and_a_fault_costs_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| tablero(&folder, arguments);
    run("eval --game queens:4 --a last --b random --games 2").refused(&["last", "queens:4"]);
    run("eval --game connect-four --a missing --b random --games 2")
        .refused(&["no such file of mine"]);
    let report = run("eval --game connect-four:4x4 --a illegal --b random --games 2 --json").json();
    assert_eq!(report["losses"], 2, "{report}");
    assert_eq!(report["a_forfeits"]["illegal_moves"], 2, "{report}");
}

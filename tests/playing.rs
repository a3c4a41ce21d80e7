//! Playing at the terminal: persons, engines and the policies that come with the binary.

use tablero_tests::{Finished, run_in, run_with_input};

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn tablero(arguments: &str) -> Finished {
    let folder = tempfile::tempdir().unwrap();
    run_in(BINARY, folder.path(), arguments)
}

#[test]
fn the_binary_speaks_uhp_and_plays_engines_that_do() {
    let folder = tempfile::tempdir().unwrap();
    let dialogue = "newgame Base\nplay wS1\nplay wS2\nvalidmoves\nbestmove depth 1\nfly\nexit\n";
    let shown = run_with_input(BINARY, folder.path(), "uhp", dialogue).ok();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("id Tablero"), "{shown}");
    assert!(lines.contains(&"Base;InProgress;Black[1];wS1"), "{shown}");
    assert!(
        shown.contains("\ninvalidmove ") && shown.contains("\nerr "),
        "{shown}"
    );
    assert_eq!(
        lines.iter().filter(|&&line| line == "ok").count(),
        7,
        "{shown}"
    );
    // Our engine as another program's, against our own minimax of the same depth.
    let command = format!(
        "eval --game hive:base --a 'uhp:\"{BINARY} uhp\",depth=1' --b random --games 2 --max-plies \
         40 --json"
    );
    let report = tablero(&command).json();
    let played = report["games"].as_u64().unwrap() + report["unfinished"].as_u64().unwrap();
    assert_eq!(played, 2, "{report}");
    tablero("eval --game queens --a 'uhp:\"x\"' --b random").refused(&["play hive, not queens:8"]);
    let missing = tablero("eval --game hive --a 'uhp:\"./no-engine\"' --b random --games 2");
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(missing.stderr.contains("cannot start"), "{missing:?}");
}

#[test]
fn the_binary_is_an_engine_of_any_game() {
    let folder = tempfile::tempdir().unwrap();
    let session = "play 1-1-h 2-1-h 1-1-v\nfly\ngo 1000\nstate\nquit\nstate\n";
    let command = "engine --game dots-and-boxes:1x1 --player zoo";
    tablero(command).refused(&["no policy for dots-and-boxes:1x1"]);
    let command = "engine --game dots-and-boxes:1x1 --player minimax --threads 2";
    let shown = run_with_input(BINARY, folder.path(), command, session).ok();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 4, "{shown}");
    assert_eq!(lines[0], "ok");
    assert!(lines[1].starts_with("error unknown command"), "{shown}");
    assert_eq!(lines[2..], ["turn 1-2-v", "state over -1 1 1/1:11:1:1"]);
    tablero("engine --game hive --player 'uhp:\"x\"'").refused(&["another than uhp"]);
}

#[test]
fn a_person_can_play_ask_for_moves_and_take_back() {
    let folder = tempfile::tempdir().unwrap();
    let input = "moves\n9-9-h\n1-1-h\n1-1-h\nundo\nquit\n";
    let command = "play dots-and-boxes:1x1 --a human --b human";
    let shown = run_with_input(BINARY, folder.path(), command, input).ok();
    assert!(shown.contains("1-1-h  2-1-h  1-1-v  1-2-v"), "{shown}");
    assert!(shown.contains("expected ROW-COLUMN-h"), "{shown}");
    assert!(shown.contains("already drawn"), "{shown}");
    assert!(shown.contains("+---+"), "{shown}");
}

#[test]
fn two_players_finish_a_game() {
    let shown = tablero("play dots-and-boxes:2x2 --a random --b greedy --seed 4").ok();
    assert!(
        shown.contains("wins.") || shown.contains("draw."),
        "{shown}"
    );
}

#[test]
fn the_zoo_s_policies_play_wherever_there_is_one_for_the_game() {
    let zoo = tablero("zoo --json").json();
    let games: Vec<&str> = zoo
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["game"].as_str().unwrap())
        .collect();
    assert!(games.contains(&"queens:8"), "{zoo}");
    let board = tablero("play queens:8 --a random --seed 3").ok();
    assert!(board.contains("Player 1: zoo\n"), "{board}");
    let other = tablero("play queens:4 --a random --seed 3").ok();
    assert!(
        other.contains("Player 1: minimax:level=intermediate"),
        "{other}"
    );
    tablero("eval --game queens:4 --a zoo --b random --games 2")
        .refused(&["no policy for queens:4", "queens:8"]);
}

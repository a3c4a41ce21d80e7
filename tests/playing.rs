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
    tablero(command).refused(&["no bundled policy for dots-and-boxes:1x1"]);
    let command = "engine --game dots-and-boxes:1x1 --player minimax --threads 2";
    let shown = run_with_input(BINARY, folder.path(), command, session).ok();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 4, "{shown}");
    assert_eq!(lines[0], "ok");
    assert!(lines[1].starts_with("error unknown command"), "{shown}");
    assert_eq!(lines[2..], ["turn 1-2-v", "state over -1 1 1/1:11:1:1"]);
    tablero("engine --game hive --player 'uhp:\"x\"'").refused(&["a player other than uhp"]);
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
fn a_game_is_saved_and_every_command_with_a_position_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| run_in(BINARY, folder.path(), arguments);
    let input = "1-1-h\n1-1-v\neval\nhint\nhistory\nsave game.txt\nsave game.txt\nresign\n";
    let command = "play dots-and-boxes:2x2 --a human --b human --seed 3";
    let shown = run_with_input(BINARY, folder.path(), command, input).ok();
    assert!(shown.contains("saved; replay it"), "{shown}");
    assert!(shown.contains("cannot save game.txt"), "{shown}");
    assert!(shown.contains("Orange wins, Blue resigned."), "{shown}");
    let record = std::fs::read_to_string(folder.path().join("game.txt")).unwrap();
    let headers = r#"[Game "dots-and-boxes:2x2"] [First "human"] [Second "human"] [Seed "3"]"#;
    assert_eq!(record, format!("{headers}\n1-1-h; 1-1-v\n*\n"));
    assert!(
        shown.ends_with(&format!("{headers}\n1-1-h; 1-1-v\n0-1\n\n")),
        "{shown}"
    );

    let state = "10/00/00:100/000:../..:0";
    assert!(run("replay game.txt").ok().contains(state));
    let first = run("replay game.txt --ply 1").ok();
    assert!(first.contains("10/00/00:000/000"), "{first}");
    for command in ["moves", "solve", "hint", "analyze"] {
        assert!(!run(&format!("{command} game.txt")).ok().is_empty());
    }
    assert_eq!(
        run("perft game.txt --depth 1 --json").json()["counts"],
        serde_json::json!([10])
    );
    let on = run("play game.txt --a random --b random").ok();
    assert!(on.contains("1-1-h; 1-1-v; "), "{on}");

    run("replay game.txt --ply 3").refused(&["--ply to be at most 2", "got 3"]);
    run("replay dots-and-boxes:2x2 --ply 1").refused(&["expected a recorded game with --ply"]);
    run("replay game.txt --from x").refused(&["got both"]);
    std::fs::write(folder.path().join("bad.txt"), "1-1-h; 1-1-v").unwrap();
    run("replay bad.txt").refused(&["bad.txt: not a recorded game"]);
}

#[test]
fn the_games_of_a_match_are_saved_as_records() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| run_in(BINARY, folder.path(), arguments);
    let command = "eval --game queens:6 --a greedy --b random --games 4 --save games";
    assert!(run(command).ok().contains("score of a"));
    for (game, first) in [
        ("games/000001.txt", "greedy"),
        ("games/000004.txt", "random"),
    ] {
        let text = std::fs::read_to_string(folder.path().join(game)).unwrap();
        assert!(text.contains(&format!("[First \"{first}\"]")), "{text}");
        assert!(run(&format!("replay {game}")).ok().contains("has won"));
    }
    run(command).refused(&["expected a new folder", "games already exists"]);
}

#[test]
fn a_level_names_the_opponent() {
    let board = tablero("play queens:4 --a random --level novice --seed 3").ok();
    assert!(board.contains("Black: minimax:level=novice\n"), "{board}");
    let board = tablero("play queens:8 --a random --level beginner --seed 3").ok();
    assert!(board.contains("sims=8,temperature=1.0"), "{board}");
    tablero("play queens:8 --level grandmaster").refused(&["unknown level", "beginner"]);
}

#[test]
fn errors_name_what_was_probably_meant() {
    tablero("play dots-and-boxs").refused(&["did you mean dots-and-boxes?"]);
    tablero("train --preset quickstar --out run").refused(&["did you mean quickstart?"]);
    tablero("eval --game queens --a minmax --b random").refused(&["did you mean minimax?"]);
    // A folder that nobody puts a policy into.
    tablero("eval --game queens --a /dev --b random").refused(&["did you mean policy:/dev?"]);
}

#[test]
fn a_wrong_move_of_hive_is_not_taken_for_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let input = "wA1 -bQ\nquit\n";
    let shown = run_with_input(BINARY, folder.path(), "play hive:base --b random", input).ok();
    let said = "expected a reference to a piece on the board, got \"-bQ\"";
    assert!(shown.contains(said), "{shown}");
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
    assert!(board.contains("Black: zoo\n"), "{board}");
    let other = tablero("play queens:4 --a random --seed 3").ok();
    assert!(
        other.contains("Black: minimax:level=intermediate"),
        "{other}"
    );
    tablero("eval --game queens:4 --a zoo --b random --games 2")
        .refused(&["no bundled policy for queens:4", "queens:8"]);
}

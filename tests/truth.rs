//! Exact counts and values, as the command line shows them, against known ones: the tables of
//! `data/`, each with its source.

use serde_json::{Value, json};
use tablero_tests::run_in;

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

/// Sequences that a perft of this test may count: deeper ones are commands of their own.
const MAX_SEQUENCES: u64 = 200_000_000;

fn json_of(command: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    run_in(BINARY, folder.path(), command).json()
}

/// The rows of a table below its header, cell by cell. Lines with `#` are comments.
fn rows(table: &str) -> Vec<Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect()
}

/// The counts of some cells as far as they are given and small enough.
fn counts(cells: &[&str]) -> Vec<u64> {
    let numbers = cells.iter().map_while(|cell| cell.parse().ok());
    numbers
        .take_while(|&count| count <= MAX_SEQUENCES)
        .collect()
}

fn perft(game: &str, depth: usize, options: &str) -> Vec<u64> {
    let command = format!("perft {game} --depth {depth} {options} --json");
    serde_json::from_value(json_of(&command)["counts"].clone()).unwrap()
}

#[test]
fn every_known_board_value_is_found() {
    let table = rows(include_str!("data/dots_and_boxes.tsv"));
    assert!(table.len() >= 10, "the table was read");
    for row in table {
        let (board, net) = (row[0], row[1].parse::<i64>().unwrap());
        let solution = json_of(&format!("solve dots-and-boxes:{board} --json"));
        let points = &solution["points"];
        let got = points[0].as_i64().unwrap() - points[1].as_i64().unwrap();
        assert_eq!(got, net, "{board}: {solution}");
        assert_eq!(solution["value"], net.signum(), "{board}: {solution}");
    }
}

#[test]
fn the_handout_is_the_only_good_move_of_the_2x3_chain_ending() {
    // After the edges 0 to 10 of 2x3 the mover should take no more but hand out by edge 12
    // (Berlekamp, "The Dots and Boxes Game", 2000: the double-dealing move keeps control).
    let moves = "--moves '0 1 2 3 4 5 6 7 8 9 10'";
    let solution = json_of(&format!("solve dots-and-boxes:2x3 {moves} --json"));
    assert_eq!(solution["best"], json!(["1-4-v"]), "{solution}");
    let command = format!("hint dots-and-boxes:2x3 {moves} --player minimax:depth=8 --json");
    let hint = json_of(&command);
    assert_eq!(hint["action"], 12, "{hint}");
}

#[test]
fn queens_are_counted_and_solved() {
    for row in rows(include_str!("data/queens.tsv")) {
        let game = format!("queens:{}", row[0]);
        let census = json_of(&format!("count {game} --json"));
        assert_eq!(census["positions"].to_string(), row[1], "{game}");
        assert_eq!(census["games"], row[2], "{game}");
        let solution = json_of(&format!("solve {game} --json"));
        let grundy = format!("Sprague-Grundy value in normal play: {}", row[3]);
        assert_eq!(solution["remarks"][0], grundy, "{game}");
        let winner = if row[4] == "white" { 1 } else { -1 };
        assert_eq!(solution["value"], winner, "{game}");
        let expected: Vec<u64> = row[5].split(' ').map(|n| n.parse().unwrap()).collect();
        assert_eq!(perft(&game, expected.len(), ""), expected, "{game}");
    }
}

#[test]
fn xadrersi_is_counted() {
    let table = rows(include_str!("data/xadrersi.tsv"));
    let expected: Vec<u64> = table.iter().map(|row| row[1].parse().unwrap()).collect();
    let depth = expected.iter().take_while(|&&n| n <= MAX_SEQUENCES).count();
    assert_eq!(perft("xadrersi", depth, ""), expected[..depth]);
}

#[test]
fn paper_soccer_is_counted_and_solved() {
    for row in rows(include_str!("data/paper_soccer.tsv")) {
        let game = format!("paper-soccer:{}", row[0]);
        let given = |cell: &str| counts(&cell.split(' ').collect::<Vec<_>>());
        for (cell, options) in [(row[1], ""), (row[2], "--turns")] {
            let expected = given(cell);
            if !expected.is_empty() {
                let got = perft(&game, expected.len(), options);
                assert_eq!(got, expected, "{game} {options}");
            }
        }
        // The winner of 8x10 is not known.
        if row[3] != "-" {
            let value = if row[3] == "1" { 1 } else { -1 };
            assert_eq!(
                json_of(&format!("solve {game} --json"))["value"],
                value,
                "{game}"
            );
        }
    }
}

#[test]
fn hive_is_counted_from_the_empty_board() {
    let table = rows(include_str!("data/hive_perft.tsv"));
    assert_eq!(table.len(), 8, "all game types");
    for row in table {
        let expected = counts(&row[1..]);
        assert!(expected.len() >= 5, "{row:?}");
        let game = format!("hive:{}", row[0].to_lowercase());
        assert_eq!(perft(&game, expected.len(), ""), expected, "{game}");
    }
}

#[test]
fn hive_is_counted_from_positions_of_games() {
    let tables = [
        include_str!("data/hive_positions.tsv"),
        include_str!("data/hive_features.tsv"),
    ];
    let rows: Vec<Vec<&str>> = tables.into_iter().flat_map(rows).collect();
    assert_eq!(rows.len(), 60);
    for row in rows {
        let (source, position) = (row[0], row[1]);
        let (game_type, _) = position.split_once(';').unwrap();
        let expected = counts(&row[2..]);
        let game = format!("hive:{}", game_type.to_lowercase());
        let got = perft(&game, expected.len(), &format!("--from '{position}'"));
        assert_eq!(got, expected, "{source}: {position}");
    }
}

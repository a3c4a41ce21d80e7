//! The exact solver, as the command line shows it, against known values.

use tablero_tests::run_in;

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

#[test]
fn every_known_board_value_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let table = include_str!("data/dots_and_boxes_values.tsv");
    let mut boards = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let (board, net) = line.split_once('\t').unwrap();
        let net: i64 = net.parse().unwrap();
        let command = format!("solve dots-and-boxes:{board} --json");
        let solution = run_in(BINARY, folder.path(), &command).json();
        let points = &solution["points"];
        let got = points[0].as_i64().unwrap() - points[1].as_i64().unwrap();
        assert_eq!(got, net, "{board}: {solution}");
        assert_eq!(solution["value"], net.signum(), "{board}: {solution}");
        boards += 1;
    }
    assert!(boards >= 10, "the table was read");
}

#[test]
fn the_handout_is_the_only_good_move_of_the_2x3_chain_ending() {
    // After the edges 0 to 10 of 2x3 the mover should take no more but hand out by edge 12
    // (Berlekamp, "The Dots and Boxes Game", 2000: the double-dealing move keeps control).
    let folder = tempfile::tempdir().unwrap();
    let moves = "--moves '0 1 2 3 4 5 6 7 8 9 10'";
    let command = format!("solve dots-and-boxes:2x3 {moves} --json");
    let solution = run_in(BINARY, folder.path(), &command).json();
    assert_eq!(solution["best"], serde_json::json!(["1-4-v"]), "{solution}");
    let command = format!("hint dots-and-boxes:2x3 {moves} --player minimax:depth=8 --json");
    let hint = run_in(BINARY, folder.path(), &command).json();
    assert_eq!(hint["action"], 12, "{hint}");
}

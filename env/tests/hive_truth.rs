//! Move counts of Hive that other engines have found: from the empty board as published, and from
//! positions of random games, of championship games and of rare features. The last depth of the
//! tables is left to the tests of the binary.

use tablero_env::hive::Hive;
use tablero_env::perft::perft;
use tablero_env::{Game, Notation};

/// The rows of a table: the first columns as text, then the counts of depth 1, 2, ….
fn rows<const N: usize>(table: &str) -> Vec<([&str; N], Vec<u64>)> {
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let mut cells = line.split('\t');
            let texts = std::array::from_fn(|_| cells.next().expect("a column of text"));
            let counts = cells
                .take_while(|cell| !cell.is_empty())
                .map(|cell| cell.parse().expect("a count"))
                .collect();
            (texts, counts)
        })
        .collect()
}

#[test]
fn perft_is_the_published_one() {
    let table = include_str!("../../tests/data/hive_perft.tsv");
    const DEPTH: usize = 6;
    let rows = rows(table);
    assert_eq!(rows.len(), Hive::all_types().len());
    for ([game_type], expected) in rows {
        let game = Hive::parse_game_type(game_type).unwrap();
        let counts = perft(&game, &game.initial(), DEPTH);
        assert_eq!(counts, expected[..DEPTH], "{game_type}");
    }
}

#[track_caller]
fn assert_counts(table: &str, n_rows: usize, max_depth: usize) {
    let rows = rows(table);
    assert_eq!(rows.len(), n_rows);
    for ([source, text], expected) in rows {
        let game_type = text.split(';').next().expect("a game type");
        let game = Hive::parse_game_type(game_type).unwrap();
        let state = game.parse_state(text).unwrap();
        let depth = expected.len().min(max_depth);
        let counts = perft(&game, &state, depth);
        assert_eq!(counts, expected[..depth], "{source}: {text}");
    }
}

#[test]
fn counts_from_positions_of_games_are_those_of_other_engines() {
    assert_counts(include_str!("../../tests/data/hive_positions.tsv"), 36, 3);
}

/// Stunned pieces, high stacks, forced passes, throws by mosquitoes and the like.
#[test]
fn counts_from_positions_of_rare_features_are_those_of_other_engines() {
    assert_counts(include_str!("../../tests/data/hive_features.tsv"), 24, 3);
}

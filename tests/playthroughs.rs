//! Recorded playthroughs: every value that a game's interface returns, at every ply of one random
//! game, compared literally with `data/playthroughs/`. They pin down what laws cannot: which
//! number an action has, what a state is called, what a plane holds, what hashes to what.
//!
//! A change that is meant is recorded by `TABLERO_RECORD=1` in the environment of this test, and
//! read in the diff; it asks for a new `rules_version` or `encoding_version`.

use std::collections::BTreeSet;
use std::fmt::{Display, Write};
use std::path::{Path, PathBuf};
use tablero_env::random::stream;
use tablero_env::{ActionId, AnyGame, BoardGame, games, with_game};

/// The recorded games, each played with its seed. A new game adds a line.
const RECORDED: &[(&str, u64)] = &[
    // A rectangle and a square, whose symmetries differ.
    ("dots-and-boxes:2x3", 1),
    ("dots-and-boxes:3x3", 1),
    ("queens:6", 1),
    ("queens:8,full_board=draw", 2),
    ("paper-soccer:4x4", 1),
    ("paper-soccer:8x10", 1),
    ("xadrersi", 1),
    // Without expansions and with all of them.
    ("hive:base", 1),
    ("hive:base+mlp", 4),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/playthroughs")
}

fn file_name(spec: &str) -> String {
    format!("{}.txt", spec.replace(':', "_"))
}

fn words<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(" ")
}

/// A plane on one line: one number if it is the same everywhere, else its rows, with `.` for 0
/// and other values than 0 and 1 in brackets.
fn plane_text(plane: &[f32], width: usize) -> String {
    if plane.iter().all(|value| *value == plane[0]) {
        return format!("all {}", plane[0]);
    }
    let mark = |value: &f32| match *value {
        0.0 => ".".to_owned(),
        1.0 => "1".to_owned(),
        other => format!("[{other}]"),
    };
    let rows = plane.chunks(width);
    words(rows.map(|row| row.iter().map(mark).collect::<String>()))
}

/// A mask entry by entry, or of a large one the ids that are 1 and the sum of all entries.
fn mask_text(mask: &[i8]) -> String {
    if mask.len() <= 1000 {
        return words(mask).replace(' ', "");
    }
    let ones = (0..mask.len()).filter(|&id| mask[id] == 1);
    let sum: i64 = mask.iter().map(|&entry| i64::from(entry)).sum();
    format!("ones {}, sum {sum} of {}", words(ones), mask.len())
}

/// A line of the record: a name and a value.
fn write_line(text: &mut String, name: &str, value: &dyn Display) {
    let value = value.to_string();
    let separator = if value.is_empty() { "" } else { " " };
    writeln!(text, "{name}:{separator}{value}").expect("a string takes all");
}

/// The lines before the first position: names, versions, sizes.
fn declare<G: BoardGame>(game: &G, seed: u64, text: &mut String) {
    let mut line = |name: &str, value: &dyn Display| write_line(text, name, value);
    let [n_planes, height, width] = game.observation_shape();
    line("game", &game.spec());
    line("seed", &seed);
    line("rules version", &game.rules_version());
    line("encoding version", &game.encoding_version());
    line("n_actions", &game.n_actions());
    line("max_legal_actions", &game.max_legal_actions());
    let max_plies = game.max_plies();
    line(
        "max_plies",
        &max_plies.map_or_else(|| "none".to_owned(), |plies| plies.to_string()),
    );
    line(
        "observation shape",
        &format!("{:?}", [n_planes, height, width]),
    );
    for (index, description) in game.plane_descriptions().iter().enumerate() {
        line(&format!("plane {index}"), description);
    }
    line("policy planes", &game.policy_planes());
    line("policy slots", &game.n_policy_slots());
    line("symmetries", &game.n_symmetries());
}

/// The lines of a position: text, board, legal actions, planes, images.
fn describe<G: BoardGame>(game: &G, state: &G::State, legal: &[ActionId], text: &mut String) {
    let mut line = |name: &str, value: &dyn Display| write_line(text, name, value);
    let [n_planes, height, width] = game.observation_shape();
    line("state", &game.state_text(state));
    for drawn in game.draw(state).lines() {
        line("board", &drawn.trim_end());
    }
    line("hash", &format!("{:016x}", game.hash(state)));
    line("player to move", &game.player_to_move(state));
    line("points", &format!("{:?}", game.points(state)));
    line("outcome", &format!("{:?}", game.outcome(state)));
    line("is over", &game.is_over(state));

    let mut mask = vec![0; game.n_actions()];
    game.write_mask(state, &mut Vec::new(), &mut mask);
    line("legal", &words(legal));
    line("mask", &mask_text(&mask));
    let texts = legal.iter().map(|&action| game.action_text(state, action));
    line("texts", &words(texts));
    let slots = legal.iter().map(|&action| game.policy_slot(state, action));
    line("slots", &words(slots));
    let ids = (0..=game.n_actions()).map(ActionId::from);
    let mut illegal = ids.filter(|&action| !game.is_legal(state, action));
    for action in illegal.next().into_iter().chain(illegal.last()) {
        let reason = game.legality(state, action).expect_err("it is illegal");
        line("refused", &format!("{action}, {reason}"));
    }

    let mut observation = vec![0.0; n_planes * height * width];
    game.write_observation(state, &mut observation);
    for (index, plane) in observation.chunks(height * width).enumerate() {
        line(&format!("plane {index}"), &plane_text(plane, width));
    }
    let images = (0..game.n_symmetries())
        .map(|symmetry| format!("{:016x}", game.hash(&game.transform(symmetry, state))));
    line("images", &words(images));
}

/// Plays the game and writes down everything.
fn record<G: BoardGame>(game: &G, seed: u64) -> String {
    let mut text = String::new();
    declare(game, seed, &mut text);
    let mut rng = stream(seed, "playthrough", 0);
    let (mut buffer, mut legal) = (Vec::new(), Vec::new());
    let mut state = game.initial();
    // A game without a bound is left where all its pieces have been seen to move.
    for ply in 0..=game.max_plies().unwrap_or(60) {
        write_line(&mut text, "\nply", &ply);
        game.legal_actions(&state, &mut legal);
        describe(game, &state, &legal, &mut text);
        if legal.is_empty() {
            break;
        }
        let action = game.sample_action(&state, &mut buffer, &mut rng);
        let mut line = |name: &str, value: &dyn Display| write_line(&mut text, name, value);
        line("action", &action);
        let symmetries = 0..game.n_symmetries();
        let images = symmetries.map(|symmetry| game.transform_action(symmetry, &state, action));
        line("action images", &words(images));
        let played = game
            .play(&mut state, action)
            .expect("a sampled action is legal");
        line("played", &played);
        let json = serde_json::to_string(&played).expect("a report serialises");
        line("played as JSON", &json);
    }
    text
}

fn compare(spec: &str, expected: &str, got: &str) {
    let mut lines = expected.lines().zip(got.lines()).enumerate();
    if let Some((index, (expected, got))) = lines.find(|(_, (expected, got))| expected != got) {
        panic!(
            "{spec}, line {}:\nrecorded {expected}\ngot      {got}",
            index + 1
        );
    }
    let n_lines = [expected, got].map(|text| text.lines().count());
    assert_eq!(n_lines[0], n_lines[1], "{spec}: lines recorded and got");
}

#[test]
fn every_recorded_game_plays_as_recorded() {
    for &(spec, seed) in RECORDED {
        let any = AnyGame::parse(spec).expect("a recorded game is registered");
        assert_eq!(any.spec(), spec, "recorded under its canonical spec");
        let got = with_game!(&any, game => record(game, seed));
        let path = folder().join(file_name(spec));
        if std::env::var_os("TABLERO_RECORD").is_some_and(|value| value == "1") {
            std::fs::write(&path, &got).expect("the folder is writable");
        }
        let expected = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        compare(spec, &expected, &got);
    }
    let files: BTreeSet<String> = std::fs::read_dir(folder())
        .expect("the folder exists")
        .map(|entry| entry.expect("readable").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    let compared = RECORDED.iter().map(|(spec, _)| file_name(spec)).collect();
    assert_eq!(files, compared, "files in the folder, files compared");
}

#[test]
fn every_registered_game_is_recorded() {
    for entry in games() {
        let is_of = |spec: &str| spec.split(':').next() == Some(entry.name);
        assert!(
            RECORDED.iter().any(|(spec, _)| is_of(spec)),
            "{} has no playthrough",
            entry.name
        );
    }
}

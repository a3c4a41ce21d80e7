//! The folders of the games that come with Tablero hold the same files, so that whoever knows one
//! game finds their way in all.

use std::fs;
use std::path::Path;
use tablero_env::games;

/// The files of every game, each with a text that stands in it.
const FILES: [(&str, &str); 10] = [
    ("mod.rs", "//! # Rules"),
    ("config.rs", "pub fn parse_parameters("),
    ("state.rs", "pub struct State"),
    ("rules.rs", "impl Game for"),
    ("illegal.rs", "pub enum Illegal"),
    ("encoding.rs", "impl Encode for"),
    ("features.rs", "write_actions"),
    ("notation.rs", "impl Notation for"),
    ("drawing.rs", "fn drawing("),
    ("view.rs", "impl View for"),
];

#[test]
fn every_game_has_the_same_files() {
    for entry in games() {
        let name = entry.name.replace('-', "_");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name);
        for (file, text) in FILES {
            let path = folder.join(file);
            let source = fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(source.contains(text), "{} has no {text}", path.display());
        }
    }
}

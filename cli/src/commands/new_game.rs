//! `tablero new-game`.

use crate::failure::Failure;
use crate::quoting::quoted;
use std::fs;
use std::path::{Path, PathBuf};

/// Start a game of your own: a crate that has every command of Tablero for it
///
/// The crate compiles, satisfies the laws of a game and can be played immediately. Comments say where
/// your rules go. It needs the sources of Tablero, and Rust.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  tablero new-game tic-tac-toe\n  \
                        cd tic-tac-toe && cargo test --release")]
pub struct Arguments {
    /// The name of the game: lower-case letters, digits and single '-'
    #[arg(value_parser = name)]
    name: String,
    /// The folder to create; default NAME
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The sources of Tablero; default those from which this program was built
    #[arg(long, value_name = "DIR")]
    tablero: Option<PathBuf>,
}

/// The files of the crate, in which `my-game` stands for the name.
const FILES: [(&str, &str); 6] = [
    ("Cargo.toml", include_str!("../../new-game/Cargo.toml.txt")),
    ("README.md", include_str!("../../new-game/README.md")),
    ("preset.toml", include_str!("../../new-game/preset.toml")),
    ("src/lib.rs", include_str!("../../new-game/src/lib.rs")),
    ("src/main.rs", include_str!("../../new-game/src/main.rs")),
    (
        "tests/laws.rs",
        include_str!("../../new-game/tests/laws.rs"),
    ),
];

/// The versions that Tablero was tested with.
const LOCK: &str = include_str!("../../new-game/Cargo.lock.txt");

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let name = &arguments.name;
    let folder = arguments.out.clone().unwrap_or_else(|| name.into());
    if folder.exists() {
        let folder = folder.display();
        return Err(Failure::bad_input(format!("{folder} already exists")));
    }
    let program = sources(arguments.tablero.as_deref())?.join("cli");
    let program = program.to_string_lossy().replace('\\', "/");
    for (file, text) in FILES {
        let text = text
            .replace("TABLERO", &program)
            .replace("my-game", name)
            .replace("my_game", &name.replace('-', "_"))
            .replace("MyGame", &type_name(name));
        write(&folder.join(file), &text)?;
    }
    write(&folder.join("Cargo.lock"), LOCK)?;
    write(&folder.join(".gitignore"), "/target\n/runs\n")?;
    let folder = folder.display();
    println!(
        "{folder} is there. Next:\n  cd {}\n  cargo test --release",
        quoted(&folder)
    );
    println!("Then put your rules into src/lib.rs, where it says FILL IN.");
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(fs::write(path, text)?)
}

/// The folder of Tablero's sources.
fn sources(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let built_from = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let folder = given.unwrap_or(built_from);
    let found = folder.canonicalize().ok();
    let found = found.filter(|folder| folder.join("cli/Cargo.toml").is_file());
    found.ok_or_else(|| {
        let folder = folder.display();
        Failure::bad_input(format!(
            "the sources of Tablero are not in {folder}: give their folder with --tablero DIR"
        ))
    })
}

/// Reads a name that is one of a game, of a crate and of a type at once.
fn name(text: &str) -> Result<String, String> {
    let is_word = |word: &str| {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        !word.is_empty() && word.chars().all(is_plain)
    };
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    let is_taken = text == "tablero" || text == "serde";
    if begins && text.split('-').all(is_word) && !is_taken {
        return Ok(text.to_owned());
    }
    Err("expected lower-case letters, digits and single '-', such as tic-tac-toe".to_owned())
}

/// `tic-tac-toe` is `TicTacToe`.
fn type_name(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    };
    name.split('-').map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_games_crates_and_types() {
        assert_eq!(type_name("tic-tac-toe"), "TicTacToe");
        assert_eq!(type_name("nim2"), "Nim2");
        assert!(name("tic-tac-toe").is_ok());
        for wrong in [
            "", "-a", "a--b", "a-", "2048", "Chess", "my game", "../x", "serde",
        ] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }
}

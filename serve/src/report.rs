//! A run as one file that needs no server: the page's training view, with games to step through.
//!
//! The modules of the page that it needs are in the file, each under a name of an import map.

use crate::assets;
use crate::error::ReportError;
use crate::runs;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use tablero_env::view::Position;
use tablero_env::{ActionId, AnyGame, BoardGame, with_game};
use tablero_train::Run;
use tablero_train::record::GameRecord;

/// Games that can be stepped through.
const N_GAMES: usize = 6;

/// The module that draws the report.
const ENTRY: &str = "report.js";

/// A run as an HTML page that holds all it needs, also while the run trains.
///
/// # Errors
/// If the folder is no run, or damaged.
pub fn report(folder: &Path) -> Result<String, ReportError> {
    let mut run = runs::describe(folder)?;
    let game = AnyGame::parse(run["game"].as_str().unwrap_or_default())?;
    let records = Run::read_latest_games(folder)?;
    let games = records.iter().take(N_GAMES);
    let games = with_game!(&game, game => games.map(|record| stepped(game, record)).collect());
    run["latest"] = Value::Array(games);
    run["report"] = json!({
        "seconds": SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        "version": env!("CARGO_PKG_VERSION"),
        "folder": folder.display().to_string(),
    });
    let name = run["name"].as_str().unwrap_or_default();
    let title = format!("{name}: {}", game.spec());
    Ok(page(&title, &run))
}

/// A game with the position after each of its moves. The legal actions are left out: nobody plays.
fn stepped<G: BoardGame>(game: &G, record: &GameRecord) -> Value {
    let actions: Vec<ActionId> = record.actions().collect();
    let start = game.initial();
    let mut before = Value::Null;
    let positions = (0..=actions.len()).map(|ply| {
        let position = Position::after(game, &start, &actions[..ply]);
        // A record is of a game that was played.
        let mut position = json!(position.ok());
        position["actions"] = json!([]);
        let board = position["board"].clone();
        leave_out_same(&mut position["board"], &before);
        before = board;
        position
    });
    let positions = Vec::from_iter(positions);
    let mut shown = runs::shown(record);
    shown["texts"] = json!(game.line_texts(&start, &actions));
    shown["positions"] = Value::Array(positions);
    shown
}

/// Puts null for each part of a board that is what it was before, in the lists of parts: most are.
fn leave_out_same(board: &mut Value, before: &Value) {
    for (key, parts) in board.as_object_mut().into_iter().flatten() {
        let parts = parts.as_array_mut().into_iter().flatten();
        for (part, old) in parts.zip(before[key].as_array().into_iter().flatten()) {
            if part == old {
                *part = Value::Null;
            }
        }
    }
}

fn page(title: &str, run: &Value) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let style = assets::text("style.css");
    let mut imports = Map::new();
    add_module(ENTRY, &mut imports);
    // Within a script no tag may end.
    let safe = |value: &Value| value.to_string().replace('<', "\\u003c");
    let (imports, run) = (safe(&json!({ "imports": imports })), safe(run));
    format!(
        r#"<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>{title}</title>
  <style>{style}</style>
  <script type="importmap">{imports}</script>
</head>
<body>
  <main id="main"></main>
  <div id="message" role="status" aria-live="polite"></div>
  <noscript><p class="card">This page is a program in one file: it needs JavaScript, and nothing else.</p></noscript>
  <script type="application/json" id="run">{run}</script>
  <script type="module">import "tablero/{ENTRY}";</script>
</body>
</html>
"#
    )
}

/// Adds a module to an import map, as a link that holds it, and those that it imports.
fn add_module(name: &str, imports: &mut Map<String, Value>) {
    let key = format!("tablero/{name}");
    if imports.contains_key(&key) {
        return;
    }
    // Modules may import each other in a circle.
    imports.insert(key.clone(), Value::Null);
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let text = assets::text(name);
    let mut parts = text.split(" from \"");
    let mut module = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (path, rest) = part.split_once('"').unwrap_or((part, ""));
        let path = match path.strip_prefix("../") {
            Some(path) => path.to_owned(),
            None if folder.is_empty() => path.trim_start_matches("./").to_owned(),
            None => format!("{folder}/{}", path.trim_start_matches("./")),
        };
        add_module(&path, imports);
        let _ = write!(module, " from \"tablero/{path}\"{rest}");
    }
    imports.insert(key, json!(data_link(&module)));
}

/// A script as a link that holds it.
fn data_link(script: &str) -> String {
    let mut link = "data:text/javascript;charset=utf-8,".to_owned();
    for byte in script.bytes() {
        match byte {
            b'%' | b'#' | b'"' | b'\\' | 0..=b' ' | 0x7f.. => {
                let _ = write!(link, "%{byte:02X}");
            }
            byte => link.push(char::from(byte)),
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_of_a_report_import_each_other_alone() {
        let mut imports = Map::new();
        add_module(ENTRY, &mut imports);
        assert!(imports.contains_key("tablero/games/pieces.js"));
        assert!(!imports.contains_key("tablero/main.js"));
        for (name, link) in &imports {
            let link = link.as_str().unwrap();
            assert!(!link.contains("from%20%22."), "{name}");
            assert!(link.is_ascii() && !link.contains('"'), "{name}");
        }
    }

    #[test]
    fn only_what_changes_of_a_board_is_repeated() {
        let before = json!({ "size": [2, 2], "cells": [{ "id": "a" }, { "id": "b" }] });
        let mut board = json!({ "size": [2, 2], "cells": [{ "id": "a" }, { "id": "c" }, 1] });
        leave_out_same(&mut board, &before);
        let expected = json!({ "size": [null, null], "cells": [null, { "id": "c" }, 1] });
        assert_eq!(board, expected);
    }

    #[test]
    fn nothing_of_a_run_ends_its_script() {
        let run = json!({ "name": "</script><script>alert(1)</script>" });
        let html = page("a </title> & b", &run);
        assert_eq!(html.matches("</script>").count(), 3);
        assert!(html.contains("<title>a &lt;/title> &amp; b</title>"));
    }
}

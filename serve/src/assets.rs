//! The page: files of `web/`, in the binary or in a folder.

use crate::Shared;
use crate::error::Refusal;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The files of the page by their names within `web/`. A name that is not here is not served, from a
/// folder either, so no path leads out of it.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../web/", $name)).as_slice())),*]
    };
}

pub(crate) const FILES: &[(&str, &[u8])] = files![
    "index.html",
    "style.css",
    "main.js",
    "moves.js",
    "api.js",
    "clock.js",
    "analysis.js",
    "board.js",
    "dom.js",
    "game.js",
    "help.js",
    "play.js",
    "report.js",
    "puzzle.js",
    "review.js",
    "training.js",
    "tree.js",
    "games/dots.js",
    "games/hive.js",
    "games/list.js",
    "games/pieces.js",
    "games/queens.js",
    "games/soccer.js",
    "games/xadrersi.js",
    "icon.svg",
];

/// The text of a file of the page in the binary.
///
/// # Panics
/// If there is no such text.
pub(crate) fn text(name: &str) -> &'static str {
    let file = FILES.iter().find(|file| file.0 == name);
    let (_, content) = file.unwrap_or_else(|| panic!("no file {name} of the page"));
    std::str::from_utf8(content).expect("a text in UTF-8")
}

/// The first page.
pub(crate) async fn index(shared: State<Arc<Shared>>) -> Result<Response, Refusal> {
    file(shared, Path("index.html".to_owned())).await
}

/// A file by its name.
pub(crate) async fn file(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let unknown = || Refusal::unknown("there is no such file");
    let mut files = FILES.iter();
    let (name, content) = files.find(|file| file.0 == name).ok_or_else(unknown)?;
    let content = match &shared.assets {
        None => content.to_vec(),
        Some(folder) => std::fs::read(folder.join(name)).map_err(|_| unknown())?,
    };
    Ok(([(header::CONTENT_TYPE, kind(name))], content).into_response())
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, kind)| kind) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The page's files in the folder.
    fn in_folder(folder: &Path, prefix: &str, names: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
            if entry.path().is_dir() {
                in_folder(&entry.path(), &format!("{name}/"), names);
            } else {
                names.insert(name);
            }
        }
    }

    #[test]
    fn the_binary_has_every_file_of_the_folder() {
        let mut names = BTreeSet::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        in_folder(&folder, "", &mut names);
        let embedded = FILES.iter().map(|(name, _)| (*name).to_owned());
        assert_eq!(embedded.collect::<BTreeSet<_>>(), names);
    }

    #[test]
    fn the_whole_page_is_small() {
        let n_bytes: usize = FILES.iter().map(|(_, content)| content.len()).sum();
        assert!(n_bytes < 300_000, "{n_bytes}");
    }
}

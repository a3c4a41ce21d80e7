//! Players as people type them.

use std::path::Path;
use tablero_agents::{PlayerError, PlayerSpec};
use tablero_models::Policy;
use tablero_train::Run;

/// Reads a player. The folder of a run or a policy is one by itself, options after a comma, and `~/` is
/// the home folder: a shell does not replace it within an argument.
///
/// # Errors
/// What was expected and got.
pub fn player(text: &str) -> Result<PlayerSpec, PlayerError> {
    let home = std::env::var("HOME").unwrap_or_default();
    let text = at_home(text, &home);
    let unknown = match text.parse() {
        Ok(player) => return Ok(player),
        Err(unknown) => unknown,
    };
    let folder = text.split(',').next().unwrap_or_default();
    let folder = Path::new(folder);
    // Not any folder: of another one, the error says what is expected.
    if Policy::is_policy(folder) || Run::is_agent(folder).unwrap_or(false) {
        return format!("policy:{text}").parse();
    }
    Err(unknown)
}

/// The text with the home folder in the place of a `~` that a path begins with.
fn at_home(text: &str, home: &str) -> String {
    let (kind, path) = match text.strip_prefix("policy:") {
        Some(path) => ("policy:", path),
        None => ("", text),
    };
    match path.strip_prefix("~/") {
        Some(rest) if !home.is_empty() => format!("{kind}{home}/{rest}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_the_home_folder() {
        assert_eq!(at_home("policy:~/a b,sims=2", "/h"), "policy:/h/a b,sims=2");
        assert_eq!(at_home("~/run", "/h"), "/h/run");
        for text in ["~other/run", "random", "a~/b", "uhp:\"~/engine\""] {
            assert_eq!(at_home(text, "/h"), text);
        }
        assert_eq!(at_home("~/run", ""), "~/run");
    }

    #[test]
    fn a_folder_is_a_player() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/zoo/queens-8");
        let read = player(&format!("{folder},sims=7")).unwrap();
        assert_eq!(read.to_string(), format!("policy:{folder},sims=7"));
        for other in [env!("CARGO_MANIFEST_DIR"), "no-such-folder"] {
            assert!(player(other).is_err(), "{other}");
        }
    }
}

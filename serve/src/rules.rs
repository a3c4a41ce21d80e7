//! The rules of each game for people, the same on the page and on the terminal.

/// The rules of a game by its name, as text with blank lines between paragraphs; a line that begins
/// with `#` is a heading, one with `-` an item of a list. `None` for any other name.
#[must_use]
pub fn rules_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "dots-and-boxes" => include_str!("../rules/dots-and-boxes.txt"),
        "queens" => include_str!("../rules/queens.txt"),
        "paper-soccer" => include_str!("../rules/paper-soccer.txt"),
        "xadrersi" => include_str!("../rules/xadrersi.txt"),
        "hive" => include_str!("../rules/hive.txt"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::GAMES;

    #[test]
    fn every_game_has_rules() {
        for game in GAMES {
            let rules = rules_of(game.name).unwrap_or_else(|| panic!("{}", game.name));
            assert!(rules.starts_with("# "), "{}", game.name);
        }
        assert_eq!(rules_of("../rules/hive"), None);
    }
}

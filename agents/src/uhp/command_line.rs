//! Splitting a command into a program and its arguments.

/// The words of a command, separated by white space. Double quotes keep a word together and are
/// left out; there is no other special character, so paths are written as they are on every
/// system. `None` if a quote is not closed.
pub(super) fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            _ if letter.is_whitespace() && !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    (!quoted).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        let words = |command| split(command).unwrap();
        assert_eq!(words(""), [""; 0]);
        assert_eq!(words(" engine  --depth 3 "), ["engine", "--depth", "3"]);
        assert_eq!(
            words(r#""C:\Program Files\engine.exe" a"b c"d "" "#),
            [r"C:\Program Files\engine.exe", "ab cd", ""]
        );
        assert_eq!(split(r#"engine "x"#), None);
    }
}

//! Texts within commands that people copy into a shell.

/// The text as one word of a POSIX shell: between quotes where it holds anything that a shell reads.
pub fn quoted(text: impl ToString) -> String {
    let text = text.to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-:=,+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_one_word() {
        assert_eq!(quoted("policy:runs/a-b,sims=2"), "policy:runs/a-b,sims=2");
        assert_eq!(quoted("my runs/a"), "'my runs/a'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("$HOME"), "'$HOME'");
    }
}

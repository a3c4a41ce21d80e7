//! Plain tables with aligned columns, as wide as a terminal at most.

use console::Term;

/// The width that every terminal has.
pub const WIDTH: usize = 80;
/// Between two columns.
const GAP: usize = 2;
/// No column of text is made narrower.
const LEAST: usize = 12;

/// Rows of text under a header; columns that hold numbers are aligned right.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
}

impl Table {
    /// A table with these column titles; a title that starts with `>` is aligned right.
    pub fn new(titles: &[&str]) -> Table {
        let right = titles.iter().map(|title| title.starts_with('>')).collect();
        let titles = titles.iter().map(|title| title.trim_start_matches('>'));
        Table {
            rows: vec![titles.map(str::to_owned).collect()],
            right,
        }
    }

    /// Adds a row, one text a column.
    pub fn row(&mut self, cells: impl Into<Vec<String>>) {
        self.rows.push(cells.into());
    }

    /// Prints the table to standard output.
    pub fn print(&self) {
        for line in self.lines(width()) {
            println!("{line}");
        }
    }

    /// The lines of the table, none wider than `most` where its numbers leave the room.
    fn lines(&self, most: usize) -> Vec<String> {
        let widths = self.widths(most);
        let mut lines = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(&widths);
            let cells: Vec<Vec<String>> =
                cells.map(|(cell, &width)| wrapped(cell, width)).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for at in 0..height {
                let parts = cells.iter().zip(&widths).zip(&self.right);
                let parts = parts.map(|((cell, &width), &right)| {
                    let part = cell.get(at).map_or("", String::as_str);
                    match right {
                        true => format!("{part:>width$}"),
                        false => format!("{part:<width$}"),
                    }
                });
                let line = parts.collect::<Vec<_>>().join(&" ".repeat(GAP));
                lines.push(line.trim_end().to_owned());
            }
            if index == 0 {
                let rules = widths.iter().map(|&width| "-".repeat(width));
                lines.push(rules.collect::<Vec<_>>().join(&" ".repeat(GAP)));
            }
        }
        lines
    }

    /// The widths of the columns: those that all fits into; else titles of numbers are broken into
    /// lines, and then the widest texts.
    fn widths(&self, most: usize) -> Vec<usize> {
        let widest = |column: usize, from: usize, of: fn(&str) -> usize| {
            let cells = self.rows[from.min(self.rows.len())..].iter();
            cells.map(|row| of(&row[column])).max().unwrap_or(0)
        };
        let columns = 0..self.right.len();
        let mut widths: Vec<usize> = columns
            .map(|column| widest(column, 0, |cell| cell.chars().count()))
            .collect();
        let gaps = GAP * self.right.len().saturating_sub(1);
        let excess = |widths: &[usize]| (widths.iter().sum::<usize>() + gaps).saturating_sub(most);
        for (column, width) in widths.clone().into_iter().enumerate() {
            if self.right[column] && excess(&widths) > 0 {
                let words = longest_word(&self.rows[0][column]);
                let numbers = widest(column, 1, |cell| cell.chars().count());
                let least = words
                    .max(numbers)
                    .max(width.saturating_sub(excess(&widths)));
                widths[column] = least.min(width);
            }
        }
        while excess(&widths) > 0 {
            let texts = (0..widths.len()).filter(|&column| !self.right[column]);
            let Some(column) = texts.max_by_key(|&column| widths[column]) else {
                break;
            };
            if widths[column] <= LEAST {
                break;
            }
            widths[column] -= 1;
        }
        widths
    }
}

/// The columns of the terminal, and those that every terminal has where there is none.
pub fn width() -> usize {
    let term = Term::stdout();
    match term.is_term() {
        true => usize::from(term.size().1).max(WIDTH),
        false => WIDTH,
    }
}

/// A number with its sign; one that rounds to nothing is +0.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if value.is_finite() && !rest.contains(|c: char| ('1'..='9').contains(&c)) => {
            format!("+{rest}")
        }
        _ => text,
    }
}

/// A time for people.
pub fn duration(seconds: f64) -> String {
    if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else if seconds < 90.0 {
        format!("{seconds:.0} s")
    } else if seconds < 5400.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}

/// Prints a text in lines that a terminal shows as they are.
pub fn print_wrapped(text: &str) {
    for line in wrapped(text, width().min(100)) {
        println!("{line}");
    }
}

fn longest_word(text: &str) -> usize {
    let words = text.split(' ').map(|word| word.chars().count());
    words.max().unwrap_or(0)
}

/// The text in lines of at most `width` characters, broken at spaces where possible, else after a comma
/// or anywhere. At least one line.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut rest: Vec<char> = text.chars().collect();
    while rest.len() > width {
        let head = &rest[..=width];
        let at_space = head.iter().rposition(|&letter| letter == ' ');
        let at_space = at_space.filter(|&at| at > 0);
        let at_comma = head[..width].iter().rposition(|&letter| letter == ',');
        let end = at_space.or(at_comma.map(|at| at + 1)).unwrap_or(width);
        lines.push(rest[..end].iter().collect::<String>());
        let skipped = usize::from(at_space.is_some());
        rest.drain(..end + skipped);
    }
    lines.push(rest.into_iter().collect());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_at_spaces_commas_or_anywhere() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("a=1,b=2,c=3", 9), ["a=1,b=2,", "c=3"]);
        assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrapped("", 3), [""]);
        assert_eq!(wrapped(" abcd", 3), [" ab", "cd"]);
    }

    #[test]
    fn a_number_that_rounds_to_nothing_is_not_negative() {
        assert_eq!(signed(-0.0004, 3), "+0.000");
        assert_eq!(signed(-0.4, 0), "+0");
        assert_eq!(signed(-0.6, 0), "-1");
        assert_eq!(signed(f64::NEG_INFINITY, 0), "-inf");
        assert_eq!(signed(0.25, 1), "+0.2");
    }

    #[test]
    fn a_table_that_fits_is_left_alone() {
        let mut table = Table::new(&["name", ">number of all"]);
        table.row(["a".to_owned(), "1".to_owned()]);
        let lines = [
            "name  number of all",
            "----  -------------",
            "a                 1",
        ];
        assert_eq!(table.lines(80), lines);
    }

    #[test]
    fn a_wide_table_breaks_titles_of_numbers_then_texts() {
        let mut table = Table::new(&["name", ">number of all", "text"]);
        let text = "a text of some words that is too long";
        table.row(["a".to_owned(), "12".to_owned(), text.to_owned()]);
        let lines = table.lines(30);
        assert!(
            lines.iter().all(|line| line.chars().count() <= 30),
            "{lines:?}"
        );
        assert!(lines[0].starts_with("name  number"), "{lines:?}");
        assert!(lines[1].starts_with("      of all"), "{lines:?}");
        let words: Vec<&str> = lines[3..].iter().flat_map(|line| line.split(' ')).collect();
        let found = words
            .into_iter()
            .filter(|word| text.split(' ').any(|it| it == *word));
        assert!(found.count() >= text.split(' ').count());
    }
}

//! What a person sees: the board, drawn anew in place on a terminal, with what has just changed
//! marked, and what was said since. Elsewhere all is printed line by line, without colours.

use console::{Style, Term};

/// If more than this share of the letters changed, the board has moved as a whole: nothing is marked.
const MOST_MARKED: f64 = 0.25;

pub(super) struct Screen {
    term: Option<Term>,
    title: Vec<String>,
    /// The board as it was drawn last.
    shown: String,
    /// What was said since.
    said: Vec<String>,
}

impl Screen {
    pub(super) fn new() -> Screen {
        let term = Term::stdout();
        Screen {
            term: term.is_term().then_some(term),
            title: Vec::new(),
            shown: String::new(),
            said: Vec::new(),
        }
    }

    /// What stands above every board.
    pub(super) fn begin(&mut self, title: String, players: [String; 2]) {
        self.title = vec![title, players.join("    ")];
        if self.term.is_none() {
            let [first, second] = players;
            println!("{}\n{first}\n{second}", self.title[0]);
        }
    }

    /// Says a line: below the next board on a terminal, else at once.
    pub(super) fn say(&mut self, text: &str) {
        match self.term {
            Some(_) => self.said.push(text.to_owned()),
            None => println!("{text}"),
        }
    }

    /// Prints what was said and is not shown yet.
    pub(super) fn flush(&mut self) {
        for text in std::mem::take(&mut self.said) {
            println!("{text}");
        }
    }

    /// Draws the board.
    pub(super) fn draw(&mut self, board: &str, points: Option<String>) {
        let Some(term) = &self.term else {
            print!("\n{board}");
            if let Some(points) = points {
                println!("{points}");
            }
            return;
        };
        // A terminal that cannot be cleared shows the boards one below the other.
        let _ = term.clear_screen();
        let _ = term.write_line(&Style::new().bold().apply_to(&self.title[0]).to_string());
        for line in &self.title[1..] {
            println!("{line}");
        }
        println!();
        let _ = term.write_str(&marked(&self.shown, board, &Style::new().green().bold()));
        self.shown = board.to_owned();
        if let Some(points) = points {
            println!("{points}");
        }
        println!();
        self.flush();
    }

    /// Says that something takes its time.
    pub(super) fn wait(&self, text: &str) {
        if let Some(term) = &self.term {
            let _ = term.write_line(text);
        }
    }

    /// Takes [`wait`](Self::wait)'s line away.
    pub(super) fn end_wait(&self) {
        if let Some(term) = &self.term {
            let _ = term.clear_last_lines(1);
        }
    }
}

/// The board with the letters that differ from the board before in a style.
fn marked(before: &str, board: &str, style: &Style) -> String {
    let old: Vec<Vec<char>> = before.lines().map(|line| line.chars().collect()).collect();
    let differs = |row: usize, column: usize, letter: char| {
        let was = old.get(row).and_then(|line| line.get(column));
        was.copied().unwrap_or(' ') != letter
    };
    let letters = |line: &str| line.chars().enumerate().collect::<Vec<_>>();
    let lines: Vec<Vec<(usize, char)>> = board.lines().map(letters).collect();
    let all = lines.iter().enumerate().flat_map(|(row, line)| {
        line.iter()
            .map(move |&(column, letter)| (row, column, letter))
    });
    let n_all = board
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .count();
    let n_new = all
        .filter(|&(row, column, letter)| differs(row, column, letter))
        .count();
    let is_other = before.is_empty() || n_new as f64 > MOST_MARKED * n_all as f64;
    let mut text = String::new();
    for (row, line) in lines.iter().enumerate() {
        for &(column, letter) in line {
            if !is_other && differs(row, column, letter) {
                text.push_str(&style.apply_to(letter).to_string());
            } else {
                text.push(letter);
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_is_marked_unless_all_has() {
        let style = Style::new().green().force_styling(true);
        let empty = "+   +   +\n         \n+   +   +\n\n 1 2 3 4 5 6\n";
        let drawn = "+---+   +\n         \n+   +   +\n\n 1 2 3 4 5 6\n";
        let text = marked(empty, drawn, &style);
        assert_eq!(text.matches('\u{1b}').count(), 2 * 3, "{text:?}");
        assert_eq!(console::strip_ansi_codes(&text), drawn);
        assert_eq!(marked("", drawn, &style), drawn);
        assert_eq!(marked("abcdefgh\n", "bcdefghi\n", &style), "bcdefghi\n");
    }
}

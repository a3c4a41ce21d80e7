//! Plain tables with aligned columns.

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
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        for (index, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(&widths).zip(&self.right);
            let line: Vec<String> = cells
                .map(|((cell, &width), &right)| {
                    if right {
                        format!("{cell:>width$}")
                    } else {
                        format!("{cell:<width$}")
                    }
                })
                .collect();
            println!("{}", line.join("  ").trim_end());
            if index == 0 {
                let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
                println!("{}", rules.join("  "));
            }
        }
    }
}

//! Figures as people read them.

use crate::table::signed;

/// A share as a percentage with two decimals.
pub fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

/// An Elo difference; that of a certain result has no number.
pub fn elo_text(elo: Option<f64>, score: f64) -> String {
    match elo {
        Some(elo) => signed(elo, 0),
        None if score > 0.5 => "+inf".to_owned(),
        None => "-inf".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_that_rounds_to_nothing_is_not_negative() {
        assert_eq!(elo_text(Some(-0.2), 0.5), "+0");
        assert_eq!(elo_text(Some(-0.6), 0.5), "-1");
        assert_eq!(elo_text(None, 0.0), "-inf");
    }
}

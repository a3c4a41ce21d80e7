//! Matches that a run has kept, as people read them.

use crate::figures::{elo_text, percent};
use crate::table::Table;
use serde_json::Value;

/// A match of an agent of the run.
pub struct Evaluation<'a> {
    pub checkpoint: u32,
    report: &'a Value,
}

impl<'a> Evaluation<'a> {
    /// Reads a line of what [`Run::read_evaluations`](tablero_train::Run::read_evaluations) gives;
    /// `None` for a ladder, for a match whose second player was the run, or without a score.
    pub fn read(line: &'a Value) -> Option<Evaluation<'a>> {
        let report = &line["report"];
        let is_own = line["player"].as_u64().unwrap_or(0) == 0;
        let has_score = report["b"].is_string() && report["score"].is_f64();
        let checkpoint = u32::try_from(line["checkpoint"].as_u64()?).ok()?;
        (is_own && has_score).then_some(Evaluation { checkpoint, report })
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.report[key].as_f64()
    }

    fn score(&self) -> f64 {
        self.number("score").unwrap_or(0.0)
    }

    pub fn opponent(&self) -> &'a str {
        self.report["b"].as_str().unwrap_or_default()
    }

    /// Visits of the root before each move, where the agent searches a tree.
    fn simulations(&self) -> Option<u64> {
        self.report["a_search"]["sims"].as_u64()
    }

    /// Matches with the same key differ in their agents alone: the opponent, how the agent searches, and
    /// the random plies that the games begin with.
    pub fn key(&self) -> [String; 3] {
        let report = self.report;
        [&report["b"], &report["a_search"], &report["opening_plies"]].map(Value::to_string)
    }

    /// Critical decisions and the share of them that was right.
    fn critical(&self) -> Option<(u64, f64)> {
        let critical = &self.report["oracle"]["critical"];
        let share = critical["optimal_share"].as_f64()?;
        Some((critical["decisions"].as_u64()?, share))
    }

    /// On one line.
    pub fn in_words(&self) -> String {
        let games = self.report["games"].as_u64().unwrap_or(0);
        let mut text = format!(
            "scores {} against {} in {games} games",
            percent(self.score()),
            self.opponent()
        );
        if let Some((decisions, share)) = self.critical() {
            let share = percent(share);
            text.push_str(&format!(
                "; {share} of {decisions} critical decisions right"
            ));
        }
        text
    }

    fn row(&self) -> [String; 6] {
        let score = self.score();
        let interval = ["score_low", "score_high"].map(|key| self.number(key).unwrap_or(score));
        let none = || "-".to_owned();
        [
            self.checkpoint.to_string(),
            self.opponent().to_owned(),
            self.simulations().map_or_else(none, |n| n.to_string()),
            format!("{} ({})", percent(score), interval.map(short).join(" to ")),
            elo_text(self.number("elo"), score),
            self.critical()
                .map_or_else(none, |(n, share)| format!("{} of {n}", percent(share))),
        ]
    }
}

/// A share in whole per cent.
fn short(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

/// Prints the latest match of each kind, if there is one, under its titles.
pub fn print_latest(lines: &[Value]) {
    let mut latest: Vec<Evaluation<'_>> = Vec::new();
    for evaluation in lines.iter().filter_map(Evaluation::read) {
        latest.retain(|other| other.key() != evaluation.key());
        latest.push(evaluation);
    }
    if latest.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ">checkpoint",
        "against",
        ">sims",
        ">score (95 %)",
        ">Elo",
        ">critical decisions right",
    ]);
    for evaluation in &latest {
        table.row(evaluation.row());
    }
    println!("\nStrength, by the latest match of each kind:");
    table.print();
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_match_of_the_run_is_told_in_words_and_no_other() {
        let report = json!({
            "b": "random", "score": 0.75, "games": 4,
            "oracle": { "critical": { "decisions": 8, "optimal_share": 0.5 } },
        });
        let line = json!({ "checkpoint": 3, "player": 0, "report": report });
        let told = Evaluation::read(&line).unwrap();
        assert_eq!(told.checkpoint, 3);
        let words =
            "scores 75.00 % against random in 4 games; 50.00 % of 8 critical decisions right";
        assert_eq!(told.in_words(), words);
        let second = json!({ "checkpoint": 3, "player": 1, "report": report });
        assert!(Evaluation::read(&second).is_none());
        let ladder = json!({ "checkpoint": 3, "player": 0, "report": { "players": [] } });
        assert!(Evaluation::read(&ladder).is_none());
    }

    #[test]
    fn matches_with_other_simulations_or_openings_are_of_another_kind() {
        let line = |sims: u32, plies: u32| {
            let report = json!({
                "b": "random", "score": 0.5, "opening_plies": plies, "a_search": { "sims": sims },
            });
            json!({ "checkpoint": 1, "player": 0, "report": report })
        };
        let [first, same, sims, plies] = [line(8, 2), line(8, 2), line(9, 2), line(8, 3)];
        let key = |line: &Value| Evaluation::read(line).unwrap().key();
        assert_eq!(key(&first), key(&same));
        assert_ne!(key(&first), key(&sims));
        assert_ne!(key(&first), key(&plies));
    }
}

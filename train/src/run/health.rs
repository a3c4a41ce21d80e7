//! What a run's metrics say is wrong, and what to do about it.

use super::{RoundMetrics, SelfPlayMetrics};
use crate::learner::LearnReport;

/// A network learns games by heart where the value loss of new games is above this times that of
/// the window.
const BY_HEART: f64 = 1.1;
/// Rounds that advice looks back at.
const LATEST: usize = 5;

/// Warnings about the latest rounds of a run, each with advice; none if all seems well.
#[must_use]
pub fn advice(metrics: &[RoundMetrics]) -> Vec<String> {
    let latest = &metrics[metrics.len().saturating_sub(LATEST)..];
    let played: Vec<_> = latest
        .iter()
        .filter_map(|it| it.self_play.as_ref())
        .collect();
    let learnt: Vec<_> = latest
        .iter()
        .filter_map(|it| it.learning.as_ref())
        .collect();
    let mut warnings = about_games(&played);
    warnings.extend(about_learning(&played, &learnt));
    warnings.extend(latest.iter().flat_map(|round| round.warnings.clone()));
    warnings
}

fn about_games(played: &[&SelfPlayMetrics]) -> Vec<String> {
    let sum = |value: fn(&SelfPlayMetrics) -> u64| {
        played.iter().map(|round| value(round)).sum::<u64>() as f64
    };
    let games = sum(|round| round.games);
    if games == 0.0 {
        return Vec::new();
    }
    let mean = |value: fn(&SelfPlayMetrics) -> f64| {
        let weighted = played.iter().map(|round| value(round) * round.games as f64);
        weighted.sum::<f64>() / games
    };
    let mut warnings = Vec::new();
    let distinct = sum(|round| round.distinct_games) / games;
    if distinct < 0.9 {
        warnings.push(format!(
            "only {:.0} % of the games are distinct: raise self_play.random_plies or \
             temperature_plies, or fork games (self_play.fork_share)",
            100.0 * distinct
        ));
    }
    let draws = mean(|round| round.draws);
    let first = mean(|round| round.first_player_wins) + draws / 2.0;
    if draws > 0.95 {
        warnings.push(format!(
            "{:.0} % of the games are drawn, so values carry little information; more random first plies \
             (self_play.random_plies) unbalance the games",
            100.0 * draws
        ));
    } else if !(0.05..=0.95).contains(&first) {
        warnings.push(format!(
            "the first player scores {:.0} %: the value may only learn who moves first; more random first \
             plies (self_play.random_plies) balance the games",
            100.0 * first
        ));
    }
    let unfinished = sum(|round| round.unfinished);
    let unfinished = unfinished / (games + unfinished);
    if unfinished > 0.2 {
        warnings.push(format!(
            "{:.0} % of the games are discarded as too long: raise self_play.max_plies, or begin \
             with a teacher (self_play.teacher)",
            100.0 * unfinished
        ));
    }
    warnings
}

fn about_learning(played: &[&SelfPlayMetrics], learnt: &[&LearnReport]) -> Vec<String> {
    if learnt.is_empty() {
        return Vec::new();
    }
    let mean = |value: fn(&LearnReport) -> f64| {
        learnt.iter().map(|round| value(round)).sum::<f64>() / learnt.len() as f64
    };
    let mut warnings = Vec::new();
    let seconds = mean(|round| round.seconds);
    // Games that other runs played took no time.
    let waits = !played.is_empty() && played.iter().all(|round| round.seconds > 0.0);
    let playing: f64 = played.iter().map(|round| round.seconds).sum();
    let playing = playing / played.len().max(1) as f64;
    // Nor does anyone wait who learns for a second.
    if waits && seconds > (2.0 * playing).max(1.0) {
        warnings.push(format!(
            "a round learns for {seconds:.0} s and plays for {playing:.0} s, so self-play \
             waits: lower learner.samples_per_position, or raise self_play.games or search.sims"
        ));
    }
    let calibration = mean(|round| round.calibration_error);
    if calibration > 0.1 {
        warnings.push(format!(
            "the value head is off by {calibration:.2} points per game on average: it does not fit its \
             targets; a larger network may help"
        ));
    }
    let by_heart = |report: &&LearnReport| {
        let new = report.new_value_loss.unwrap_or(0.0);
        new > BY_HEART * report.value_loss
    };
    // At the beginning every network knows less of new games than it then learns.
    if learnt.len() == LATEST && learnt.iter().all(by_heart) {
        warnings.push(
            "the value loss of new games is far above that of the window: the network memorises \
             its games; lower learner.samples_per_position, or play more games (self_play.games, \
             learner.window_games)"
                .to_owned(),
        );
    }
    let gradient = mean(|round| round.gradient_norm);
    if gradient > 50.0 {
        warnings.push(format!(
            "the mean norm of the gradient is {gradient:.0}: lower learner.learning_rate"
        ));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn round(self_play: Value, learning: Value) -> RoundMetrics {
        let merged = |mut base: Value, changes: &Value| {
            for (key, value) in changes.as_object().unwrap() {
                base[key] = value.clone();
            }
            base
        };
        let played = json!({
            "games": 100, "distinct_games": 100, "positions": 1000, "proven_share": 0.1,
            "first_player_wins": 0.5, "draws": 0.1, "mean_plies": 10.0, "policy_entropy": 1.0,
            "evaluations": 10000, "seconds": 10.0, "record_hash": "",
        });
        let learnt = json!({
            "steps": 10, "window_positions": 1000, "policy_loss": 1.0, "value_loss": 0.7,
            "points_loss": 0.0, "illegal_share": 0.0, "gradient_norm": 1.0, "learning_rate": 1e-3,
            "seconds": 5.0,
        });
        serde_json::from_value(json!({
            "checkpoint": 1, "seconds": 10.0, "weights_hash": "",
            "self_play": merged(played, &self_play), "learning": merged(learnt, &learning),
        }))
        .unwrap()
    }

    #[test]
    fn a_sound_run_gets_no_advice_and_each_fault_its_own() {
        let none = json!({});
        assert_eq!(advice(&[]), [""; 0]);
        assert_eq!(advice(&[round(none.clone(), none.clone())]), [""; 0]);
        let cases = [
            (json!({"distinct_games": 60}), none.clone(), "random_plies"),
            (
                json!({"draws": 0.99, "first_player_wins": 0.0}),
                none.clone(),
                "drawn",
            ),
            (
                json!({"first_player_wins": 0.98, "draws": 0.0}),
                none.clone(),
                "first player",
            ),
            (json!({"unfinished": 50}), none.clone(), "max_plies"),
            (
                none.clone(),
                json!({"seconds": 30.0}),
                "samples_per_position",
            ),
            (
                none.clone(),
                json!({"calibration_error": 0.2}),
                "value head",
            ),
            (
                none.clone(),
                json!({"gradient_norm": 99.0}),
                "learning_rate",
            ),
        ];
        for (played, learnt, word) in cases {
            let warnings = advice(&[round(played, learnt)]);
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            assert!(warnings[0].contains(word), "{warnings:?}");
        }
        let by_heart = || round(none.clone(), json!({"new_value_loss": 0.8}));
        let mut rounds: Vec<RoundMetrics> = (1..LATEST).map(|_| by_heart()).collect();
        assert_eq!(advice(&rounds), [""; 0], "it has only begun");
        rounds.push(by_heart());
        let warnings = advice(&rounds);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains("memorises"), "{warnings:?}");
        rounds[0] = round(none.clone(), json!({"new_value_loss": 0.7}));
        assert_eq!(advice(&rounds), [""; 0], "once it was not");
        // Nobody waits for games that another run played.
        let taken = round(
            json!({"evaluations": 0, "seconds": 0.0}),
            json!({"seconds": 30.0}),
        );
        assert_eq!(advice(&[taken]), [""; 0]);
        // Nor for a moment.
        let short = round(json!({"seconds": 0.01}), json!({"seconds": 0.2}));
        assert_eq!(advice(&[short]), [""; 0]);
        // What was wrong long ago is not told.
        let mut rounds = vec![round(json!({"distinct_games": 1}), none.clone())];
        rounds.extend((0..LATEST).map(|_| round(none.clone(), none.clone())));
        assert_eq!(advice(&rounds), [""; 0]);
    }
}

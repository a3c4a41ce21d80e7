//! Scores, Elo differences and their intervals.

use serde::Serialize;

/// The two-sided 95 % quantile of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// Wins, draws and losses of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts one game with this return (+1, 0, -1).
    pub fn add(&mut self, value: i8) {
        match value {
            1 => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, a draw as a half: 0..=1; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }
}

/// A score per game with a 95 % interval, and the same as Elo differences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// Points per game, 0..=1.
    pub score: f64,
    /// Lower end of the score's interval.
    pub score_low: f64,
    /// Upper end.
    pub score_high: f64,
    /// Elo difference of the score; `None` where it is infinite (score 0 or 1).
    pub elo: Option<f64>,
    /// Elo of `score_low`; `None` for minus infinity.
    pub elo_low: Option<f64>,
    /// Elo of `score_high`; `None` for plus infinity.
    pub elo_high: Option<f64>,
}

/// The Elo difference at which `score` is expected (Elo 1978): `-400 log10(1/score - 1)`;
/// `None` at 0 and 1, where it is infinite.
#[must_use]
pub fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

/// The strength shown by pairs of games that share an opening with colours swapped, from the
/// score of each pair, 0..=1. `None` without pairs.
///
/// The two games of a pair are not independent, the pairs are, so the variance is that between
/// pairs. The interval is Wilson's score interval (1927) with the pair variance in place of the
/// binomial one: it stays inside 0..=1 and does not collapse when all pairs agree.
#[must_use]
pub fn paired_strength(pair_scores: &[f64]) -> Option<Strength> {
    if pair_scores.is_empty() {
        return None;
    }
    let n = pair_scores.len() as f64;
    let score = pair_scores.iter().sum::<f64>() / n;
    let squares: f64 = pair_scores.iter().map(|pair| (pair - score).powi(2)).sum();
    // Relative to the variance that single independent win-or-loss games would have: below 1 for
    // pairs with draws or a first-player advantage. A prior pair of a win and a loss keeps it
    // from being 0 when all pairs agree.
    let binomial = score * (1.0 - score);
    let ratio = if binomial > 0.0 {
        ((squares + 0.25) / (n * binomial + 0.25)).min(1.0)
    } else {
        1.0
    };
    let effective = n / ratio;
    let z2 = Z95 * Z95;
    let centre = (score + z2 / (2.0 * effective)) / (1.0 + z2 / effective);
    let half = Z95 / (1.0 + z2 / effective)
        * (binomial / effective + z2 / (4.0 * effective * effective)).sqrt();
    let score_low = (centre - half).clamp(0.0, score);
    let score_high = (centre + half).clamp(score, 1.0);
    Some(Strength {
        score,
        score_low,
        score_high,
        elo: elo(score),
        elo_low: elo(score_low),
        elo_high: elo(score_high),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_of_known_scores() {
        assert_eq!(elo(0.5), Some(0.0));
        // 10:1 odds are 400 points by definition.
        assert!((elo(10.0 / 11.0).unwrap() - 400.0).abs() < 1e-9);
        assert_eq!(elo(0.0), None);
        assert_eq!(elo(1.0), None);
    }

    #[test]
    fn decided_pairs_have_wilsons_interval() {
        // 8 of 10 by Wilson's formula: 0.4902 to 0.9433.
        let pairs: Vec<f64> = (0..10).map(|pair| f64::from(u8::from(pair < 8))).collect();
        let strength = paired_strength(&pairs).unwrap();
        assert!((strength.score_low - 0.4902).abs() < 1e-3, "{strength:?}");
        assert!((strength.score_high - 0.9433).abs() < 1e-3, "{strength:?}");
    }

    #[test]
    fn the_interval_holds_the_score_and_narrows_with_pairs() {
        let few = paired_strength(&[1.0, 0.5, 0.5, 0.0]).unwrap();
        let many = paired_strength(&[1.0, 0.5, 0.5, 0.0].repeat(100)).unwrap();
        for strength in [few, many] {
            assert!(strength.score_low <= strength.score && strength.score <= strength.score_high);
        }
        assert!(many.score_high - many.score_low < few.score_high - few.score_low);
    }

    #[test]
    fn all_wins_are_not_certainty() {
        let strength = paired_strength(&[1.0; 20]).unwrap();
        assert_eq!(strength.elo, None);
        assert_eq!(strength.elo_high, None);
        // Wilson at 20 of 20: 0.8389.
        assert!((strength.score_low - 0.8389).abs() < 1e-3, "{strength:?}");
    }

    #[test]
    fn pairs_split_by_the_first_move_are_less_uncertain_than_games() {
        // The first player wins every game: each pair is exactly a half.
        let strength = paired_strength(&[0.5; 50]).unwrap();
        assert_eq!(strength.score, 0.5);
        assert!(
            strength.score_high - strength.score_low < 0.1,
            "{strength:?}"
        );
    }
}

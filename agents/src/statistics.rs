//! Scores, Elo differences and their intervals.

use rand::RngExt;
use serde::Serialize;
use std::ops::AddAssign;
use tablero_env::random::stream;

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

    /// The same games as the other side sees them.
    #[must_use]
    pub fn reversed(&self) -> Tally {
        Tally {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
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

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
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
    // Not -0 for equal scores.
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
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

/// A sequential test between two Elo differences: whether a player is `elo0` stronger than another,
/// or `elo1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The difference that the test is to reject or keep.
    pub elo0: f64,
    /// The difference that it is to find; greater than `elo0`.
    pub elo1: f64,
}

/// What a sequential test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The difference is at least `elo1` rather than `elo0`.
    Accepted,
    /// The difference is at most `elo0` rather than `elo1`.
    Rejected,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// The logarithm of the odds at which a test ends: both errors have a probability of 5 %
    /// (Wald 1945).
    pub const BOUND: f64 = 2.944_438_979_166_44;

    /// The logarithm of the likelihood of `elo1` over that of `elo0`, given the scores of pairs, each
    /// 0..=1: of a normal distribution with their variance, which is how pairs are tested
    /// elsewhere, too (Van den Bergh, "Normalized Elo", 2020). 0 without pairs.
    #[must_use]
    pub fn log_likelihood_ratio(&self, pair_scores: &[f64]) -> f64 {
        let n = pair_scores.len() as f64;
        if n == 0.0 {
            return 0.0;
        }
        let expected = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let (s0, s1) = (expected(self.elo0), expected(self.elo1));
        let mean = pair_scores.iter().sum::<f64>() / n;
        let squares: f64 = pair_scores.iter().map(|pair| (pair - mean).powi(2)).sum();
        // A win and a loss more, so that a few equal pairs are not certainty.
        let variance = (squares + 0.5) / (n + 2.0);
        n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// What the scores of pairs say.
    #[must_use]
    pub fn verdict(&self, pair_scores: &[f64]) -> Verdict {
        match self.log_likelihood_ratio(pair_scores) {
            ratio if ratio >= Self::BOUND => Verdict::Accepted,
            ratio if ratio <= -Self::BOUND => Verdict::Rejected,
            _ => Verdict::Open,
        }
    }
}

/// The matches of some players: the scores of the pairs that two of them played, seen by the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Encounter {
    /// Numbers of both players.
    pub players: [usize; 2],
    /// The first one's score of each pair, 0..=1.
    pub pair_scores: Vec<f64>,
}

/// An Elo rating with a 95 % interval, relative to that of the first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The rating.
    pub elo: f64,
    /// Lower end of its interval.
    pub elo_low: f64,
    /// Upper end.
    pub elo_high: f64,
}

/// How many times the pairs are drawn again for the intervals of ratings.
const N_RESAMPLES: u64 = 1000;

/// Ratings of `n_players` from their encounters: the most likely ones (Bradley and Terry 1952, draws
/// as half a win), where each two players that met have drawn one pair more. The first has 0.
///
/// Intervals are percentiles over encounters whose pairs are drawn again with replacement
/// (bootstrap, Efron 1979), by a stream that `seed` fixes. A player whose games connect them to
/// the first by nobody has a rating without meaning.
#[must_use]
pub fn ratings(n_players: usize, encounters: &[Encounter], seed: u64) -> Vec<Rating> {
    let totals: Vec<(f64, f64)> = encounters
        .iter()
        .map(|each| (each.pair_scores.iter().sum(), each.pair_scores.len() as f64))
        .collect();
    let most_likely = fit(n_players, encounters, &totals);
    let mut resampled: Vec<Vec<f64>> = vec![Vec::new(); n_players];
    for index in 0..N_RESAMPLES {
        let mut rng = stream(seed, "ratings", index);
        let totals: Vec<(f64, f64)> = encounters
            .iter()
            .map(|each| {
                let pairs = &each.pair_scores;
                let drawn = (0..pairs.len()).map(|_| pairs[rng.random_range(0..pairs.len())]);
                (drawn.sum(), pairs.len() as f64)
            })
            .collect();
        for (all, elo) in resampled
            .iter_mut()
            .zip(fit(n_players, encounters, &totals))
        {
            all.push(elo);
        }
    }
    let quantile =
        |sorted: &[f64], share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
    let players = most_likely.into_iter().zip(resampled);
    players
        .map(|(elo, mut all)| {
            all.sort_by(f64::total_cmp);
            Rating {
                elo,
                elo_low: quantile(&all, 0.025).min(elo),
                elo_high: quantile(&all, 0.975).max(elo),
            }
        })
        .collect()
}

/// The most likely ratings: of each encounter the first one's score and the number of pairs.
fn fit(n_players: usize, encounters: &[Encounter], totals: &[(f64, f64)]) -> Vec<f64> {
    // Hunter's iteration (2004) on strengths gamma = 10^(elo / 400).
    let mut gammas = vec![1.0; n_players];
    for _ in 0..10_000 {
        let mut won = vec![0.0; n_players];
        let mut met = vec![0.0; n_players];
        for (each, &(score, n)) in encounters.iter().zip(totals) {
            let [a, b] = each.players;
            let (score, n) = (score + 0.5, n + 1.0);
            won[a] += score;
            won[b] += n - score;
            let weight = n / (gammas[a] + gammas[b]);
            met[a] += weight;
            met[b] += weight;
        }
        let mut change: f64 = 0.0;
        let mut next: Vec<f64> = gammas.clone();
        for player in 0..n_players {
            if met[player] > 0.0 {
                next[player] = won[player] / met[player];
            }
        }
        let first = next[0];
        for (gamma, next) in gammas.iter_mut().zip(next) {
            let next = next / first;
            change = change.max((next / *gamma).ln().abs());
            *gamma = next;
        }
        if change < 1e-9 {
            break;
        }
    }
    gammas
        .into_iter()
        .map(|gamma: f64| 400.0 * gamma.log10())
        .collect()
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
    #[test]
    fn a_sequential_test_ends_on_the_right_side() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 50.0,
        };
        assert_eq!(sprt.verdict(&[]), Verdict::Open);
        assert_eq!(sprt.verdict(&[1.0, 0.5]), Verdict::Open);
        let strong = [1.0, 0.5, 0.5, 1.0, 0.0].repeat(60);
        assert_eq!(sprt.verdict(&strong), Verdict::Accepted);
        let even = [1.0, 0.5, 0.5, 0.0].repeat(100);
        assert_eq!(sprt.verdict(&even), Verdict::Rejected);
        // Between both, the ratio is 0: the score expected of 25 Elo, 53.6 %.
        let middle: Vec<f64> = [0.036, 0.036, 0.036].map(|x| 0.5 + x).repeat(3);
        assert!(sprt.log_likelihood_ratio(&middle).abs() < 0.05);
    }

    #[test]
    fn a_sequential_test_errs_as_rarely_as_it_says() {
        // Pairs whose two games are won with the probability that 50 Elo give, or an even one.
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 50.0,
        };
        let wrong = |chance: f64, wrong: Verdict| {
            let n_wrong = (0..400).filter(|&index| {
                let mut rng = stream(9, "sprt", index);
                let mut pairs = Vec::new();
                loop {
                    let wins = [0, 1].map(|_| f64::from(u8::from(rng.random_bool(chance))));
                    pairs.push((wins[0] + wins[1]) / 2.0);
                    match sprt.verdict(&pairs) {
                        Verdict::Open => {}
                        verdict => return verdict == wrong,
                    }
                }
            });
            n_wrong.count()
        };
        let expected = 1.0 / (1.0 + 10f64.powf(-50.0 / 400.0));
        // 5 % of 400 are 20, with a standard deviation of 4.4.
        assert!(wrong(0.5, Verdict::Accepted) <= 33);
        assert!(wrong(expected, Verdict::Rejected) <= 33);
    }

    #[test]
    fn ratings_of_two_are_the_elo_difference_of_their_score() {
        let pair_scores = [1.0, 1.0, 0.5, 1.0].repeat(250);
        let score: f64 = pair_scores.iter().sum::<f64>() / 1000.0;
        let encounter = Encounter {
            players: [1, 0],
            pair_scores,
        };
        let found = ratings(2, &[encounter], 1);
        assert_eq!(found[0].elo, 0.0);
        assert!(
            (found[1].elo - elo(score).unwrap()).abs() < 2.0,
            "{found:?}"
        );
        assert!(found[1].elo_low < found[1].elo && found[1].elo < found[1].elo_high);
    }

    #[test]
    fn ratings_add_up_along_a_chain() {
        // Each scores 10 of 11 against the one before: 400 Elo a step.
        let step = |players| Encounter {
            players,
            pair_scores: [vec![1.0; 10], vec![0.0]].concat().repeat(1000),
        };
        let found = ratings(3, &[step([1, 0]), step([2, 1])], 1);
        assert!((found[1].elo - 400.0).abs() < 1.0, "{found:?}");
        assert!((found[2].elo - 800.0).abs() < 2.0, "{found:?}");
    }
}

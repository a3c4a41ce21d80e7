//! What the scores of a search are worth: the odds to win that go with them.

use serde::{Deserialize, Serialize};

/// The range in which the worth of a unit is looked for, as the exponent of 2.
const EXPONENTS: [f64; 2] = [-24.0, 4.0];
/// The range of the width of draws.
const WIDTHS: [f64; 2] = [0.0, 8.0];
/// How often both numbers are found in turn, each for the other as it is.
const N_TURNS: usize = 3;
/// Steps of a golden section, each to 0.62 of the range: to a 15,000th in all.
const N_STEPS: usize = 20;

/// A score and the return of the game, -1, 0 or 1, both for the player to move.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Scored {
    pub(super) score: f64,
    pub(super) result: i8,
}

/// The ordered logit model (McCullagh, 1980): with score s a game is won with probability
/// `sigmoid(worth s - width)`, lost with `sigmoid(-worth s - width)`, and otherwise drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Odds {
    worth: f64,
    width: f64,
}

impl Odds {
    /// The most likely model of these games. Without any it knows nothing: each result is as
    /// likely, whatever the score.
    pub(super) fn fit(games: &[Scored]) -> Odds {
        let mut odds = Odds {
            worth: 0.0,
            // sigmoid(-ln 2) is a third.
            width: std::f64::consts::LN_2,
        };
        if games.is_empty() {
            return odds;
        }
        for _ in 0..N_TURNS {
            let width = odds.width;
            odds.worth = minimum(EXPONENTS, |exponent| {
                let worth = exponent.exp2();
                Odds { worth, width }.surprise(games)
            })
            .exp2();
            let worth = odds.worth;
            odds.width = minimum(WIDTHS, |width| Odds { worth, width }.surprise(games));
        }
        odds
    }

    /// Win, draw and loss, which sum to 1.
    pub(super) fn wdl(self, score: f64) -> [f32; 3] {
        let win = sigmoid(self.worth * score - self.width);
        let loss = sigmoid(-self.worth * score - self.width);
        [win, (1.0 - win - loss).max(0.0), loss].map(|share| share as f32)
    }

    /// The negative logarithm of the likelihood of the results.
    fn surprise(self, games: &[Scored]) -> f64 {
        let surprise = |game: &Scored| {
            let [win, draw, loss] = self.wdl(game.score);
            let likelihood = match game.result {
                1 => win,
                0 => draw,
                _ => loss,
            };
            -f64::from(likelihood).max(1e-6).ln()
        };
        games.iter().map(surprise).sum()
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Where a function with one minimum in the range has it, by golden sections.
fn minimum([mut low, mut high]: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let [mut left, mut right] = [high - ratio * (high - low), low + ratio * (high - low)];
    let [mut at_left, mut at_right] = [f(left), f(right)];
    for _ in 0..N_STEPS {
        if at_left <= at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = high - ratio * (high - low);
            at_left = f(left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = low + ratio * (high - low);
            at_right = f(right);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use tablero_env::random::stream;

    /// Games whose results are drawn from a model.
    fn games(odds: Odds, spread: f64) -> Vec<Scored> {
        let mut rng = stream(1, "odds", 0);
        let draw = |_| {
            let score = rng.random_range(-spread..spread);
            let [win, draw, _] = odds.wdl(score);
            let luck: f32 = rng.random_range(0.0..1.0);
            let result = i8::from(luck < win) - i8::from(luck >= win + draw);
            Scored { score, result }
        };
        (0..20_000).map(draw).collect()
    }

    #[test]
    fn the_model_that_made_the_games_is_found() {
        for (worth, width, spread) in [(0.001, 0.0, 3000.0), (0.5, 0.0, 8.0), (1.5, 1.0, 3.0)] {
            let odds = Odds::fit(&games(Odds { worth, width }, spread));
            assert!((odds.worth / worth - 1.0).abs() < 0.05, "{odds:?}");
            assert!((odds.width - width).abs() < 0.05, "{odds:?}");
        }
    }

    #[test]
    fn win_draw_and_loss_are_shares_that_turn_with_the_score() {
        let odds = Odds {
            worth: 0.7,
            width: 0.4,
        };
        for score in [-1e6, -3.0, 0.0, 0.1, 1e6] {
            let [win, draw, loss] = odds.wdl(score);
            assert!((win + draw + loss - 1.0).abs() < 1e-6);
            assert_eq!(odds.wdl(-score), [loss, draw, win]);
        }
        assert!(odds.wdl(1.0)[0] > odds.wdl(0.5)[0]);
    }

    #[test]
    fn without_games_nothing_is_known() {
        let thirds = Odds::fit(&[]).wdl(7.0);
        assert!(thirds.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-6));
    }
}

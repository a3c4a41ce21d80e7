//! The ranges of all fields.

use super::{ConfigError, RunConfig};
use tablero_env::{AnyGame, Game, with_game};

impl RunConfig {
    /// Checks every range.
    ///
    /// # Errors
    /// The first field that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        use Range::{Above0, AtLeast0, AtLeast1, Share};
        self.network.validate()?;
        let (play, learn) = (&self.self_play, &self.learner);
        if play.max_plies.is_none() && has_no_bound(&self.game) {
            return Err(ConfigError::OutOfRange {
                field: "self_play.max_plies",
                expected: "a number of plies, since the game has no bound on its length",
                got: "none".to_owned(),
            });
        }
        if play.resignation.is_some() && has_points(&self.game) {
            return Err(ConfigError::OutOfRange {
                field: "self_play.resignation",
                expected: "none, since the game has points, which are learnt from its end",
                got: "some".to_owned(),
            });
        }
        let mut fields: Vec<(&'static str, f64, Range)> = vec![
            ("keep_checkpoints", self.keep_checkpoints as f64, AtLeast1),
            ("self_play.games", play.games as f64, AtLeast1),
            ("search.sims", self.search.sims.into(), AtLeast1),
            ("self_play.temperature", play.temperature.into(), Above0),
            ("self_play.fork_share", play.fork_share.into(), Share),
            ("learner.batch_size", learn.batch_size as f64, AtLeast1),
            ("learner.window_games", learn.window_games as f64, AtLeast1),
            (
                "learner.window_growth",
                learn.window_growth.into(),
                AtLeast0,
            ),
            (
                "learner.samples_per_position",
                learn.samples_per_position.into(),
                Above0,
            ),
            ("learner.learning_rate", learn.learning_rate, Above0),
            (
                "learner.root_value_share",
                learn.root_value_share.into(),
                Share,
            ),
        ];
        if let Some(quick) = play.quick {
            fields.extend([
                ("self_play.quick.share", quick.share.into(), Share),
                ("self_play.quick.sims", quick.sims.into(), AtLeast1),
            ]);
        }
        if let Some(resignation) = play.resignation {
            fields.extend([
                (
                    "self_play.resignation.below",
                    resignation.below.into(),
                    Share,
                ),
                (
                    "self_play.resignation.moves",
                    resignation.moves.into(),
                    AtLeast1,
                ),
                (
                    "self_play.resignation.played_out",
                    resignation.played_out.into(),
                    Share,
                ),
            ]);
        }
        if let Some(teacher) = play.teacher {
            fields.extend([
                ("self_play.teacher.rounds", teacher.rounds.into(), AtLeast1),
                ("self_play.teacher.nodes", teacher.nodes as f64, AtLeast1),
            ]);
        }
        if let Some(gate) = &self.gate {
            fields.extend([
                ("gate.games", gate.games as f64, AtLeast1),
                ("gate.score", gate.score, Share),
            ]);
        }
        if let Some(evaluation) = &self.evaluation {
            fields.extend([
                ("evaluation.every", evaluation.every.into(), AtLeast1),
                ("evaluation.games", evaluation.games as f64, AtLeast1),
            ]);
        }
        self.search_in_play()?;
        if let Some(gate) = &self.gate {
            self.search_at_gate(gate)?;
        }
        if let Some(evaluation) = &self.evaluation {
            self.search_in(evaluation)?;
        }
        match fields
            .into_iter()
            .find(|(_, value, range)| !range.holds(*value))
        {
            None => Ok(()),
            Some((field, value, range)) => Err(ConfigError::OutOfRange {
                field,
                expected: range.expected(),
                got: value.to_string(),
            }),
        }
    }
}

/// Whether the game has points. A text that names no game is refused elsewhere.
fn has_points(spec: &str) -> bool {
    AnyGame::parse(spec)
        .is_ok_and(|any| with_game!(&any, game => Game::points(game, &game.initial()).is_some()))
}

/// Whether the rules leave the length of the game without a bound of use. A text that names no
/// game is refused elsewhere.
fn has_no_bound(spec: &str) -> bool {
    AnyGame::parse(spec).is_ok_and(|any| with_game!(&any, game => game.max_plies().is_none()))
}

/// The numbers that a field may hold; none of them infinite.
#[derive(Clone, Copy)]
enum Range {
    AtLeast1,
    AtLeast0,
    Above0,
    Share,
}

impl Range {
    fn holds(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Range::AtLeast1 => value >= 1.0,
                Range::AtLeast0 => value >= 0.0,
                Range::Above0 => value > 0.0,
                Range::Share => (0.0..=1.0).contains(&value),
            }
    }

    fn expected(self) -> &'static str {
        match self {
            Range::AtLeast1 => "at least 1",
            Range::AtLeast0 => "at least 0",
            Range::Above0 => "above 0",
            Range::Share => "0 to 1",
        }
    }
}

//! The ranges of all fields.

use super::{
    ConfigError, LearnerConfig, QuickMoves, Resignation, RunConfig, SelfPlayConfig, Teacher,
};
use Range::{Above0, AtLeast0, AtLeast1, Share};
use std::collections::BTreeSet;
use tablero_agents::PlayerSpec;
use tablero_env::{AnyGame, Game, with_game};
use tablero_models::{Hardware, NetworkConfig};

impl RunConfig {
    /// Checks every range.
    ///
    /// # Errors
    /// The first field that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.network.validate()?;
        if let (NetworkConfig::Sparse { .. }, Hardware::Gpu) = (&self.network, self.device) {
            return Err(ConfigError::OutOfRange {
                field: "device",
                expected: "cpu, since a sparse network trains there",
                got: "gpu".to_owned(),
            });
        }
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
        self.search_in_play()?;
        if let Some(gate) = &self.gate {
            self.search_at_gate(gate)?;
        }
        if let Some(evaluation) = &self.evaluation {
            self.search_in(evaluation)?;
            check_opponents(&evaluation.opponents)?;
        }
        let fields = self.ranges().into_iter().chain(learn.ranges());
        let wrong = fields
            .chain(play.ranges())
            .find(|(_, value, range)| !range.holds(*value));
        match wrong {
            None => Ok(()),
            Some((field, value, range)) => Err(ConfigError::OutOfRange {
                field,
                expected: range.expected(),
                got: value.to_string(),
            }),
        }
    }

    /// Of the fields of the run itself, of its gate and its evaluation.
    fn ranges(&self) -> Vec<Field> {
        let mut fields = vec![
            ("keep_checkpoints", self.keep_checkpoints as f64, AtLeast1),
            ("search.sims", self.search.sims.into(), AtLeast1),
        ];
        if let Some(evaluations) = self.evaluations {
            fields.push(("evaluations", evaluations as f64, AtLeast1));
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
        fields
    }
}

/// Results are kept under the names of opponents, so that none may come twice.
fn check_opponents(opponents: &[PlayerSpec]) -> Result<(), ConfigError> {
    let mut names = BTreeSet::new();
    let mut opponents = opponents.iter().map(PlayerSpec::to_string);
    match opponents.find(|name| !names.insert(name.clone())) {
        None => Ok(()),
        Some(name) => Err(ConfigError::OutOfRange {
            field: "evaluation.opponents",
            expected: "each player once",
            got: format!("{name} twice"),
        }),
    }
}

impl LearnerConfig {
    fn ranges(&self) -> Vec<Field> {
        let samples = self.samples_per_position.into();
        vec![
            ("learner.batch_size", self.batch_size as f64, AtLeast1),
            ("learner.window_games", self.window_games as f64, AtLeast1),
            ("learner.window_growth", self.window_growth.into(), AtLeast0),
            ("learner.samples_per_position", samples, Above0),
            ("learner.learning_rate", self.learning_rate, Above0),
            (
                "learner.root_value_share",
                self.root_value_share.into(),
                Share,
            ),
        ]
    }
}

impl SelfPlayConfig {
    fn ranges(&self) -> Vec<Field> {
        let mut fields = vec![
            ("self_play.games", self.games as f64, AtLeast1),
            ("self_play.temperature", self.temperature.into(), Above0),
            ("self_play.fork_share", self.fork_share.into(), Share),
        ];
        if let Some(QuickMoves { share, sims }) = self.quick {
            fields.extend([
                ("self_play.quick.share", share.into(), Share),
                ("self_play.quick.sims", sims.into(), AtLeast1),
            ]);
        }
        if let Some(resignation) = self.resignation {
            let Resignation {
                below,
                moves,
                played_out,
            } = resignation;
            fields.extend([
                ("self_play.resignation.below", below.into(), Share),
                ("self_play.resignation.moves", moves.into(), AtLeast1),
                ("self_play.resignation.played_out", played_out.into(), Share),
            ]);
        }
        if let Some(Teacher { rounds, nodes }) = self.teacher {
            fields.extend([
                ("self_play.teacher.rounds", rounds.into(), AtLeast1),
                ("self_play.teacher.nodes", nodes as f64, AtLeast1),
            ]);
        }
        fields
    }
}

/// A field's path, its value, and what it may hold.
type Field = (&'static str, f64, Range);

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

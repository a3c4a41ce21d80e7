//! The ranges of all fields.

use super::{ConfigError, LearnerConfig, QuickMoves, RunConfig, SelfPlayConfig, Teacher};
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
                expected: "cpu, because a sparse network trains only there",
                got: "gpu".to_owned(),
            });
        }
        if self.search.is_informed() {
            return Err(ConfigError::OutOfRange {
                field: "search.analyser_nodes",
                expected: "0, because self-play is bare; under [play] it informs the agents of this run",
                got: self.search.analyser_nodes.to_string(),
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
        self.search_in_play()?;
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
                expected: range.expected,
                got: value.to_string(),
            }),
        }
    }

    /// Of the fields of the run itself and of its evaluation.
    fn ranges(&self) -> Vec<Field> {
        let mut fields = vec![
            ("rounds", self.rounds.into(), ROUNDS),
            ("keep_checkpoints", self.keep_checkpoints as f64, KEPT),
            ("search.sims", self.search.sims.into(), MANY),
        ];
        if let Some(evaluations) = self.evaluations {
            fields.push(("evaluations", evaluations as f64, EVALUATIONS));
        }
        if let Some(evaluation) = &self.evaluation {
            fields.extend([
                ("evaluation.every", evaluation.every.into(), MANY),
                ("evaluation.games", evaluation.games as f64, MATCH_GAMES),
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
            ("learner.batch_size", self.batch_size as f64, BATCH),
            ("learner.window_games", self.window_games as f64, WINDOW),
            ("learner.window_growth", self.window_growth.into(), GROWTH),
            ("learner.samples_per_position", samples, ABOVE_0),
            ("learner.learning_rate", self.learning_rate, ABOVE_0),
            (
                "learner.root_value_share",
                self.root_value_share.into(),
                SHARE,
            ),
        ]
    }
}

impl SelfPlayConfig {
    fn ranges(&self) -> Vec<Field> {
        let mut fields = vec![
            ("self_play.games", self.games as f64, MANY),
            (
                "self_play.random_plies",
                self.random_plies as f64,
                OPENING_PLIES,
            ),
            (
                "self_play.temperature_plies",
                self.temperature_plies as f64,
                PLIES,
            ),
            (
                "self_play.max_plies",
                self.max_plies.unwrap_or(0) as f64,
                PLIES,
            ),
            ("self_play.temperature", self.temperature.into(), ABOVE_0),
            ("self_play.fork_share", self.fork_share.into(), SHARE),
        ];
        if let Some(QuickMoves { share, sims }) = self.quick {
            fields.extend([
                ("self_play.quick.share", share.into(), SHARE),
                ("self_play.quick.sims", sims.into(), MANY),
            ]);
        }
        if let Some(Teacher { rounds, nodes }) = self.teacher {
            fields.extend([
                ("self_play.teacher.rounds", rounds.into(), MANY),
                ("self_play.teacher.nodes", nodes as f64, NODES),
            ]);
        }
        fields
    }
}

/// A field's path, its value, and what it may hold.
type Field = (&'static str, f64, Range);

/// Whether the rules leave the length of the game without a bound of use. A text that names no
/// game is refused elsewhere.
fn has_no_bound(spec: &str) -> bool {
    AnyGame::parse(spec).is_ok_and(|any| with_game!(&any, game => game.max_plies().is_none()))
}

/// The numbers that a field may hold: nobody needs more, and sums and products of these fit.
#[derive(Clone, Copy)]
struct Range {
    least: f64,
    most: f64,
    /// The same in words.
    expected: &'static str,
}

impl Range {
    const fn new(least: f64, most: f64, expected: &'static str) -> Range {
        Range {
            least,
            most,
            expected,
        }
    }

    /// Not so if the value is not a number.
    fn holds(self, value: f64) -> bool {
        (self.least..=self.most).contains(&value)
    }
}

const SHARE: Range = Range::new(0.0, 1.0, "0 to 1");
const MATCH_GAMES: Range = Range::new(1.0, 1e5, "1 to 100,000");
const MANY: Range = Range::new(1.0, 1e6, "1 to 1,000,000");
const ROUNDS: Range = Range::new(0.0, u32::MAX as f64, "0 to 4,294,967,295");
const KEPT: Range = Range::new(1.0, u32::MAX as f64, "1 to 4,294,967,295");
const PLIES: Range = Range::new(0.0, 1e5, "0 to 100,000");
const OPENING_PLIES: Range = Range::new(0.0, 1e3, "0 to 1,000");
const BATCH: Range = Range::new(1.0, 16_384.0, "1 to 16,384");
const WINDOW: Range = Range::new(1.0, 1e8, "1 to 100,000,000");
const NODES: Range = Range::new(1.0, 1e9, "1 to 1,000,000,000");
const EVALUATIONS: Range = Range::new(1.0, 1e15, "1 to 10^15");
const GROWTH: Range = Range::new(0.0, 10.0, "0 to 10");
const ABOVE_0: Range = Range::new(f64::MIN_POSITIVE, 1e3, "above 0, at most 1,000");

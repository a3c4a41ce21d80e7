//! A game of any kind, and its text.

use crate::did_you_mean;
use crate::dots_and_boxes::DotsAndBoxes;
use crate::games::{GameEntry, games};
use crate::hive::Hive;
use crate::other_game::OtherGame;
use crate::paper_soccer::PaperSoccer;
use crate::queens::Queens;
use crate::xadrersi::Xadrersi;

/// A configured game of any kind. Open it with [`with_game!`](crate::with_game) to get the
/// concrete type, so that everything inside is dispatched statically.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// See [`dots_and_boxes`](crate::dots_and_boxes).
    DotsAndBoxes(DotsAndBoxes),
    /// See [`queens`](crate::queens).
    Queens(Queens),
    /// See [`paper_soccer`](crate::paper_soccer).
    PaperSoccer(PaperSoccer),
    /// See [`xadrersi`](crate::xadrersi).
    Xadrersi(Xadrersi),
    /// See [`hive`](crate::hive).
    Hive(Hive),
    /// A game of somebody else: see [`Rules`](crate::Rules).
    Other(OtherGame),
}

/// Runs an expression with the concrete game inside an [`AnyGame`].
///
/// ```
/// use tablero_env::{AnyGame, Game, with_game};
/// let any = AnyGame::parse("dots-and-boxes:2x2").unwrap();
/// assert_eq!(with_game!(&any, game => game.n_actions()), 12);
/// ```
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident => $body:expr) => {
        match $any {
            $crate::AnyGame::DotsAndBoxes($game) => $body,
            $crate::AnyGame::Queens($game) => $body,
            $crate::AnyGame::PaperSoccer($game) => $body,
            $crate::AnyGame::Xadrersi($game) => $body,
            $crate::AnyGame::Hive($game) => $body,
            $crate::AnyGame::Other($game) => $body,
        }
    };
}

/// A text that names no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No game has this name.
    #[error("unknown game {name:?}{}; known games: {}", meant(.name), known_names())]
    UnknownGame {
        /// The name given.
        name: String,
    },
    /// The game is known, its parameters are not valid.
    #[error("bad parameters in {spec:?}: {reason}")]
    BadParameters {
        /// The whole text given.
        spec: String,
        /// What was expected.
        reason: String,
    },
}

fn meant(name: &str) -> String {
    did_you_mean(name, games().iter().map(|entry| entry.name))
}

fn known_names() -> String {
    let specs: Vec<String> = games().iter().map(GameEntry::default_spec).collect();
    specs.join(", ")
}

/// A game of each kind is one of any kind.
macro_rules! from_game {
    ($($game:ident),*) => {
        $(impl From<$game> for AnyGame {
            fn from(game: $game) -> AnyGame {
                AnyGame::$game(game)
            }
        })*
    };
}

from_game!(DotsAndBoxes, Queens, PaperSoccer, Xadrersi, Hive);

impl From<OtherGame> for AnyGame {
    fn from(game: OtherGame) -> AnyGame {
        AnyGame::Other(game)
    }
}

impl AnyGame {
    /// Reads a spec: a game's name, alone or with `:PARAMETERS`.
    ///
    /// # Errors
    /// If the name is unknown or the parameters are out of their bounds.
    ///
    /// ```
    /// use tablero_env::AnyGame;
    /// assert!(AnyGame::parse("dots-and-boxes:3x4").is_ok());
    /// assert!(AnyGame::parse("dots-and-boxes:0x3").is_err());
    /// assert!(AnyGame::parse("chess").is_err());
    /// ```
    pub fn parse(spec: &str) -> Result<AnyGame, SpecError> {
        let (name, parameters) = match spec.split_once(':') {
            Some((name, parameters)) => (name, Some(parameters)),
            None => (spec, None),
        };
        let entry = games()
            .iter()
            .find(|entry| entry.name.eq_ignore_ascii_case(name.trim()))
            .ok_or_else(|| SpecError::UnknownGame {
                name: name.to_owned(),
            })?;
        entry
            .configured(parameters.unwrap_or(&entry.default_parameters).trim())
            .map_err(|reason| SpecError::BadParameters {
                spec: spec.to_owned(),
                reason,
            })
    }

    /// The canonical spec.
    #[must_use]
    pub fn spec(&self) -> String {
        use crate::Game;
        with_game!(self, game => game.spec())
    }
}

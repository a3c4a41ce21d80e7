//! The games that Tablero knows, by name.

use crate::dots_and_boxes::{self, DotsAndBoxes};
use crate::hive::Hive;
use crate::paper_soccer::{self, PaperSoccer};
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
        }
    };
}

/// What the registry knows of a game before it is configured.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// The name in a spec, before the colon.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// The form and bounds of the parameters after the colon.
    pub parameters: &'static str,
    /// The parameters used when a spec gives none.
    pub default_parameters: &'static str,
    /// The rules for people, as text with blank lines between paragraphs; a line that begins with
    /// `#` is a heading, one with `-` an item of a list.
    pub rules: &'static str,
    parse: fn(&str) -> Result<AnyGame, String>,
}

/// Every game, in the order of the rules' document.
pub const GAMES: &[GameEntry] = &[
    GameEntry {
        name: "dots-and-boxes",
        summary: "Draw edges, take boxes, move again after a capture",
        parameters: "ROWSxCOLS boxes, each 1 to 10",
        default_parameters: "5x5",
        rules: include_str!("../rules/dots-and-boxes.txt"),
        parse: |text| {
            let (rows, cols) = parse_size(text, "ROWSxCOLS", "5x5", dots_and_boxes::MAX_SIDE)?;
            DotsAndBoxes::new(rows, cols)
                .map(AnyGame::DotsAndBoxes)
                .map_err(|error| error.to_string())
        },
    },
    GameEntry {
        name: "queens",
        summary: "Place queens that attack no other; whoever cannot has lost",
        parameters: "N[,full_board=white|black|draw], N even, 2 to 16",
        default_parameters: "8",
        rules: include_str!("../rules/queens.txt"),
        parse: |text| {
            Queens::parse_parameters(text)
                .map(AnyGame::Queens)
                .map_err(|error| error.to_string())
        },
    },
    GameEntry {
        name: "paper-soccer",
        summary: "Draw the ball's path to the goal, bounce off lines and walls",
        parameters: "WIDTHxHEIGHT squares, both even, 2 to 16",
        default_parameters: "8x10",
        rules: include_str!("../rules/paper-soccer.txt"),
        parse: |text| {
            let (width, height) = parse_size(text, "WIDTHxHEIGHT", "8x10", paper_soccer::MAX_SIDE)?;
            PaperSoccer::new(width, height)
                .map(AnyGame::PaperSoccer)
                .map_err(|error| error.to_string())
        },
    },
    GameEntry {
        name: "xadrersi",
        summary: "Place chess pieces in turn; empty squares attacked are points",
        parameters: "none",
        default_parameters: "",
        rules: include_str!("../rules/xadrersi.txt"),
        parse: |text| {
            if text.is_empty() {
                Ok(AnyGame::Xadrersi(Xadrersi))
            } else {
                Err(format!("the game has no parameters, got {text:?}"))
            }
        },
    },
    GameEntry {
        name: "hive",
        summary: "Surround the enemy queen with bugs on a board without edges",
        parameters: "base[+m][l][p][,opening=tournament|free]",
        default_parameters: "base+mlp",
        rules: include_str!("../rules/hive.txt"),
        parse: |text| {
            Hive::parse(text)
                .map(AnyGame::Hive)
                .map_err(|error| error.to_string())
        },
    },
];

/// Reads two numbers with an `x` between them.
fn parse_size(text: &str, form: &str, example: &str, max: usize) -> Result<(usize, usize), String> {
    let read = || {
        let (first, second) = text.split_once(['x', 'X'])?;
        Some((first.parse().ok()?, second.parse().ok()?))
    };
    read().ok_or_else(|| format!("expected {form}, such as {example} (up to {max}x{max})"))
}

/// A text that names no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No game has this name.
    #[error("unknown game {name:?}; known games: {}", known_names())]
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

fn known_names() -> String {
    let specs = GAMES.iter().map(|entry| match entry.default_parameters {
        "" => entry.name.to_owned(),
        parameters => format!("{}:{parameters}", entry.name),
    });
    specs.collect::<Vec<_>>().join(", ")
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
        let entry = GAMES
            .iter()
            .find(|entry| entry.name.eq_ignore_ascii_case(name.trim()))
            .ok_or_else(|| SpecError::UnknownGame {
                name: name.to_owned(),
            })?;
        (entry.parse)(parameters.unwrap_or(entry.default_parameters).trim()).map_err(|reason| {
            SpecError::BadParameters {
                spec: spec.to_owned(),
                reason,
            }
        })
    }

    /// The canonical spec.
    #[must_use]
    pub fn spec(&self) -> String {
        use crate::Game;
        with_game!(self, game => game.spec())
    }
}

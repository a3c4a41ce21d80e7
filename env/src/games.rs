//! The games that this process knows, by name.

use crate::dots_and_boxes::DotsAndBoxes;
use crate::hive::Hive;
use crate::paper_soccer::PaperSoccer;
use crate::queens::Queens;
use crate::xadrersi::Xadrersi;
use crate::{AnyGame, OtherGame, Rules};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// Reads the parameters of a spec.
type Parse = Arc<dyn Fn(&str) -> Result<AnyGame, String> + Send + Sync>;

/// What is known of a game before it is configured.
#[derive(Clone)]
pub struct GameEntry {
    /// The name in a spec, before the colon.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// The form and bounds of the parameters after the colon.
    pub parameters: &'static str,
    /// The parameters used when a spec gives none.
    pub default_parameters: String,
    /// The rules for people, as text with blank lines between paragraphs; a line that begins with
    /// `#` is a heading, one with `-` an item of a list.
    pub rules: &'static str,
    parse: Parse,
}

impl GameEntry {
    /// The spec of the game with its default parameters.
    #[must_use]
    pub fn default_spec(&self) -> String {
        spec(self.name, &self.default_parameters)
    }

    /// The game with these parameters.
    pub(crate) fn configured(&self, parameters: &str) -> Result<AnyGame, String> {
        (self.parse)(parameters)
    }
}

impl fmt::Debug for GameEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameEntry({})", self.default_spec())
    }
}

/// A name, and parameters where there are any.
pub(crate) fn spec(name: &str, parameters: &str) -> String {
    match parameters {
        "" => name.to_owned(),
        _ => format!("{name}:{parameters}"),
    }
}

/// A set of games, of which a process has one: every command, policy and run finds its game in it.
///
/// ```
/// use tablero_env::{AnyGame, Games, games};
/// Games::builtin().install();
/// assert_eq!(games().len(), 5);
/// assert!(AnyGame::parse("queens:6").is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Games {
    entries: Vec<GameEntry>,
}

/// The games of the process; none yet are the built-in ones.
static INSTALLED: RwLock<Option<&'static Games>> = RwLock::new(None);

/// The games that this process knows, in their order.
#[must_use]
pub fn games() -> &'static [GameEntry] {
    let installed = *INSTALLED.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(games) = installed {
        return &games.entries;
    }
    let mut installed = INSTALLED.write().unwrap_or_else(PoisonError::into_inner);
    // Unless somebody was faster.
    let games = installed.get_or_insert_with(|| Box::leak(Box::new(Games::builtin())));
    &games.entries
}

impl Games {
    /// Adds a game of somebody else; `rules` are its default configuration.
    ///
    /// # Panics
    /// If there is a game of this name, the name is not of lower-case letters, digits and `-`, or a
    /// [pattern](Rules::patterns) is wrong.
    #[must_use]
    pub fn with<R: Rules>(self, rules: R) -> Games {
        let name = rules.name();
        let is_new = self.entries.iter().all(|entry| entry.name != name);
        assert!(is_new, "there are two games of the name {name:?}");
        match self.replacing(rules) {
            Ok(games) => games,
            Err(problem) => panic!("{problem}"),
        }
    }

    /// Adds a game of somebody else, in the place of one of that name that is none of Tablero's.
    ///
    /// # Errors
    /// If Tablero has a game of this name, the name is not of lower-case letters, digits and `-`, or a
    /// [pattern](Rules::patterns) is wrong.
    pub fn replacing<R: Rules>(mut self, rules: R) -> Result<Games, String> {
        let name = rules.name();
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(format!(
                "the name of a game is of lower-case letters, digits and '-', got {name:?}"
            ));
        }
        if Games::builtin()
            .entries
            .iter()
            .any(|entry| entry.name == name)
        {
            return Err(format!("Tablero has a game of the name {name:?}"));
        }
        OtherGame::try_new(rules.clone())?;
        self.entries.retain(|entry| entry.name != name);
        self.entries.push(GameEntry {
            name,
            summary: rules.summary(),
            parameters: rules.parameters_form(),
            default_parameters: rules.parameters(),
            rules: rules.rules_text(),
            parse: parser(move |text| rules.with_parameters(text).and_then(OtherGame::try_new)),
        });
        Ok(self)
    }

    /// The games that this process knows now.
    #[must_use]
    pub fn installed() -> Games {
        Games {
            entries: games().to_vec(),
        }
    }

    /// Makes these the games of the process, instead of those before; games that are in use stay
    /// as they are. What is installed stays in memory for good, so install once.
    pub fn install(self) {
        let games = Box::leak(Box::new(self));
        *INSTALLED.write().unwrap_or_else(PoisonError::into_inner) = Some(games);
    }

    /// The five games that come with Tablero.
    #[must_use]
    pub fn builtin() -> Games {
        let entries = vec![
            GameEntry {
                name: "dots-and-boxes",
                summary: "Draw edges, take boxes, move again after a capture",
                parameters: "ROWSxCOLS boxes, each 1 to 10",
                default_parameters: "5x5".to_owned(),
                rules: include_str!("../rules/dots-and-boxes.txt"),
                parse: parser(DotsAndBoxes::parse_parameters),
            },
            GameEntry {
                name: "queens",
                summary: "Place queens that attack no other; whoever cannot has lost",
                parameters: "N[,full_board=white|black|draw], N even, 2 to 16",
                default_parameters: "8".to_owned(),
                rules: include_str!("../rules/queens.txt"),
                parse: parser(Queens::parse_parameters),
            },
            GameEntry {
                name: "paper-soccer",
                summary: "Draw the ball's path to the goal, bounce off lines and walls",
                parameters: "WIDTHxHEIGHT squares, both even, 2 to 16",
                default_parameters: "8x10".to_owned(),
                rules: include_str!("../rules/paper-soccer.txt"),
                parse: parser(PaperSoccer::parse_parameters),
            },
            GameEntry {
                name: "xadrersi",
                summary: "Place chess pieces in turn; empty squares attacked are points",
                parameters: "none",
                default_parameters: String::new(),
                rules: include_str!("../rules/xadrersi.txt"),
                parse: parser(Xadrersi::parse_parameters),
            },
            GameEntry {
                name: "hive",
                summary: "Surround the enemy queen with bugs on a board without edges",
                parameters: "base[+m][l][p][,opening=tournament|free]",
                default_parameters: "base+mlp".to_owned(),
                rules: include_str!("../rules/hive.txt"),
                parse: parser(Hive::parse_parameters),
            },
        ];
        Games { entries }
    }
}

fn parser<G: Into<AnyGame> + 'static, E: ToString + 'static>(
    read: impl Fn(&str) -> Result<G, E> + Send + Sync + 'static,
) -> Parse {
    Arc::new(move |text| read(text).map(G::into).map_err(|error| error.to_string()))
}

/// Refuses parameters of a game that has none.
pub(crate) fn no_parameters(text: &str) -> Result<(), String> {
    match text {
        "" => Ok(()),
        _ => Err(format!("the game has no parameters, got {text:?}")),
    }
}

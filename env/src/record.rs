//! A game as text: one line of headers, the moves, the result.
//!
//! ```text
//! [Game "dots-and-boxes:1x1"] [First "human"] [Second "zoo"]
//! 1-1-h; 1-1-v; 2-1-h; 1-2-v
//! 0-1
//! ```
//! Headers and results are those of chess's PGN; moves are in the notation of the game, as
//! [`Notation::split_actions`](crate::Notation::split_actions) reads them: separated by `;`, with notes in braces. `From` holds the
//! state that the game began with, if that is not the game's own. The result is `1-0`, `0-1`, `1/2-1/2`
//! or, of an unfinished game, `*`. A game that a player resigned has a result without an end.

use crate::{ActionId, AnyGame, BoardGame, NotationError, Outcome, Player, SpecError};
use std::fmt;

/// Moves stand in lines of about this many letters.
const WIDTH: usize = 100;

/// What came of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This player won, by the rules or since the other one resigned.
    Won(Player),
    /// Nobody won.
    Draw,
    /// It is not finished.
    Open,
}

impl Ending {
    const ALL: [Ending; 4] = [
        Ending::Won(Player::First),
        Ending::Won(Player::Second),
        Ending::Draw,
        Ending::Open,
    ];

    /// As it is written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Ending::Won(Player::First) => "1-0",
            Ending::Won(Player::Second) => "0-1",
            Ending::Draw => "1/2-1/2",
            Ending::Open => "*",
        }
    }
}

impl From<Option<Outcome>> for Ending {
    fn from(outcome: Option<Outcome>) -> Ending {
        match outcome.map(|outcome| outcome.winner) {
            Some(Some(winner)) => Ending::Won(winner),
            Some(None) => Ending::Draw,
            None => Ending::Open,
        }
    }
}

/// A name and a value.
type Header = (String, String);

/// A recorded game, not yet looked at by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Names and values in their order. `Game` is always there.
    headers: Vec<Header>,
    /// The moves, as [`Notation::split_actions`](crate::Notation::split_actions) reads them.
    moves: String,
    /// What the record says that came of it.
    ending: Ending,
}

/// A recorded game that the rules allow.
#[derive(Clone, Debug)]
pub struct Replayed<S> {
    /// Where it began.
    pub start: S,
    /// What was played.
    pub actions: Vec<ActionId>,
    /// Where it led.
    pub end: S,
}

impl<S: Clone> Replayed<S> {
    /// Nothing was played yet.
    #[must_use]
    pub fn new(start: S) -> Replayed<S> {
        Replayed {
            end: start.clone(),
            start,
            actions: Vec::new(),
        }
    }
}

/// Text that is no recorded game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The first line is not one of headers.
    #[error("not a recorded game: expected headers such as [Game \"queens:8\"] first, got {got:?}")]
    Headers {
        /// The text where a header was expected.
        got: String,
    },
    /// There is no header `Game`.
    #[error("the recorded game does not name its game: expected a header [Game \"…\"]")]
    NoGame,
    /// The game is not known.
    #[error(transparent)]
    Game(#[from] SpecError),
    /// The record is of another game.
    #[error("the recorded game is a game of {got}, expected {expected}")]
    OtherGame {
        /// The game asked for.
        expected: String,
        /// The game in the record.
        got: String,
    },
    /// The state that it begins with cannot be read.
    #[error("the recorded game's From: {0}")]
    From(NotationError),
    /// A move that cannot be read.
    #[error("move {ply} of the recorded game: {reason}")]
    Move {
        /// Which move, from 1.
        ply: usize,
        /// What is wrong with it.
        reason: NotationError,
    },
    /// A move that the rules refuse.
    #[error("move {ply} of the recorded game, {text}, is illegal: {reason}")]
    Illegal {
        /// Which move, from 1.
        ply: usize,
        /// The move.
        text: String,
        /// The rule that it breaks.
        reason: String,
    },
    /// The rules say something else of the end.
    #[error("the result of the recorded game is {got}, but by the rules it is {expected}")]
    Ending {
        /// The result by the rules.
        expected: &'static str,
        /// The result in the record.
        got: &'static str,
    },
}

impl Record {
    /// The record of a game from `start` on. The result is that of the rules, or the other
    /// player's win if the game is not over and one has resigned.
    ///
    /// # Panics
    /// If an action is illegal.
    #[must_use]
    pub fn new<G: BoardGame>(
        game: &G,
        start: &G::State,
        actions: &[ActionId],
        resigned: Option<Player>,
    ) -> Record {
        let mut state = start.clone();
        let mut texts = Vec::with_capacity(actions.len());
        for &action in actions {
            texts.push(game.action_text(&state, action));
            game.play(&mut state, action)
                .expect("a record is of legal moves");
        }
        let mut record = Record {
            headers: vec![("Game".to_owned(), game.spec())],
            moves: wrapped(&texts),
            ending: match (game.outcome(&state), resigned) {
                (None, Some(player)) => Ending::Won(player.opponent()),
                (outcome, _) => outcome.into(),
            },
        };
        if *start != game.initial() {
            record = record.with("From", &game.state_text(start));
        }
        record
    }

    /// With one header more.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Record {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Reads a record.
    ///
    /// # Errors
    /// If it does not begin with headers, or has no header `Game`.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        let (headers, rest) = parse_headers(text)?;
        let rest = rest.trim();
        let last = rest.rsplit(['\n', ';']).next().unwrap_or_default().trim();
        let ending = Ending::ALL.into_iter().find(|ending| ending.text() == last);
        let without = ending.and_then(|ending| rest.strip_suffix(ending.text()));
        let moves = without.unwrap_or(rest).trim();
        let record = Record {
            headers,
            moves: moves.trim_end_matches(';').to_owned(),
            ending: ending.unwrap_or(Ending::Open),
        };
        match record.header("Game") {
            Some(_) => Ok(record),
            None => Err(RecordError::NoGame),
        }
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }

    /// What came of it.
    #[must_use]
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// The game that it is of.
    ///
    /// # Errors
    /// If the game is not known.
    pub fn game(&self) -> Result<AnyGame, SpecError> {
        AnyGame::parse(self.header("Game").unwrap_or_default())
    }

    /// Plays it by the rules.
    ///
    /// # Errors
    /// If it is of another game, cannot be read, breaks a rule, or claims another end than the rules.
    pub fn replay<G: BoardGame>(&self, game: &G) -> Result<Replayed<G::State>, RecordError> {
        self.follow(game, |_, _, _| ())
    }

    /// The same. `each` is called after each move, with the position before it.
    ///
    /// # Errors
    /// As [`replay`](Self::replay); the moves before the one that is wrong were told by then.
    pub fn follow<G: BoardGame>(
        &self,
        game: &G,
        mut each: impl FnMut(&G::State, ActionId, &G::Played),
    ) -> Result<Replayed<G::State>, RecordError> {
        let got = self.game()?.spec();
        if got != game.spec() {
            let expected = game.spec();
            return Err(RecordError::OtherGame { expected, got });
        }
        let start = match self.header("From") {
            Some(text) => game.parse_state(text).map_err(RecordError::From)?,
            None => game.initial(),
        };
        let mut all = Replayed::new(start);
        let texts = game.split_actions(&all.start, &self.moves);
        for (index, text) in texts.iter().enumerate() {
            let ply = index + 1;
            let read = game.parse_id_or_action(&all.end, text);
            let action = read.map_err(|reason| RecordError::Move { ply, reason })?;
            let before = all.end.clone();
            match game.play(&mut all.end, action) {
                Ok(played) => each(&before, action, &played),
                Err(reason) => {
                    let (text, reason) = ((*text).to_owned(), reason.to_string());
                    return Err(RecordError::Illegal { ply, text, reason });
                }
            }
            all.actions.push(action);
        }
        let by_rules = Ending::from(game.outcome(&all.end));
        let are_told = by_rules != Ending::Open && self.ending != Ending::Open;
        if are_told && by_rules != self.ending {
            let (expected, got) = (by_rules.text(), self.ending.text());
            return Err(RecordError::Ending { expected, got });
        }
        Ok(all)
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers = self.headers.iter().map(|(name, value)| {
            let value = value.replace('\\', r"\\").replace('"', "\\\"");
            format!("[{name} \"{}\"]", value.replace(char::is_control, " "))
        });
        writeln!(f, "{}", headers.collect::<Vec<_>>().join(" "))?;
        if !self.moves.is_empty() {
            writeln!(f, "{}", self.moves)?;
        }
        writeln!(f, "{}", self.ending.text())
    }
}

/// Moves with `;` between them, in lines.
fn wrapped(texts: &[String]) -> String {
    let mut all = String::new();
    let mut length = 0;
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            all.push(';');
            let is_full = length + text.len() + 2 > WIDTH;
            all.push(if is_full { '\n' } else { ' ' });
            length = if is_full { 0 } else { length + 2 };
        }
        all.push_str(text);
        length += text.len();
    }
    all
}

/// Names and values, and what follows them.
fn parse_headers(text: &str) -> Result<(Vec<Header>, &str), RecordError> {
    let mut headers = Vec::new();
    let mut rest = text.trim_start();
    while let Some(inner) = rest.strip_prefix('[') {
        let parsed = parse_header(inner);
        let Some((name, value, after)) = parsed else {
            break;
        };
        headers.push((name, value));
        rest = after.trim_start();
    }
    if headers.is_empty() || rest.starts_with('[') {
        let got = rest.chars().take(40).collect();
        return Err(RecordError::Headers { got });
    }
    Ok((headers, rest))
}

/// `Name "value"]`, and what follows it.
fn parse_header(text: &str) -> Option<(String, String, &str)> {
    let (name, rest) = text.split_once('"')?;
    let mut value = String::new();
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.push(letters.next()?.1),
            '"' => {
                let after = rest[at + 1..].trim_start().strip_prefix(']')?;
                return Some((name.trim().to_owned(), value, after));
            }
            _ => value.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, with_game};

    fn round_trip<G: BoardGame>(game: &G) {
        let mut rng = crate::random::stream(1, "record", 0);
        let mut buffer = Vec::new();
        for _ in 0..20 {
            let mut state = game.initial();
            let mut actions = Vec::new();
            while !game.is_over(&state) && actions.len() < 60 {
                let action = game.sample_action(&state, &mut buffer, &mut rng);
                game.play(&mut state, action).unwrap();
                actions.push(action);
            }
            let (start, played) = (game.initial(), actions.as_slice());
            let record = Record::new(game, &start, played, None).with("First", "a \"b\" \\ c");
            let text = record.to_string();
            let read = Record::parse(&text).unwrap();
            assert_eq!(read, record, "{text}");
            assert_eq!(read.header("First"), Some("a \"b\" \\ c"));
            let replayed = read.replay(game).unwrap();
            assert_eq!(replayed.actions, actions);
            assert_eq!(replayed.end, state);
        }
    }

    #[test]
    fn records_are_read_back_in_every_game() {
        for spec in [
            "dots-and-boxes:2x2",
            "queens:6",
            "paper-soccer:4x4",
            "xadrersi",
            "hive:base",
        ] {
            with_game!(&AnyGame::parse(spec).unwrap(), game => round_trip(game));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| {
            let parsed = Record::parse(text).and_then(
                |record| with_game!(&record.game()?, game => record.replay(game).map(drop)),
            );
            parsed.unwrap_err().to_string()
        };
        assert!(error("1-1-h; 1-1-v").starts_with("not a recorded game"));
        assert!(error("[First \"x\"]\n*").contains("[Game"));
        assert!(error("[Game \"chess\"] [First \"unended").contains("expected headers"));
        assert!(error("[Game \"chess\"]\n*").contains("unknown game"));
        let dots = "[Game \"dots-and-boxes:1x1\"]";
        assert!(
            error(&format!("{dots}\n1-1-h; nonsense")).starts_with("move 2 of the recorded game")
        );
        let twice = error(&format!("{dots}\n1-1-h; 1-1-h"));
        assert!(
            twice.starts_with("move 2 of the recorded game, 1-1-h, is illegal"),
            "{twice}"
        );
        let end = "1-1-h; 1-1-v; 2-1-h; 1-2-v";
        let wrong = error(&format!("{dots}\n{end}\n1-0"));
        assert!(
            wrong.contains("game is 1-0") && wrong.contains("rules it is 0-1"),
            "{wrong}"
        );
    }

    #[test]
    fn a_resigned_game_and_another_beginning_are_kept() {
        let any = AnyGame::parse("dots-and-boxes:1x1").unwrap();
        with_game!(&any, game => {
            let mut start = game.initial();
            game.play(&mut start, ActionId(0)).unwrap();
            let text = Record::new(game, &start, &[], Some(Player::First)).to_string();
            assert!(text.ends_with("\n0-1\n"), "{text}");
            let replayed = Record::parse(&text).unwrap().replay(game).unwrap();
            assert!(replayed.start == start && replayed.end == start);
        });
    }
}

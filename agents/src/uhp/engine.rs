//! The side that answers.

use super::options::{EngineOption, unknown};
use super::time;
use crate::lines::{LONGEST_LINE, Line, read_line};
use std::io::{self, BufRead, Write};
use std::time::Duration;
use tablero_env::hive::{Hive, Opening, State};
use tablero_env::{ActionId, Game, Notation};
use tablero_minimax::Limits;

/// Who finds the move that `bestmove` asks for.
pub trait Thinker {
    /// A legal action of an unfinished position, found within the limits.
    ///
    /// # Errors
    /// Why there is none: what the engine then answers.
    fn best_action(
        &mut self,
        game: &Hive,
        state: &State,
        limits: &Limits,
    ) -> Result<ActionId, String>;

    /// What can be set about it. Nothing by default.
    fn options(&self) -> Vec<EngineOption> {
        Vec::new()
    }

    /// Sets one of its [options](Thinker::options), which is named as it is listed.
    ///
    /// # Errors
    /// What was expected instead.
    fn set(&mut self, _name: &str, _value: &str) -> Result<(), String> {
        Ok(())
    }
}

/// An engine of the Universal Hive Protocol. It answers a line at a time, panics on none, and
/// looks at no clock but the thinker's.
///
/// ```
/// use tablero_env::hive::{Hive, Opening, State};
/// use tablero_env::{ActionId, Game};
/// use tablero_agents::uhp::{Engine, Thinker};
/// use tablero_minimax::Limits;
///
/// struct First;
/// impl Thinker for First {
///     fn best_action(
///         &mut self,
///         game: &Hive,
///         state: &State,
///         _: &Limits,
///     ) -> Result<ActionId, String> {
///         let mut legal = Vec::new();
///         game.legal_actions(state, &mut legal);
///         Ok(legal[0])
///     }
/// }
///
/// let mut engine = Engine::new(First);
/// assert_eq!(engine.handle("newgame"), "Base;NotStarted;White[1]\nok\n");
/// assert_eq!(engine.handle("play wS1"), "Base;InProgress;Black[1];wS1\nok\n");
/// assert_eq!(engine.handle("bestmove depth 1"), "bS1 wS1-\nok\n");
/// ```
#[derive(Clone, Debug)]
pub struct Engine<T> {
    thinker: T,
    /// Whether games begin by the tournament rule.
    opening: Opening,
    current: Option<Current>,
    has_exited: bool,
}

/// The game being played.
#[derive(Clone, Debug)]
struct Current {
    game: Hive,
    state: State,
}

/// Why a command is refused.
enum Refusal {
    /// The line begins with `invalidmove`.
    Move(String),
    /// The line begins with `err`.
    Other(String),
}

fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Other(why.into()))
}

impl<T: Thinker> Engine<T> {
    /// An engine without a game.
    pub fn new(thinker: T) -> Self {
        Engine {
            thinker,
            opening: Opening::Tournament,
            current: None,
            has_exited: false,
        }
    }

    /// Whether `exit` has been asked for.
    #[must_use]
    pub fn has_exited(&self) -> bool {
        self.has_exited
    }

    /// What an engine says unasked when it starts: the answer to `info`.
    #[must_use]
    pub fn greeting(&self) -> String {
        format!("{}\nok\n", info())
    }

    /// The answer to a line: whole lines, the last of which is `ok`. Blank lines and `exit` have
    /// no answer.
    pub fn handle(&mut self, line: &str) -> String {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let answer = match command.to_ascii_lowercase().as_str() {
            "" => return String::new(),
            "exit" => {
                self.has_exited = true;
                return String::new();
            }
            "info" => Ok(info()),
            "newgame" => self.new_game(rest),
            "play" => self.play(rest),
            "pass" => self.play("pass"),
            "validmoves" => self.valid_moves(),
            "bestmove" => self.best_move(rest),
            "undo" => self.undo(rest),
            "options" => self.options(rest),
            _ => refuse(format!(
                "unknown command {command:?}: expected info, newgame, play, pass, validmoves, \
                 bestmove, undo, options or exit"
            )),
        };
        match answer {
            Ok(text) => format!("{text}\nok\n"),
            Err(Refusal::Move(why)) => format!("invalidmove {why}\nok\n"),
            Err(Refusal::Other(why)) => format!("err {why}\nok\n"),
        }
    }

    fn current(&self) -> Result<&Current, Refusal> {
        match &self.current {
            Some(current) => Ok(current),
            None => refuse("no game: begin with newgame"),
        }
    }

    fn unfinished(&self) -> Result<&Current, Refusal> {
        let current = self.current()?;
        if current.game.is_over(&current.state) {
            return refuse("the game is over");
        }
        Ok(current)
    }

    fn new_game(&mut self, text: &str) -> Result<String, Refusal> {
        let text = if text.is_empty() { "Base" } else { text };
        let game_type = text.split(';').next().unwrap_or_default();
        let read = Hive::parse_game_type(game_type.trim()).and_then(|game| {
            let game = Hive {
                opening: self.opening,
                ..game
            };
            let state = game.parse_state(text)?;
            Ok(Current { game, state })
        });
        match read {
            Ok(current) => {
                self.current = Some(current);
                self.game_string()
            }
            Err(error) => refuse(error.to_string()),
        }
    }

    fn game_string(&self) -> Result<String, Refusal> {
        self.current()
            .map(|Current { game, state }| game.state_text(state))
    }

    fn play(&mut self, text: &str) -> Result<String, Refusal> {
        self.current()?;
        if let Some(Current { game, state }) = &mut self.current {
            let action = game
                .parse_action(state, text)
                .map_err(|error| Refusal::Move(error.to_string()))?;
            game.play(state, action)
                .map_err(|illegal| Refusal::Move(illegal.to_string()))?;
        }
        self.game_string()
    }

    fn valid_moves(&self) -> Result<String, Refusal> {
        let Current { game, state } = self.unfinished()?;
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        let texts: Vec<String> = legal
            .into_iter()
            .map(|action| game.action_text(state, action))
            .collect();
        Ok(texts.join(";"))
    }

    fn best_move(&mut self, text: &str) -> Result<String, Refusal> {
        self.unfinished()?;
        let mut words = text.split_whitespace();
        let limits = match (words.next(), words.next(), words.next()) {
            (Some(kind), Some(value), None) if kind.eq_ignore_ascii_case("time") => {
                time::parse(value).map(|time| Limits::time(time.saturating_sub(margin(time))))
            }
            (Some(kind), Some(value), None) if kind.eq_ignore_ascii_case("depth") => {
                value.parse().ok().map(Limits::depth)
            }
            _ => None,
        };
        let Some(limits) = limits else {
            return refuse(format!(
                "expected bestmove time HH:MM:SS or bestmove depth PLIES, got {text:?}"
            ));
        };
        let Some(Current { game, state }) = &self.current else {
            return self.game_string();
        };
        match self.thinker.best_action(game, state, &limits) {
            Ok(action) => Ok(game.action_text(state, action)),
            Err(why) => refuse(why),
        }
    }

    fn undo(&mut self, text: &str) -> Result<String, Refusal> {
        let n_plies = self.current()?.state.n_plies();
        let n = if text.is_empty() {
            Some(1)
        } else {
            text.parse::<usize>().ok()
        };
        let Some(n) = n.filter(|n| (1..=n_plies).contains(n)) else {
            return refuse(format!(
                "expected the number of moves to undo, 1 to {n_plies}, got {text:?}"
            ));
        };
        if let Some(Current { game, state }) = &mut self.current {
            let mut earlier = game.initial();
            for action in state.moves().take(n_plies - n) {
                game.play_unchecked(&mut earlier, action);
            }
            *state = earlier;
        }
        self.game_string()
    }

    /// Every option, the engine's own first.
    fn all_options(&self) -> Vec<EngineOption> {
        let openings = [Opening::Tournament, Opening::Free].map(|it| format!("{it:?}"));
        let default = openings[0].clone();
        let value = format!("{:?}", self.opening);
        let mut options = vec![EngineOption::choice(OPENING, value, default, &openings)];
        options.extend(self.thinker.options());
        options
    }

    fn option(&self, name: &str) -> Result<EngineOption, Refusal> {
        let options = self.all_options();
        let names: Vec<&str> = options.iter().map(|option| option.name).collect();
        match options.iter().find(|it| it.name.eq_ignore_ascii_case(name)) {
            Some(option) => Ok(option.clone()),
            None => refuse(unknown(name, &names)),
        }
    }

    fn options(&mut self, text: &str) -> Result<String, Refusal> {
        let words: Vec<&str> = text.splitn(3, char::is_whitespace).map(str::trim).collect();
        match words.as_slice() {
            [""] => {
                let lines = self.all_options().into_iter();
                let lines: Vec<String> = lines.map(|option| option.to_string()).collect();
                Ok(lines.join("\n"))
            }
            [get, name] if get.eq_ignore_ascii_case("get") => {
                self.option(name).map(|option| option.to_string())
            }
            [set, name, value] if set.eq_ignore_ascii_case("set") => {
                let option = self.option(name)?;
                let value = option.check(value).map_err(Refusal::Other)?;
                match option.name {
                    OPENING if value == "Free" => self.opening = Opening::Free,
                    OPENING => self.opening = Opening::Tournament,
                    name => self.thinker.set(name, &value).map_err(Refusal::Other)?,
                }
                self.option(name).map(|option| option.to_string())
            }
            _ => refuse(format!(
                "expected options, options get NAME or options set NAME VALUE, got {text:?}"
            )),
        }
    }
}

const OPENING: &str = "Opening";

fn info() -> String {
    format!(
        "id Tablero v{}\nMosquito;Ladybug;Pillbug",
        env!("CARGO_PKG_VERSION")
    )
}

/// What is kept back of the time to think, so that the answer arrives in time.
fn margin(time: Duration) -> Duration {
    (time / 20).min(Duration::from_millis(50))
}

/// Answers the lines of `input` until it ends or says `exit`.
///
/// # Errors
/// If reading or writing fails.
pub fn serve<T: Thinker>(
    engine: &mut Engine<T>,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    output.write_all(engine.greeting().as_bytes())?;
    output.flush()?;
    let mut line = Vec::new();
    while !engine.has_exited() {
        let answer = match read_line(&mut input, &mut line)? {
            Line::Whole => engine.handle(&String::from_utf8_lossy(&line)),
            Line::TooLong => format!("err a line has at most {LONGEST_LINE} bytes\nok\n"),
            Line::End => break,
        };
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

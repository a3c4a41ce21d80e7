//! The side that asks: another program's engine, driven through its standard input and output.

use super::command_line;
use super::process::{Process, Stop};
use super::time;
use std::io;
use std::time::{Duration, Instant};
use tablero_env::hive::{Action, Hive, Illegal, State};
use tablero_env::{ActionId, Game, Notation, NotationError, Player};
use tablero_minimax::Limits;

/// Lines of an answer. The longest one lists options or better and better moves.
const MOST_LINES: usize = 4096;

/// Bytes of an answer.
const MOST_BYTES: usize = 1 << 20;

/// How long an engine may take to introduce itself: it may have tables to load.
const START_TIME: Duration = Duration::from_secs(60);

/// An external engine, kept at the position last asked about. Dropping it ends the process, and all
/// that it has started.
#[derive(Debug)]
pub struct Client {
    process: Process,
    patience: Duration,
    id: String,
    /// The game that the engine has been given, and the moves it knows.
    position: Option<(Hive, Vec<ActionId>)>,
}

/// What went wrong between us and an engine.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The command has no program, or a quote that is not closed.
    #[error("expected the command of an engine, got {got:?}")]
    Command {
        /// The text given.
        got: String,
    },
    /// The process could not be started.
    #[error("cannot start {program:?}: {error}")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        error: io::Error,
    },
    /// The process has ended, or closed its input or output.
    #[error("the engine exited instead of answering {command:?}; its last error output: {said:?}")]
    Ended {
        /// The line sent; empty while the engine started.
        command: String,
        /// The last lines of its standard error.
        said: String,
    },
    /// No whole answer in time. The engine has been killed.
    #[error("no answer to {command:?} within {} s", .waited.as_secs_f32())]
    Silent {
        /// The line sent; empty while the engine started.
        command: String,
        /// How long the answer was waited for.
        waited: Duration,
    },
    /// Lines without end, or one that is too long. The engine has been killed.
    #[error("the engine's answer to {command:?} is too long")]
    Flooded {
        /// The line sent; empty while the engine started.
        command: String,
    },
    /// An answer that is an error, or not of the form that the protocol prescribes.
    #[error("the engine answered {command:?} with {answer:?}")]
    Refused {
        /// The line sent.
        command: String,
        /// The lines received, without the last `ok`.
        answer: String,
    },
    /// The engine's move cannot be read.
    #[error("the engine's move is {error}")]
    NotAMove {
        /// What is wrong with it.
        error: NotationError,
    },
    /// The engine's move is against the rules.
    #[error("the engine's move {text:?} is illegal: {error}")]
    Illegal {
        /// The move.
        text: String,
        /// Why it is refused.
        error: Illegal,
    },
    /// The engine says that the game is over where it is not, or the other way round.
    #[error(
        "after {command:?} the game is {expected:?} by the rules, but {got:?} according to the engine"
    )]
    OtherEnding {
        /// The line sent.
        command: String,
        /// How the game stands by our rules, in the words of the protocol.
        expected: &'static str,
        /// How it stands by the engine's.
        got: String,
    },
}

/// What an engine did that ends its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ended, or flooded its output.
    Crash,
    /// It did not answer in time.
    TimeOut,
    /// It played a move that is none, or illegal.
    IllegalMove,
    /// It refused a legal move, or to move.
    Refusal,
    /// It has another opinion on whether the game is over, and how.
    OtherEnding,
}

impl ClientError {
    /// What the engine did; `None` if it could not even be started.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        match self {
            ClientError::Command { .. } | ClientError::Start { .. } => None,
            ClientError::Ended { .. } | ClientError::Flooded { .. } => Some(Fault::Crash),
            ClientError::Silent { .. } => Some(Fault::TimeOut),
            ClientError::NotAMove { .. } | ClientError::Illegal { .. } => Some(Fault::IllegalMove),
            ClientError::Refused { .. } => Some(Fault::Refusal),
            ClientError::OtherEnding { .. } => Some(Fault::OtherEnding),
        }
    }
}

impl Client {
    /// Starts an engine: a program and its arguments, separated by spaces; double quotes keep
    /// words together. `patience` is how long an answer is waited for, beyond the time that a
    /// search is given; the introduction may take a minute if that is longer.
    ///
    /// # Errors
    /// If the process does not start or does not introduce itself.
    pub fn start(command: &str, patience: Duration) -> Result<Client, ClientError> {
        Self::start_within(command, patience, patience.max(START_TIME))
    }

    /// The same with a time for the introduction.
    ///
    /// # Errors
    /// As [`start`](Client::start).
    pub fn start_within(
        command: &str,
        patience: Duration,
        start_time: Duration,
    ) -> Result<Client, ClientError> {
        let words = command_line::split(command).unwrap_or_default();
        let Some((program, arguments)) = words.split_first() else {
            return Err(ClientError::Command {
                got: command.to_owned(),
            });
        };
        let process = Process::start(program, arguments).map_err(|error| ClientError::Start {
            program: program.clone(),
            error,
        })?;
        let mut client = Client {
            process,
            patience,
            id: String::new(),
            position: None,
        };
        // An engine introduces itself unasked, as if asked for `info`.
        let introduction = client.answer("", start_time, Instant::now())?;
        client.id = introduction
            .iter()
            .find_map(|line| line.strip_prefix("id "))
            .unwrap_or("unknown engine")
            .to_owned();
        Ok(client)
    }

    /// The name that the engine gives itself.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Asks for the best move of an unfinished position, which is legal if returned. The
    /// protocol knows a limit in time or in depth: the time if there is one, rounded up to whole
    /// seconds; else the depth; with neither, the default of [`Limits`]. All of the answer arrives
    /// within that time and `patience`, whatever the engine writes, or the engine is killed.
    ///
    /// # Errors
    /// If the engine ends, does not answer, refuses, or answers no legal move. The next call
    /// begins a new game, if the engine still runs.
    pub fn best_action(
        &mut self,
        game: &Hive,
        state: &State,
        limits: &Limits,
    ) -> Result<ActionId, ClientError> {
        let position = self.position.take();
        self.set_position(game, state, position)?;
        let (command, patience) = match (limits.time, limits.depth) {
            (Some(time), _) => {
                let whole = Duration::from_secs(time.as_secs().saturating_add(1));
                let command = format!("bestmove time {}", time::format(time));
                (command, self.patience.saturating_add(whole))
            }
            (None, depth) => {
                let depth = depth.or(Limits::default().depth).unwrap_or(1);
                (format!("bestmove depth {depth}"), self.patience)
            }
        };
        let answer = self.ask(&command, patience)?;
        // While it thinks, an engine may write better and better moves, with remarks after a `;`.
        let last = answer.last().map(String::as_str).unwrap_or_default();
        let text = last.split(';').next().unwrap_or_default();
        let action = game
            .parse_action(state, text)
            .map_err(|error| ClientError::NotAMove { error })?;
        game.legality(state, action)
            .map_err(|error| ClientError::Illegal {
                text: text.to_owned(),
                error,
            })?;
        self.position = Some((*game, state.moves().collect()));
        Ok(action)
    }

    /// Tells the engine how a game went on to its end, and hears whether it agrees that this is the
    /// end, if its answers say how the game stands.
    ///
    /// # Errors
    /// As [`best_action`](Client::best_action).
    pub fn finish(&mut self, game: &Hive, state: &State) -> Result<(), ClientError> {
        let position = self.position.take();
        self.set_position(game, state, position)
    }

    /// Brings the engine from the position it is in to the one of `state`: by the moves that it
    /// lacks, or by a new game.
    fn set_position(
        &mut self,
        game: &Hive,
        state: &State,
        known: Option<(Hive, Vec<ActionId>)>,
    ) -> Result<(), ClientError> {
        let moves: Vec<ActionId> = state.moves().collect();
        let n_known = match known {
            Some((of, known)) if of == *game && moves.starts_with(&known) => known.len(),
            _ => {
                let command = format!("newgame {}", game.state_text(state));
                match self.ask(&command, self.patience) {
                    Ok(answer) => return agrees(game, state, command, &answer),
                    // Not every engine reads whole games.
                    Err(ClientError::Refused { .. }) => {
                        let command = format!("newgame {}", game.game_type());
                        let answer = self.ask(&command, self.patience)?;
                        agrees(game, &game.initial(), command, &answer)?;
                        0
                    }
                    Err(other) => return Err(other),
                }
            }
        };
        let mut played = game.initial();
        for (ply, &action) in moves.iter().enumerate() {
            let command = if action == Action::Pass.id() {
                "pass".to_owned()
            } else {
                format!("play {}", game.action_text(&played, action))
            };
            game.play_unchecked(&mut played, action);
            if ply >= n_known {
                let answer = self.ask(&command, self.patience)?;
                agrees(game, &played, command, &answer)?;
            }
        }
        Ok(())
    }

    /// Sends a line and waits for an answer that is no error.
    fn ask(&mut self, command: &str, patience: Duration) -> Result<Vec<String>, ClientError> {
        let start = Instant::now();
        let written = self.process.write(command, later(start, patience));
        written.map_err(|stop| self.stopped(stop, command, patience))?;
        let answer = self.answer(command, patience, start)?;
        let refused = answer.is_empty()
            || answer
                .iter()
                .any(|line| line.starts_with("err") || line.starts_with("invalidmove"));
        if refused {
            return Err(ClientError::Refused {
                command: command.to_owned(),
                answer: answer.join("\n"),
            });
        }
        Ok(answer)
    }

    /// The lines up to `ok`, which all arrive within `patience` of `start`.
    fn answer(
        &mut self,
        command: &str,
        patience: Duration,
        start: Instant,
    ) -> Result<Vec<String>, ClientError> {
        let deadline = later(start, patience);
        let mut answer = Vec::new();
        let mut n_bytes = 0;
        loop {
            let read = self.process.read(deadline);
            let line = read.map_err(|stop| self.stopped(stop, command, patience))?;
            if line == "ok" {
                return Ok(answer);
            }
            n_bytes += line.len();
            if answer.len() == MOST_LINES || n_bytes > MOST_BYTES {
                return Err(self.stopped(Stop::TooLong, command, patience));
            }
            answer.push(line);
        }
    }

    /// The error of an engine that does not answer. It is killed: a late answer would be taken for
    /// that of the next command.
    fn stopped(&mut self, stop: Stop, command: &str, waited: Duration) -> ClientError {
        let command = command.to_owned();
        if stop != Stop::Ended {
            self.process.kill();
        }
        match stop {
            Stop::Late => ClientError::Silent { command, waited },
            Stop::TooLong => ClientError::Flooded { command },
            Stop::Ended => ClientError::Ended {
                command,
                said: self.process.last_errors(),
            },
        }
    }
}

/// A time far away if the clock does not reach so far.
fn later(start: Instant, time: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    start + time.min(YEAR)
}

/// Compares an answer's state of the game with ours. The state is the second part of a game as text;
/// other answers have none.
fn agrees(
    game: &Hive,
    state: &State,
    command: String,
    answer: &[String],
) -> Result<(), ClientError> {
    const DRAW: &str = "Draw";
    const WINS: [&str; 2] = ["WhiteWins", "BlackWins"];
    const GOES_ON: [&str; 2] = ["InProgress", "NotStarted"];
    let expected = match game.outcome(state).map(|outcome| outcome.winner) {
        None => GOES_ON[0],
        Some(None) => DRAW,
        Some(Some(Player::First)) => WINS[0],
        Some(Some(Player::Second)) => WINS[1],
    };
    let got = answer.first().and_then(|line| line.split(';').nth(1));
    match got.map(str::trim) {
        Some(got) if got != expected && [DRAW, WINS[0], WINS[1]].contains(&got) => {}
        Some(got) if expected != GOES_ON[0] && GOES_ON.contains(&got) => {}
        _ => return Ok(()),
    }
    Err(ClientError::OtherEnding {
        command,
        expected,
        got: got.unwrap_or_default().trim().to_owned(),
    })
}

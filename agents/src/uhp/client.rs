//! The side that asks: another program's engine, driven through its standard input and output.

use super::command_line;
use super::time;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use tablero_env::hive::{Action, Hive, Illegal, State};
use tablero_env::{ActionId, Game, Notation, NotationError};
use tablero_minimax::Limits;

/// How long an engine that is told to exit is waited for before it is killed.
const EXIT_TIME: Duration = Duration::from_millis(500);

/// How many of the last lines of an engine's standard error are kept.
const LINES_KEPT: usize = 8;

/// An external engine, kept at the position last asked about. Dropping it ends the process.
#[derive(Debug)]
pub struct Client {
    process: Child,
    input: ChildStdin,
    /// What the engine writes, line by line; closed when it writes no more.
    lines: Receiver<io::Result<String>>,
    /// What it writes to its standard error, likewise.
    errors: Receiver<io::Result<String>>,
    /// The last lines of that.
    said: VecDeque<String>,
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
    #[error("the engine has ended instead of answering {command:?}; its last errors: {said:?}")]
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
    /// An answer that is an error, or not of the form that the protocol prescribes.
    #[error("to {command:?} the engine answers {answer:?}")]
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
}

impl Client {
    /// Starts an engine: a program and its arguments, separated by spaces; double quotes keep
    /// words together. `patience` is how long an answer is waited for, beyond the time that a
    /// search is given.
    ///
    /// # Errors
    /// If the process does not start or does not introduce itself.
    pub fn start(command: &str, patience: Duration) -> Result<Client, ClientError> {
        let words = command_line::split(command).unwrap_or_default();
        let Some((program, arguments)) = words.split_first() else {
            return Err(ClientError::Command {
                got: command.to_owned(),
            });
        };
        let failed = |error| ClientError::Start {
            program: program.clone(),
            error,
        };
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(output), Some(errors)) = (
            process.stdin.take(),
            process.stdout.take(),
            process.stderr.take(),
        ) else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        let mut client = Client {
            process,
            input,
            lines: read_lines(output),
            errors: read_lines(errors),
            said: VecDeque::new(),
            patience,
            id: String::new(),
            position: None,
        };
        // An engine introduces itself unasked, as if asked for `info`.
        let introduction = client.answer("", patience)?;
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
    /// seconds; else the depth; with neither, the default of [`Limits`].
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
                let whole = Duration::from_secs(time.as_secs() + 1);
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
                    Ok(_) => return Ok(()),
                    // Not every engine reads whole games.
                    Err(ClientError::Refused { .. }) => {
                        let command = format!("newgame {}", game.game_type());
                        self.ask(&command, self.patience)?;
                        0
                    }
                    Err(other) => return Err(other),
                }
            }
        };
        let mut played = game.initial();
        for (ply, &action) in moves.iter().enumerate() {
            if ply >= n_known {
                let command = if action == Action::Pass.id() {
                    "pass".to_owned()
                } else {
                    format!("play {}", game.action_text(&played, action))
                };
                self.ask(&command, self.patience)?;
            }
            game.play_unchecked(&mut played, action);
        }
        Ok(())
    }

    /// Sends a line and waits for an answer that is no error.
    fn ask(&mut self, command: &str, patience: Duration) -> Result<Vec<String>, ClientError> {
        self.listen(Duration::ZERO);
        let written = writeln!(self.input, "{command}").and_then(|()| self.input.flush());
        if written.is_err() {
            return Err(self.ended(command));
        }
        let answer = self.answer(command, patience)?;
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

    /// The lines up to `ok`, which all arrive within `patience`.
    fn answer(&mut self, command: &str, patience: Duration) -> Result<Vec<String>, ClientError> {
        let started = Instant::now();
        let mut answer = Vec::new();
        loop {
            let left = patience.saturating_sub(started.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(Ok(line)) if line == "ok" => return Ok(answer),
                Ok(Ok(line)) => answer.push(line),
                Err(RecvTimeoutError::Timeout) => {
                    // A late answer would be taken for that of the next command.
                    let _ = self.process.kill();
                    return Err(ClientError::Silent {
                        command: command.to_owned(),
                        waited: patience,
                    });
                }
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.ended(command));
                }
            }
        }
    }

    /// Takes in what the engine has written to its standard error, so that it is not kept in
    /// memory, and waits for more up to `patience` after each line.
    fn listen(&mut self, patience: Duration) {
        while let Ok(Ok(line)) = self.errors.recv_timeout(patience) {
            if self.said.len() == LINES_KEPT {
                self.said.pop_front();
            }
            self.said.push_back(line);
        }
    }

    fn ended(&mut self, command: &str) -> ClientError {
        self.listen(EXIT_TIME);
        ClientError::Ended {
            command: command.to_owned(),
            said: self.said.make_contiguous().join("\n"),
        }
    }
}

impl Drop for Client {
    /// Asks the engine to exit, and kills it if it does not.
    fn drop(&mut self) {
        // It may be gone already: then there is nothing to write to and nothing to kill.
        let _ = writeln!(self.input, "exit").and_then(|()| self.input.flush());
        let started = Instant::now();
        while started.elapsed() < EXIT_TIME {
            match self.process.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Ok(Some(_)) | Err(_) => return,
            }
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads lines in a thread of its own, which ends with the engine's output or with the receiver.
fn read_lines(output: impl Read + Send + 'static) -> Receiver<io::Result<String>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        loop {
            line.clear();
            let sent = match output.read_until(b'\n', &mut line) {
                Ok(0) => return,
                Ok(_) => sender.send(Ok(String::from_utf8_lossy(&line).trim().to_owned())),
                Err(error) => sender.send(Err(error)),
            };
            if sent.is_err() {
                return;
            }
        }
    });
    receiver
}

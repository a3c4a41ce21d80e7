//! How a command fails: the exit code tells bad input from everything else.

use serde_json::json;
use std::fmt::Display;
use std::process::ExitCode;
use tablero_agents::{AgentError, PlayerError};
use tablero_models::PolicyError;
use tablero_models::storage::StorageError;
use tablero_train::{LearnError, RunError};

/// A command that did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// Exit code 2: the arguments or a file given are wrong; nothing was changed.
    BadInput(anyhow::Error),
    /// Exit code 1: the input was valid, but something failed.
    Failed(anyhow::Error),
    /// Exit code 130, like a process that Ctrl-C ends: everything finished by then has been printed.
    Interrupted,
}

impl Failure {
    /// Bad input that is not an error of a library.
    pub fn bad_input(message: impl Display + Send + Sync + std::fmt::Debug + 'static) -> Failure {
        Failure::BadInput(anyhow::Error::msg(message))
    }

    /// Prints the error and its causes to standard error: as text, or as one line of JSON.
    pub fn report(&self, as_json: bool) -> ExitCode {
        let (text, code) = match self {
            Failure::Interrupted => ("interrupted: only what was finished counts".to_owned(), 130),
            Failure::BadInput(error) => (message(error), 2),
            Failure::Failed(error) => (message(error), 1),
        };
        match self {
            _ if as_json => print_json(&text, code),
            Failure::Interrupted => eprintln!("{text}"),
            _ => eprintln!("error: {text}"),
        }
        ExitCode::from(code)
    }
}

/// An error and its causes on one line. Some errors tell their cause themselves; it is not told twice.
pub fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Prints what is wrong with the arguments, or the help that was asked for.
pub fn report_arguments(error: &clap::Error, as_json: bool) -> ExitCode {
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    if as_json && error.use_stderr() {
        let text = error.to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let parts = text.split("\n\n");
        let said =
            parts.filter(|part| !part.starts_with("Usage:") && !part.starts_with("For more"));
        let lines = said.flat_map(str::lines).map(str::trim);
        print_json(&lines.collect::<Vec<_>>().join("; "), code);
    } else {
        // Where nothing can be printed, the exit code tells.
        let _ = error.print();
    }
    ExitCode::from(code)
}

fn print_json(text: &str, code: u8) {
    eprintln!("{}", json!({ "error": text, "exit_code": code }));
}

/// By default an error is a failure, not bad input.
impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure::Failed(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Failure::Failed(error.into())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Failed(error.into())
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        // A file that was named and cannot be read is bad input; a write that fails is not.
        if error.action == "read" {
            Failure::BadInput(error.into())
        } else {
            Failure::Failed(error.into())
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Storage(error) => error.into(),
            RunError::Policy(error) | RunError::Learn(LearnError::Checkpoint(error)) => {
                error.into()
            }
            RunError::Learn(LearnError::Diverged { .. } | LearnError::Optimizer(_)) => {
                Failure::Failed(error.into())
            }
            RunError::Locked { .. } | RunError::Network(_) => Failure::Failed(error.into()),
            _ => Failure::BadInput(error.into()),
        }
    }
}

impl From<AgentError> for Failure {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::Memory(_) => Failure::BadInput(error.into()),
            _ => Failure::Failed(error.into()),
        }
    }
}

impl From<PlayerError> for Failure {
    fn from(error: PlayerError) -> Self {
        match error {
            PlayerError::Engine { .. } => Failure::Failed(error.into()),
            _ => Failure::BadInput(error.into()),
        }
    }
}

impl From<PolicyError> for Failure {
    fn from(error: PolicyError) -> Self {
        match error {
            PolicyError::Storage(error) => error.into(),
            _ => Failure::BadInput(error.into()),
        }
    }
}

macro_rules! bad_input {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure::BadInput(error.into())
            }
        })*
    };
}

bad_input!(
    tablero_env::NotationError,
    tablero_env::SpecError,
    tablero_env::record::RecordError,
    tablero_models::WeightsError,
    tablero_minimax::SolveError,
    tablero_train::ConfigError,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let error = StorageError::of("read", "x.toml".as_ref())(std::io::Error::other("no luck"));
        assert_eq!(message(&error.into()), "cannot read x.toml: no luck");
        let error = anyhow::anyhow!("no luck").context("cannot begin");
        assert_eq!(message(&error), "cannot begin: no luck");
    }
}

//! How a command fails: the exit code tells bad input from everything else.

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

    /// Prints the error and its causes to standard error.
    pub fn report(&self) -> ExitCode {
        let (error, code) = match self {
            Failure::Interrupted => {
                eprintln!("interrupted: only what was finished counts");
                return ExitCode::from(130);
            }
            Failure::BadInput(error) => (error, 2),
            Failure::Failed(error) => (error, 1),
        };
        eprintln!("error: {error:#}");
        ExitCode::from(code)
    }
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

//! What goes wrong, for who starts the server and for who asks it.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::net::{IpAddr, SocketAddr};
use tablero_env::SpecError;
use tablero_train::RunError;

/// Letters of a token, at least.
pub(crate) const SHORTEST_TOKEN: usize = 16;

/// Why the server does not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Anyone on the network could ask.
    #[error("{host} can be reached from other machines: expected a token, too")]
    NoToken {
        /// The address asked for.
        host: IpAddr,
    },
    /// A token that could be guessed.
    #[error("a token has at least {} characters", SHORTEST_TOKEN)]
    ShortToken,
    /// The address is taken, or not this machine's.
    #[error("cannot listen on {address}: {error}")]
    Bind {
        /// The address asked for.
        address: SocketAddr,
        /// What the system says.
        error: std::io::Error,
    },
    /// The system refuses what a server needs.
    #[error("cannot serve: {0}")]
    Runtime(std::io::Error),
}

/// Why a run has no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder is no run, or damaged.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The run's game is none that there is.
    #[error(transparent)]
    Game(#[from] SpecError),
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    status: StatusCode,
    /// For people.
    message: String,
}

impl Refusal {
    /// The request is not of the form that is read.
    pub(crate) fn bad(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// The request is understood, and the rules of the game refuse it.
    pub(crate) fn illegal(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    /// There is no such thing.
    pub(crate) fn unknown(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, message)
    }

    /// Too much is asked at once.
    pub(crate) fn busy() -> Refusal {
        let message = "as many searches run as are allowed at once: stop one, or try again soon";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The fault of the server.
    pub(crate) fn failed(message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    pub(crate) fn new(status: StatusCode, message: impl ToString) -> Refusal {
        Refusal {
            status,
            message: message.to_string(),
        }
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.message }));
        (self.status, body).into_response()
    }
}

//! The page: a local server to play, analyse, review and watch training in the browser.
//!
//! - [`serve`] binds an address and answers until it is interrupted; [`Options`] say how.
//! - `guard`: who is answered at all. `api`: what may be asked, and its bounds. `line`, `play`,
//!   `look`, `review`, `puzzle`: games, moves and analyses. `roster`: the agents that the page may name, each by
//!   an id. `runs`: training runs. `assets`: the page itself.
//! - [`report`](report()) writes a run as one file that needs no server.
//!
//! The server keeps no game: a request holds the actions that lead to its position, so the page can
//! be reloaded, linked to and opened twice. Nothing that the page sends is a path, a command or the
//! text of a player.

mod api;
mod assets;
mod error;
mod guard;
mod line;
mod look;
mod play;
mod puzzle;
mod report;
mod review;
mod roster;
mod runs;
mod searches;

pub use error::{ReportError, ServeError};
pub use report::report;

use guard::Guard;
use roster::Roster;
use runs::Runs;
use searches::Searches;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::net::TcpListener;

/// MiB of the tables of all searches together, at most.
const TABLES_MIB: usize = 512;

/// Tables of a search at most: a review has a solver's and its estimator's.
const TABLES_OF_A_SEARCH: usize = 2;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to bind; the loopback by default. On any other, requests need the token.
    pub host: IpAddr,
    /// The port; 0 takes any free one.
    pub port: u16,
    /// Needed by every request where it is given.
    pub token: Option<String>,
    /// The folder of training runs.
    pub runs: PathBuf,
    /// The page, instead of the one in the binary.
    pub assets: Option<PathBuf>,
    /// Searches at once; each takes a core.
    pub n_searches: usize,
}

impl Default for Options {
    fn default() -> Self {
        let n_cores = std::thread::available_parallelism().map_or(2, usize::from);
        Options {
            host: Ipv4Addr::LOCALHOST.into(),
            port: 8271,
            token: None,
            runs: "runs".into(),
            assets: None,
            n_searches: n_cores.clamp(2, 8),
        }
    }
}

impl Options {
    /// Checks that who can reach the server is who may.
    ///
    /// # Errors
    /// If the address is not the loopback and there is no token.
    pub fn check(&self) -> Result<(), ServeError> {
        match &self.token {
            None if !self.host.is_loopback() => Err(ServeError::NoToken { host: self.host }),
            Some(token) if token.len() < error::SHORTEST_TOKEN => Err(ServeError::ShortToken),
            _ => Ok(()),
        }
    }
}

/// What all requests share.
struct Shared {
    guard: Guard,
    roster: Roster,
    runs: Runs,
    searches: Searches,
    assets: Option<PathBuf>,
}

/// Serves until the process is interrupted. `ready` gets the address of the page, with the token in it.
///
/// # Errors
/// If the options contradict each other, or the address cannot be bound.
pub fn serve(options: Options, ready: impl FnOnce(&str)) -> Result<(), ServeError> {
    options.check()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(32)
        .enable_all()
        .build()
        .map_err(ServeError::Runtime)?;
    let served = runtime.block_on(async {
        let address = SocketAddr::new(options.host, options.port);
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| ServeError::Bind { address, error })?;
        let address = listener.local_addr().map_err(ServeError::Runtime)?;
        let link = guard::link(address, options.token.as_deref());
        let shared = Arc::new(Shared {
            guard: Guard::new(address, options.token),
            runs: Runs::new(options.runs),
            roster: Roster::new(TABLES_MIB / (TABLES_OF_A_SEARCH * options.n_searches.max(1))),
            searches: Searches::new(options.n_searches),
            assets: options.assets,
        });
        ready(&link);
        axum::serve(listener, api::router(Arc::clone(&shared)))
            .with_graceful_shutdown(async move {
                // Without a handler the process is simply ended.
                let _ = tokio::signal::ctrl_c().await;
                shared.searches.cancel_all();
            })
            .await
            .map_err(ServeError::Runtime)
    });
    // A stream that is still open must not keep the process.
    runtime.shutdown_background();
    served
}

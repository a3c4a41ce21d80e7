//! `tablero serve`.

use crate::failure::Failure;
use rand::RngExt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tablero_serve::{Options, ServeError};

/// Play, analyse, review and watch training in the browser
///
/// Starts the web interface, for this machine only; it loads nothing from elsewhere. With another
/// --host, requests need the token that is part of the printed address. Ctrl-C ends it.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  tablero serve --open\n  tablero serve --port 9000 --runs runs"
)]
pub struct Arguments {
    /// The port; 0 selects a free one
    #[arg(long, value_name = "PORT", default_value_t = 8271)]
    port: u16,
    /// The folder of training runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// The address to listen on; any address other than a loopback one needs a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// The token that requests must send, at least 16 characters; default a random one if --host needs it
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Serve the page from this folder instead of the binary, for development
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let is_local = arguments.host.is_loopback();
    let token = arguments.token.clone();
    let options = Options {
        host: arguments.host,
        port: arguments.port,
        token: token.or_else(|| (!is_local).then(random_token)),
        runs: arguments.runs.clone(),
        assets: arguments.assets.clone(),
        ..Options::default()
    };
    let served = tablero_serve::serve(options, |link| {
        println!("{link}");
        if arguments.open {
            open(link);
        }
    });
    served.map_err(|error| match error {
        ServeError::Bind { .. } | ServeError::Runtime(_) => Failure::Failed(error.into()),
        ServeError::NoToken { .. } | ServeError::ShortToken => Failure::BadInput(error.into()),
    })
}

/// 128 bits that cannot be guessed.
fn random_token() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

/// By the system's own command. A browser that does not open is no failure: the address is printed.
fn open(link: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let _ = Command::new(program)
        .args(arguments)
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}

//! A server, and requests as anybody may write them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;
use tablero_serve::{Options, serve};

/// Starts a server that lives as long as the tests; returns its address as `HOST:PORT`.
pub fn start(options: Options) -> String {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        serve(options, |link| sender.send(link.to_owned()).unwrap()).unwrap();
    });
    let link = receiver.recv_timeout(Duration::from_secs(10)).unwrap();
    let rest = link.strip_prefix("http://").unwrap();
    rest.split('/').next().unwrap().to_owned()
}

pub fn options() -> Options {
    Options {
        port: 0,
        runs: "no runs".into(),
        n_searches: 2,
        ..Options::default()
    }
}

/// A server without a token, for all tests that do not load it.
pub fn address() -> &'static str {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    ADDRESS.get_or_init(|| start(options()))
}

pub struct Answer {
    pub status: u16,
    /// In lower case.
    pub head: String,
    pub body: String,
}

/// Sends bytes and reads the answer to its end.
pub fn send(address: &str, request: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    // A server that refuses early may close before all is sent.
    let _ = stream.write_all(request.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    Answer {
        status: status.unwrap_or(0),
        head: head.to_ascii_lowercase(),
        body: body.to_owned(),
    }
}

pub fn request(address: &str, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
    let has_host = headers.iter().any(|header| header.starts_with("Host:"));
    let host = if has_host {
        String::new()
    } else {
        format!("Host: {address}\r\n")
    };
    let lines: String = headers
        .iter()
        .map(|header| format!("{header}\r\n"))
        .collect();
    let length = body.len();
    let text = format!(
        "{method} {path} HTTP/1.1\r\n{host}{lines}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    send(address, &text)
}

pub const JSON: &str = "Content-Type: application/json";
pub const POSITION: &str = r#"{"line":{"game":"queens:4","actions":[0]}}"#;

pub fn get(path: &str, headers: &[&str]) -> Answer {
    request(address(), "GET", path, headers, "")
}

pub fn post(path: &str, headers: &[&str], body: &str) -> Answer {
    request(address(), "POST", path, headers, body)
}

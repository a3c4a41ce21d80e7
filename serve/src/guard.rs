//! Who is answered at all.
//!
//! A page of another origin must neither read nor cause anything here, whatever a browser lets it
//! send. So a request must name this server exactly in `Host` (a name of someone else's that resolves
//! to this machine is refused: DNS rebinding), must not come from another origin (`Origin`,
//! `Sec-Fetch-Site`), and has a body only as `application/json`, which other origins cannot send
//! without asking first; and no answer has a header that would let them ask.

use crate::Shared;
use crate::error::Refusal;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

const TOKEN: &str = "x-tablero-token";
const FETCH_SITE: &str = "sec-fetch-site";

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// By what a request is judged.
pub(crate) struct Guard {
    address: SocketAddr,
    token: Option<String>,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, token: Option<String>) -> Guard {
        Guard { address, token }
    }

    /// Whether a request is answered.
    fn check(&self, method: &Method, path: &str, headers: &HeaderMap) -> Result<(), Refusal> {
        let forbidden = |what: &str| Refusal::new(StatusCode::FORBIDDEN, what);
        let host = text(headers, header::HOST.as_str());
        let host = host.filter(|host| self.is_own(host));
        let host = host.ok_or_else(|| forbidden("the host is not this server"))?;
        let is_other = |origin: &&str| *origin != format!("http://{host}");
        if has_other(headers, header::ORIGIN.as_str(), is_other) {
            return Err(forbidden("the request comes from another origin"));
        }
        let is_api = path.starts_with("/api/");
        let is_foreign = |site: &&str| *site != "same-origin" && (is_api || *site != "none");
        let is_navigation = !is_api && method == Method::GET;
        if !is_navigation && has_other(headers, FETCH_SITE, is_foreign) {
            return Err(forbidden("the request comes from another site"));
        }
        if is_api && !self.has_token(headers) {
            let what = "expected the token that the server printed when it started";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, what));
        }
        if method == Method::POST && !is_json(headers) {
            let what = "expected the content type application/json";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, what));
        }
        Ok(())
    }

    /// Whether `Host` names this server: the address and the port as they are bound, or `localhost`
    /// where that is this machine alone. A server on all addresses takes any number, and no name: a
    /// name could be made to resolve to it.
    fn is_own(&self, host: &str) -> bool {
        if host == self.address.to_string() {
            return true;
        }
        let ip = self.address.ip();
        if ip.is_unspecified() {
            let given: Result<SocketAddr, _> = host.parse();
            return given.is_ok_and(|given| given.port() == self.address.port());
        }
        ip.is_loopback() && host == format!("localhost:{}", self.address.port())
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else {
            return true;
        };
        text(headers, TOKEN).is_some_and(|given| is_same(given.as_bytes(), token.as_bytes()))
    }
}

/// In the same time wherever they differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let differing = a.iter().zip(b).fold(0, |bits, (a, b)| bits | (a ^ b));
    a.len() == b.len() && differing == 0
}

/// The only value of a header; `None` if there is none, or more than one.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok())?
}

/// Whether a header has a value that is refused, or that cannot be read.
fn has_other(headers: &HeaderMap, name: &str, is_refused: impl Fn(&&str) -> bool) -> bool {
    let refused = |value: &HeaderValue| value.to_str().map_or(true, |text| is_refused(&text));
    headers.get_all(name).iter().any(refused)
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = text(headers, header::CONTENT_TYPE.as_str());
    kind.is_some_and(|kind| {
        let name = kind.split(';').next().unwrap_or_default();
        name.trim().eq_ignore_ascii_case("application/json")
    })
}

/// Refuses what is not answered, and puts the headers on everything.
pub(crate) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let checked = shared
        .guard
        .check(request.method(), request.uri().path(), request.headers());
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

/// How a page on this address is opened; the token stands in the fragment, which browsers do not send.
pub(crate) fn link(address: SocketAddr, token: Option<&str>) -> String {
    let host = match address.ip() {
        ip if ip.is_unspecified() => IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    let fragment = token.map_or(String::new(), |token| format!("#token={token}"));
    format!(
        "http://{}/{fragment}",
        SocketAddr::new(host, address.port())
    )
}

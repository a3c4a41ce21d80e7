//! Every rule of who is answered, tried by somebody who breaks it.

mod client;

use client::{JSON, POSITION, address, get, options, post, request, send, start};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};
use tablero_serve::{Options, ServeError};

#[test]
fn who_asks_properly_is_answered() {
    let page = get("/", &["Sec-Fetch-Site: none"]);
    assert_eq!(page.status, 200);
    assert!(page.body.contains("<title>Tablero</title>"));
    let own = format!("Origin: http://{}", address());
    let answer = post(
        "/api/position",
        &[JSON, &own, "Sec-Fetch-Site: same-origin"],
        POSITION,
    );
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.body.contains(r#""game":"queens:4""#));
}

#[test]
fn a_foreign_host_is_refused() {
    let port = address().rsplit(':').next().unwrap();
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1.nip.io:{port}"),
        format!("127.0.0.2:{port}"),
        format!("127.0.0.1:{port}@evil.example"),
        String::new(),
    ] {
        let host = format!("Host: {host}");
        for path in ["/", "/api/about"] {
            assert_eq!(get(path, &[&host]).status, 403, "{host}");
        }
        assert_eq!(post("/api/position", &[&host, JSON], POSITION).status, 403);
    }
    let none = "GET /api/about HTTP/1.1\r\nConnection: close\r\n\r\n";
    assert!([400, 403].contains(&send(address(), none).status));
    let local = format!("Host: localhost:{port}");
    assert_eq!(get("/", &[&local]).status, 200);
}

#[test]
fn a_foreign_origin_is_refused() {
    let port = address().rsplit(':').next().unwrap();
    let others = [
        "http://evil.example".to_owned(),
        format!("https://{}", address()),
        format!("http://localhost:{port}"),
        format!("http://{}.evil.example", address()),
        "null".to_owned(),
        String::new(),
    ];
    for origin in others {
        let origin = format!("Origin: {origin}");
        for path in ["/api/position", "/api/analyse", "/api/move", "/api/review"] {
            assert_eq!(
                post(path, &[JSON, &origin], POSITION).status,
                403,
                "{origin}"
            );
        }
        assert_eq!(get("/api/runs", &[&origin]).status, 403, "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        let site = format!("Sec-Fetch-Site: {site}");
        assert_eq!(post("/api/position", &[JSON, &site], POSITION).status, 403);
        assert_eq!(get("/api/runs", &[&site]).status, 403);
    }
}

#[test]
fn only_json_is_read() {
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonx",
        "",
    ] {
        let kind = format!("Content-Type: {kind}");
        assert_eq!(
            post("/api/position", &[&kind], POSITION).status,
            415,
            "{kind}"
        );
    }
    assert_eq!(post("/api/position", &[], POSITION).status, 415);
}

#[test]
fn no_answer_lets_another_origin_read_or_frame_it() {
    let refused = get("/", &["Host: evil.example"]);
    let unknown = get("/no/such/file", &[]);
    let preflight = request(
        address(),
        "OPTIONS",
        "/api/position",
        &[
            "Origin: http://evil.example",
            "Access-Control-Request-Method: POST",
        ],
        "",
    );
    for answer in [
        get("/", &[]),
        get("/api/about", &[]),
        refused,
        unknown,
        preflight,
    ] {
        assert!(!answer.head.contains("access-control"), "{}", answer.head);
        for header in [
            "content-security-policy: default-src 'self'",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(answer.head.contains(header), "{header}: {}", answer.head);
        }
    }
}

#[test]
fn no_path_leads_out_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.txt");
    std::fs::write(&secret, "secret").unwrap();
    let assets = folder.path().join("web");
    std::fs::create_dir(&assets).unwrap();
    std::fs::write(assets.join("index.html"), "from a folder").unwrap();
    let served = start(Options {
        assets: Some(assets),
        ..options()
    });
    assert_eq!(request(&served, "GET", "/", &[], "").body, "from a folder");
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/games/../../secret.txt",
        "/%2fetc%2fpasswd",
        "//etc/passwd",
        "/index.html%00.js",
        "/.git/config",
    ] {
        for address in [served.as_str(), address()] {
            let answer = request(address, "GET", path, &[], "");
            assert!(
                [400, 404].contains(&answer.status),
                "{path}: {}",
                answer.status
            );
            assert!(!answer.body.contains("secret\n") && !answer.body.contains("root:"));
        }
    }
}

/// Path, body and the status of the answer.
const REFUSED: [(&str, &str, u16); 19] = [
    ("/api/position", "", 400),
    ("/api/position", "{", 400),
    ("/api/position", "null", 400),
    (
        "/api/position",
        r#"{"line":{"game":"chess","actions":[]}}"#,
        400,
    ),
    (
        "/api/position",
        r#"{"line":{"game":"queens:40","actions":[]}}"#,
        400,
    ),
    (
        "/api/position",
        r#"{"line":{"game":"queens:4","actions":[-1]}}"#,
        400,
    ),
    (
        "/api/position",
        r#"{"line":{"game":"queens:4","actions":[],"x":1}}"#,
        400,
    ),
    (
        "/api/position",
        r#"{"line":{"game":"queens:4","actions":[0,0]}}"#,
        422,
    ),
    (
        "/api/position",
        r#"{"line":{"game":"queens:4","actions":[4294967295]}}"#,
        422,
    ),
    (
        "/api/position",
        r#"{"line":{"game":"queens:4","from":"WWWW","actions":[]}}"#,
        422,
    ),
    (
        "/api/play",
        r#"{"line":{"game":"queens:4","actions":[0]},"input":{"clicks":["c1"]}}"#,
        422,
    ),
    (
        "/api/play",
        r#"{"line":{"game":"queens:4","actions":[0]},"input":{"clicks":["x"]}}"#,
        422,
    ),
    (
        "/api/play",
        r#"{"line":{"game":"queens:4","actions":[0]},"input":{"text":"nonsense"}}"#,
        422,
    ),
    (
        "/api/play",
        r#"{"line":{"game":"queens:4","actions":[0]},"input":{"text":""}}"#,
        422,
    ),
    (
        "/api/move",
        r#"{"line":{"game":"queens:4","actions":[]},"agent":{"id":"uhp:\"touch /tmp/tablero-was-here\""}}"#,
        404,
    ),
    (
        "/api/analyse",
        r#"{"line":{"game":"queens:4","actions":[]},"agent":{"id":"policy:/etc","level":0}}"#,
        404,
    ),
    (
        "/api/analyse",
        r#"{"line":{"game":"queens:4","actions":[]},"agent":{"id":"minimax","level":999999999}}"#,
        404,
    ),
    (
        "/api/analyse",
        r#"{"line":{"game":"hive","actions":[]},"agent":{"id":"random","level":0}}"#,
        404,
    ),
    (
        "/api/analyse",
        r#"{"line":{"game":"dots-and-boxes:5x5","actions":[]},"agent":{"id":"solver","level":0}}"#,
        422,
    ),
];

#[test]
fn garbage_and_impossible_requests_are_refused_in_words() {
    let deep = "[".repeat(30_000);
    let all = REFUSED.into_iter();
    for (path, body, status) in all.chain([("/api/position", deep.as_str(), 400)]) {
        let answer = post(path, &[JSON], body);
        let shown = &body[..body.len().min(120)];
        assert_eq!(answer.status, status, "{path} {shown}: {}", answer.body);
        assert!(answer.body.contains(r#""error":"#), "{}", answer.body);
    }
    assert_eq!(get("/api/runs/7", &[]).status, 404);
    assert!([400, 404].contains(&get("/api/runs/..%2f..", &[]).status));
    assert_eq!(get("/api/rules/..%2fhive", &[]).status, 404);
}

#[test]
fn a_huge_body_is_not_read() {
    let body = format!(
        r#"{{"line":{{"game":"{}","actions":[]}}}}"#,
        "x".repeat(200_000)
    );
    let answer = post("/api/position", &[JSON], &body);
    assert!([0, 413].contains(&answer.status), "{}", answer.status);
    // A length that is only claimed.
    let address = address();
    let text = format!(
        "POST /api/position HTTP/1.1\r\nHost: {address}\r\n{JSON}\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n{}",
        "x".repeat(100_000)
    );
    assert!([0, 413].contains(&send(address, &text).status));
    let actions = vec!["0"; 5000].join(",");
    let body = format!(r#"{{"line":{{"game":"hive","actions":[{actions}]}}}}"#);
    assert_eq!(post("/api/position", &[JSON], &body).status, 400);
}

#[test]
fn a_token_is_needed_where_there_is_one() {
    let token = "0123456789abcdef0123";
    let served = start(Options {
        token: Some(token.to_owned()),
        ..options()
    });
    let ask = |headers: &[&str]| request(&served, "GET", "/api/about", headers, "").status;
    assert_eq!(ask(&[]), 401);
    for wrong in [
        "0123456789abcdef012",
        "0123456789abcdef01234",
        "0123456789abcdef0124",
        "",
    ] {
        assert_eq!(ask(&[&format!("X-Tablero-Token: {wrong}")]), 401);
    }
    let right = format!("X-Tablero-Token: {token}");
    assert_eq!(ask(&[&right]), 200);
    assert_eq!(ask(&[&right, &right]), 401, "twice");
    let query = format!("/api/about?token={token}");
    assert_eq!(request(&served, "GET", &query, &[], "").status, 401);
}

#[test]
fn other_addresses_need_a_token() {
    for host in ["0.0.0.0", "192.0.2.1", "::"] {
        let open = Options {
            host: host.parse().unwrap(),
            ..options()
        };
        assert!(matches!(open.check(), Err(ServeError::NoToken { .. })));
        let short = Options {
            token: Some("short".to_owned()),
            ..open
        };
        assert!(matches!(short.check(), Err(ServeError::ShortToken)));
    }
}

/// An analysis that takes long.
fn long_analysis(address: &str) -> String {
    let body = r#"{"line":{"game":"hive","actions":[]},"agent":{"id":"mcts","level":2}}"#;
    format!(
        "POST /api/analyse HTTP/1.1\r\nHost: {address}\r\n{JSON}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn n_free(address: &str) -> usize {
    let answer = request(address, "GET", "/api/about", &[], "").body;
    let (_, rest) = answer.split_once(r#""free_searches":"#).unwrap();
    rest.split([',', '}']).next().unwrap().parse().unwrap()
}

/// Opens an analysis and reads its first event.
fn begin(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(long_analysis(address).as_bytes()).unwrap();
    let mut text = String::new();
    while !text.contains("event:") {
        let mut bytes = [0; 4096];
        let n_read = stream.read(&mut bytes).unwrap();
        assert!(n_read > 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&bytes[..n_read]));
    }
    stream
}

#[test]
fn a_search_ends_when_its_client_goes() {
    let served = start(options());
    for _ in 0..3 {
        let stream = begin(&served);
        assert_eq!(n_free(&served), 1);
        drop(stream);
        let gone = Instant::now();
        while n_free(&served) < 2 {
            // Far beyond what it takes, on a machine that does much else.
            assert!(gone.elapsed() < Duration::from_secs(2));
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A question to the exact solver that takes about a second of its own, on a table of its own.
const SOLVED: [&str; 2] = [
    r#"{"line":{"game":"queens:10","actions":[]},"agent":{"id":"solver","level":0}}"#,
    r#"{"line":{"game":"queens:10,full_board=draw","actions":[]},"agent":{"id":"solver","level":0}}"#,
];

/// How long the server is busy after a question, of which nobody waits for the answer when `given` is over.
fn busy_with(address: &str, path: &str, body: &str, given: Duration) -> Duration {
    let length = body.len();
    let text = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\n{JSON}\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream.set_read_timeout(Some(given)).unwrap();
    let mut bytes = [0; 4096];
    // An answer, if there is one by then; it never is whole.
    let _ = stream.read(&mut bytes);
    drop(stream);
    let gone = Instant::now();
    while n_free(address) < 2 {
        assert!(gone.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(2));
    }
    gone.elapsed()
}

/// The solver ends, too: each of its questions takes much longer than the server is busy after its client
/// has gone.
#[test]
fn the_exact_solver_ends_when_its_client_goes() {
    let served = start(options());
    for (path, body) in [("/api/analyse", SOLVED[0]), ("/api/move", SOLVED[1])] {
        let began = Instant::now();
        let answer = request(&served, "POST", path, &[JSON], body);
        let whole = began.elapsed();
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        let given = Duration::from_millis(20);
        let tries = (0..3).map(|_| busy_with(&served, path, body, given));
        let least = tries.min().unwrap();
        // On a machine that does much else the one takes as many times longer as the other.
        assert!(least < whole / 3, "{path}: {least:?} of {whole:?}");
    }
}

/// Two hundred clients ask for a stream at once: as many as allowed get one, the others are refused, and the server
/// answers everyone else meanwhile.
#[test]
fn streams_are_bounded() {
    let served = start(options());
    let streams = [begin(&served), begin(&served)];
    let answers: Vec<_> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(&served).unwrap();
            let text = long_analysis(&served).replacen("\r\n", "\r\nConnection: close\r\n", 1);
            stream.write_all(text.as_bytes()).unwrap();
            stream
        })
        .collect();
    assert_eq!(
        request(&served, "POST", "/api/position", &[JSON], POSITION).status,
        200
    );
    // Meanwhile: both streams still stand.
    assert_eq!(n_free(&served), 0);
    for mut stream in answers {
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 503"), "{text}");
    }
    drop(streams);
}

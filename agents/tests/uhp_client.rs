//! Engines of other programs: here, shell scripts that answer what they are told to.
#![cfg(unix)]

use std::time::{Duration, Instant};
use tablero_agents::uhp::{Client, ClientError};
use tablero_env::hive::{Hive, State};
use tablero_env::{ActionId, Game, Notation};
use tablero_minimax::Limits;

const PATIENCE: Duration = Duration::from_secs(20);

/// The command of an engine that introduces itself and then runs `answers`, the branches of a
/// shell `case` over the first word of each line, which is `$word`, with the rest in `$rest`.
fn engine(answers: &str) -> String {
    format!(
        "sh -c \"echo id Script v1; echo ok; \
         while read -r word rest; do case $word in {answers} esac; echo ok; done\""
    )
}

fn played(game: &Hive, moves: &[&str]) -> State {
    let mut state = game.initial();
    for text in moves {
        let action = game.parse_action(&state, text).unwrap();
        game.play(&mut state, action).unwrap();
    }
    state
}

fn action(game: &Hive, state: &State, text: &str) -> ActionId {
    game.parse_action(state, text).unwrap()
}

/// Where a script writes the lines that it reads.
fn transcript(name: &str) -> std::path::PathBuf {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    directory.join(format!("{name}-{}", std::process::id()))
}

#[test]
fn the_engine_is_given_the_game_and_then_only_what_is_new() {
    let file = transcript("position");
    let script = format!(
        "exit) exit;; bestmove) echo $word $rest >> '{0}'; echo $best;; \
         *) echo $word $rest >> '{0}'; case $rest in *-*) best='wG1 -wS1';; *) best=wS1;; esac; \
         echo fine;;",
        file.display()
    );
    let mut client = Client::start(&engine(&script), PATIENCE).unwrap();
    assert_eq!(client.id(), "Script v1");
    let game = Hive::BASE;
    let empty = game.initial();
    let best = client
        .best_action(&game, &empty, &Limits::depth(3))
        .unwrap();
    assert_eq!(best, action(&game, &empty, "wS1"));
    let state = played(&game, &["wS1", "bS1 wS1-"]);
    let time = Limits::time(Duration::from_millis(1500));
    let best = client.best_action(&game, &state, &time).unwrap();
    assert_eq!(best, action(&game, &state, "wG1 -wS1"));
    // Another game begins anew.
    let other = played(&game, &["wG1", "bG1 wG1-"]);
    assert!(
        client
            .best_action(&game, &other, &Limits::depth(1))
            .is_err()
    );
    drop(client);
    let lines = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(
        lines.lines().collect::<Vec<_>>(),
        [
            "newgame Base;NotStarted;White[1]",
            "bestmove depth 3",
            "play wS1",
            "play bS1 wS1-",
            "bestmove time 00:00:02",
            "newgame Base;InProgress;White[2];wG1;bG1 wG1-",
            "bestmove depth 1",
        ]
    );
}

#[test]
fn an_engine_that_reads_no_whole_games_is_given_the_moves() {
    let script = r"exit) exit;; newgame) case $rest in *\;*) echo err too long;; *) echo $rest;; esac;; bestmove) echo 'wG1 -wS1;2;0.5;bG1 wS1/'; echo 'wQ -wS1;3;0.4';; *) echo $rest;;";
    let game = Hive::BASE;
    let state = played(&game, &["wS1", "bS1 wS1-"]);
    let mut client = Client::start(&engine(script), PATIENCE).unwrap();
    let best = client
        .best_action(&game, &state, &Limits::depth(2))
        .unwrap();
    assert_eq!(
        best,
        action(&game, &state, "wQ -wS1"),
        "the last line counts"
    );
}

#[test]
fn what_goes_wrong_is_told_apart() {
    let game = Hive::BASE;
    let state = game.initial();
    let ask = |script: &str, patience: Duration| {
        let mut client = Client::start(&engine(script), patience)?;
        client.best_action(&game, &state, &Limits::depth(2))
    };
    let error = |script| ask(script, PATIENCE).unwrap_err();
    assert!(matches!(error("*) exit;;"), ClientError::Ended { .. }));
    assert!(matches!(
        error("bestmove) echo 'no idea' >&2; exit;; *) echo fine;;"),
        ClientError::Ended { command, said } if command == "bestmove depth 2" && said == "no idea"
    ));
    assert!(matches!(
        error("bestmove) echo err tired;; *) echo fine;;"),
        ClientError::Refused { answer, .. } if answer == "err tired"
    ));
    assert!(matches!(
        error("bestmove) ;; *) echo fine;;"),
        ClientError::Refused { answer, .. } if answer.is_empty()
    ));
    assert!(matches!(
        error("bestmove) echo e4;; *) echo fine;;"),
        ClientError::NotAMove { .. }
    ));
    assert!(matches!(
        error("bestmove) echo wQ;; *) echo fine;;"),
        ClientError::Illegal { text, .. } if text == "wQ"
    ));
    let started = Instant::now();
    let patience = Duration::from_secs(2);
    let silent = ask("bestmove) sleep 60;; *) echo fine;;", patience).unwrap_err();
    assert!(matches!(silent, ClientError::Silent { command, .. } if command == "bestmove depth 2"));
    assert!(started.elapsed() < Duration::from_secs(30), "it is killed");
}

#[test]
fn a_silent_engine_is_not_asked_again() {
    let game = Hive::BASE;
    let script = "bestmove) sleep 3; echo wS1;; *) echo fine;;";
    let patience = Duration::from_secs(2);
    let mut client = Client::start(&engine(script), patience).unwrap();
    let mut ask = || client.best_action(&game, &game.initial(), &Limits::depth(2));
    assert!(matches!(ask(), Err(ClientError::Silent { .. })));
    assert!(matches!(
        ask(),
        Err(ClientError::Ended { .. } | ClientError::Silent { .. })
    ));
}

#[test]
fn what_is_no_engine_does_not_start() {
    let start = |command| Client::start(command, PATIENCE).unwrap_err();
    for command in ["", "   ", "\"", "engine \"x"] {
        assert!(matches!(start(command), ClientError::Command { .. }));
    }
    assert!(matches!(
        start("/no/such/engine"),
        ClientError::Start { .. }
    ));
    assert!(matches!(start("true"), ClientError::Ended { .. }));
    assert!(matches!(start_soon("sleep 60"), ClientError::Silent { .. }));
}

/// The error of an engine that has a moment to introduce itself.
fn start_soon(command: &str) -> ClientError {
    Client::start_within(command, PATIENCE, Duration::from_millis(500)).unwrap_err()
}

/// KiB of memory that this process holds.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.unwrap()
        .split_whitespace()
        .nth(1)
        .unwrap()
        .parse()
        .unwrap()
}

/// Two of them write some GB in the time that they are given.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_writes_without_end_costs_neither_memory_nor_time() {
    let (before, started) = (resident(), Instant::now());
    let flood = |command: &str| {
        let error = start_soon(command);
        assert!(
            matches!(
                error,
                ClientError::Flooded { .. } | ClientError::Silent { .. }
            ),
            "{command}: {error}"
        );
    };
    flood("yes");
    flood("cat /dev/zero");
    flood("sh -c \"yes >&2\"");
    flood("sh -c \"cat /dev/zero >&2\"");
    flood("sh -c \"yes >&2 & while :; do sleep 0.01; echo tick; done\"");
    assert!(started.elapsed() < Duration::from_secs(60));
    let grown = resident().saturating_sub(before);
    assert!(grown < 128 * 1024, "{grown} KiB");
}

#[test]
fn an_engine_that_closes_its_output_and_writes_on_to_its_errors_has_ended() {
    let started = Instant::now();
    let script = "exec 1>&-; while :; do echo noise >&2; done";
    let mut client = Client::start(
        &format!("sh -c \"echo id Noisy; echo ok; read line; {script}\""),
        PATIENCE,
    )
    .unwrap();
    let game = Hive::BASE;
    let answer = client.best_action(&game, &game.initial(), &Limits::depth(1));
    assert!(
        matches!(&answer, Err(ClientError::Ended { said, .. }) if said.contains("noise")),
        "{answer:?}"
    );
    drop(client);
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn an_engine_that_answers_without_reading_is_given_up() {
    let script = "echo id Deaf; echo ok; while :; do echo fine; echo ok; done";
    let patience = Duration::from_secs(2);
    let mut client = Client::start(&format!("sh -c \"{script}\""), patience).unwrap();
    let game = Hive::BASE;
    // Each question is answered at once, until the pipe to the engine is full.
    let silent = (0..100_000).any(|_| {
        let answer = client.best_action(&game, &game.initial(), &Limits::depth(1));
        matches!(answer, Err(ClientError::Silent { .. }))
    });
    assert!(silent);
}

#[test]
fn the_deadline_follows_from_the_time_asked_for() {
    let game = Hive::BASE;
    let script = engine("bestmove) sleep 600; echo wS1;; *) echo fine;;");
    let patience = Duration::from_secs(1);
    let mut client = Client::start(&script, patience).unwrap();
    let started = Instant::now();
    let time = Limits::time(Duration::from_millis(100));
    let answer = client.best_action(&game, &game.initial(), &time);
    assert!(
        matches!(answer, Err(ClientError::Silent { waited, .. }) if waited == 2 * patience),
        "{answer:?}"
    );
    assert!(started.elapsed() < Duration::from_secs(30));
}

/// Whether a process runs: what has ended and is not reaped does not.
#[cfg(target_os = "linux")]
fn runs(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat"));
    status.is_ok_and(|text| !text.contains(") Z "))
}

#[cfg(target_os = "linux")]
#[test]
fn what_an_engine_has_started_ends_with_it() {
    let file = transcript("children");
    for ending in ["wait", "exec sleep 600"] {
        let script = format!(
            "sleep 600 & echo $! > '{0}'; echo $$ >> '{0}'; echo id Parent; echo ok; {ending}",
            file.display()
        );
        let client = Client::start(&format!("sh -c \"{script}\""), PATIENCE).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let processes: Vec<&str> = text.lines().collect();
        assert!(
            processes.len() == 2 && processes.iter().all(|it| runs(it)),
            "{text}"
        );
        drop(client);
        let started = Instant::now();
        while processes.iter().any(|it| runs(it)) {
            assert!(started.elapsed() < PATIENCE, "{text} still run");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn another_opinion_on_the_end_of_the_game_is_told() {
    let game = Hive::BASE;
    let state = played(&game, &["wS1", "bS1 wS1-"]);
    let ask = |standing: &str| {
        let script = format!(
            "bestmove) echo 'wG1 -wS1';; *) echo 'Base;{standing};White[2];wS1;bS1 wS1-';;"
        );
        let mut client = Client::start(&engine(&script), PATIENCE).unwrap();
        client.best_action(&game, &state, &Limits::depth(1))
    };
    for standing in ["InProgress", "NotStarted", "Whatever"] {
        assert!(ask(standing).is_ok(), "{standing}");
    }
    for standing in ["Draw", "WhiteWins", "BlackWins"] {
        assert!(matches!(
            ask(standing),
            Err(ClientError::OtherEnding { got, .. }) if got == standing
        ));
    }
}

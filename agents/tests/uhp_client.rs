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
    let silent = Client::start("sleep 60", Duration::from_millis(100)).unwrap_err();
    assert!(matches!(silent, ClientError::Silent { .. }));
}

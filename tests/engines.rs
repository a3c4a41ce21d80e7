//! Outside engines that fail, each in its own way: our own engine with its output or its input
//! spoilt by a shell. What they do costs them that game and nothing else.
#![cfg(unix)]

use serde_json::Value;
use std::time::{Duration, Instant};
use tablero_tests::{Finished, run_in};

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

/// A match of four games that `script`, a line for a shell, loses; `ENGINE` is a good engine.
fn eval(script: &str, options: &str, json: &str) -> Finished {
    let folder = tempfile::tempdir().unwrap();
    let script = script.replace("ENGINE", &format!("{BINARY} uhp --player random"));
    let path = folder.path().join("engine.sh");
    std::fs::write(&path, script).unwrap();
    let command = format!(
        "eval --game hive:base --a 'uhp:\"sh {}\",{options}' --b random --games 4 \
         --max-plies 30 --threads 2 {json}",
        path.display()
    );
    run_in(BINARY, folder.path(), &command)
}

fn report(script: &str, options: &str) -> Value {
    eval(script, options, "--json").json()
}

#[test]
fn a_fault_costs_the_engine_that_game_and_is_counted() {
    for (script, kind) in [
        // Dies after some moves.
        ("sed -u 7q | ENGINE", "crashes"),
        // Writes without end instead of its second move.
        ("sed -u 5q | ENGINE; yes", "crashes"),
        (
            "ENGINE | sed -u 's/^[wb][A-Z][1-3] .*/e4/'",
            "illegal_moves",
        ),
        ("ENGINE | sed -u 's/^[wb][A-Z].*/bQ/'", "illegal_moves"),
        (
            "ENGINE | sed -u 's/^Base;InProgress.*/invalidmove never/'",
            "refusals",
        ),
        ("ENGINE | sed -u 's/^[wb][A-Z].*/err tired/'", "refusals"),
        ("ENGINE | sed -u 's/;InProgress;/;Draw;/'", "other_endings"),
    ] {
        let report = report(script, "depth=1,wait=60");
        let forfeits = &report["a_forfeits"];
        assert_eq!(forfeits[kind], 4, "{script}: {report}");
        let all = forfeits.as_object().unwrap().values();
        assert_eq!(all.map(|n| n.as_u64().unwrap()).sum::<u64>(), 4, "{report}");
        assert_eq!(
            (&report["losses"], &report["games"]),
            (&4.into(), &4.into())
        );
        assert_eq!(report["b_forfeits"]["crashes"], 0, "{report}");
        assert!(report["faults"][0].as_str().unwrap().contains("engine"));
    }
}

#[test]
fn an_engine_that_falls_silent_loses_on_time() {
    let started = Instant::now();
    let silent = "sed -u 5q | ENGINE; exec sleep 600";
    let report = report(silent, "ms=100,wait=3");
    assert_eq!(report["a_forfeits"]["time_outs"], 4, "{report}");
    assert_eq!(report["losses"], 4, "{report}");
    assert!(started.elapsed() < Duration::from_secs(300));
}

#[test]
fn the_table_has_a_column_for_each_fault() {
    let shown = eval("sed -u 7q | ENGINE", "depth=1", "").ok();
    assert!(
        shown.contains("crashes") && shown.contains("other endings"),
        "{shown}"
    );
    assert!(
        shown.contains("the engine exited instead of answering"),
        "{shown}"
    );
    // What an engine writes does not steer the terminal.
    let steering = r#"printf 'id \033]0;owned\007\nok\n'; read line; printf '\033[2Jgone' >&2"#;
    let shown = eval(steering, "depth=1", "").ok();
    assert!(
        !shown.contains('\u{1b}') && shown.contains("gone"),
        "{shown}"
    );
}

#[test]
fn an_engine_without_faults_has_none() {
    let report = report("exec ENGINE", "depth=1");
    assert_eq!(report["a_forfeits"], report["b_forfeits"], "{report}");
    assert_eq!(report["a_forfeits"]["crashes"], 0, "{report}");
    assert!(report["faults"].is_null(), "{report}");
}

#[test]
fn what_never_starts_is_refused_before_the_games() {
    for script in ["exit 3", "sleep 0.1", "yes"] {
        let finished = eval(script, "depth=1", "");
        assert_eq!(finished.code, Some(1), "{script}: {finished:?}");
        assert_eq!(finished.stdout, "", "{script}: {finished:?}");
    }
}

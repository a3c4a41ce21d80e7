//! What a newcomer meets first: quickstart, rules, tables, players as they type them, errors.

use std::fs;
use std::path::Path;
use tablero_tests::{Finished, run_in, run_with_input};

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn tablero(folder: &Path, arguments: &str) -> Finished {
    run_in(BINARY, folder, arguments)
}

/// A folder with a run of a game without points in `my runs/one`.
fn trained() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let small = include_str!("data/small.toml");
    let small = small.replace("dots-and-boxes:2x2", "queens:6");
    let evaluation = "\n[evaluation]\nevery = 1\ngames = 2\nsearch = { sims = 2 }\n\
                      opponents = [\"random\"]\noracle = true\n";
    fs::write(folder.path().join("small.toml"), small + evaluation).unwrap();
    let train = "train --config small.toml --out 'my runs/one' --rounds 2";
    let said = tablero(folder.path(), train);
    assert!(
        said.stdout
            .contains("tablero eval --a 'policy:my runs/one' --b"),
        "{said:?}"
    );
    assert!(
        said.stdout.contains("tablero export 'my runs/one' --out"),
        "{said:?}"
    );
    // Strength on the way, and no losses.
    let (first, last) = ("round 1 of 2: ", "critical decisions right");
    assert!(
        said.stderr.contains(first) && said.stderr.contains(last),
        "{said:?}"
    );
    assert!(!said.stderr.contains("loss"), "{said:?}");
    folder
}

#[test]
fn quickstart_tells_first_what_was_learnt_and_keeps_what_it_measured() {
    let folder = tempfile::tempdir().unwrap();
    let command = "quickstart --out 'my first' --rounds 1 --games 3";
    let finished = tablero(folder.path(), command);
    assert!(
        finished.stderr.contains("4 games instead of 3"),
        "{finished:?}"
    );
    let shown = finished.ok();
    let learnt = shown.find("of 100 critical decisions right").unwrap();
    let scores = shown.find("perfect play  random play  distinct").unwrap();
    let report = shown.find("Report: my first/report.html").unwrap();
    assert!(learnt < scores && scores < report, "{shown}");
    assert!(
        shown.contains("tablero play --b 'policy:my first'"),
        "{shown}"
    );
    let matches = fs::read_to_string(folder.path().join("my first/evaluations.jsonl")).unwrap();
    // One on the way, and one against each opponent.
    assert_eq!(matches.lines().count(), 4, "{matches}");
    let page = fs::read_to_string(folder.path().join("my first/report.html")).unwrap();
    assert!(page.contains(r#""b":"minimax:depth=4""#));
    let status = tablero(folder.path(), "status 'my first'").ok();
    assert!(
        status.contains("minimax:depth=4") && status.contains("Strength"),
        "{status}"
    );
    assert!(status.contains("points loss"), "{status}");
}

#[test]
fn rules_have_a_drawing_and_a_game_that_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    for (game, drawing) in [
        ("dots-and-boxes", "+---+---+"),
        ("queens", "W  x  x"),
        ("paper-soccer", "Blue scores here"),
        ("xadrersi", "a   b   c"),
        ("hive", "wQ"),
    ] {
        let text = tablero(folder.path(), &format!("rules {game}")).ok();
        assert!(text.contains(drawing), "{text}");
        assert!(
            text.contains("has won.") || text.contains("draw."),
            "{text}"
        );
        let (_, after) = text.split_once("tablero replay ").unwrap();
        let (spec, after) = after.split_once(' ').unwrap();
        let moves = after.split_once("\n\n").unwrap().1.replace('\n', " ");
        let replayed = tablero(folder.path(), &format!("replay {spec} --moves '{moves}'")).ok();
        assert!(
            replayed.contains("has won") || replayed.contains("draw"),
            "{replayed}"
        );
    }
    tablero(folder.path(), "rules quens").refused(&["did you mean queens?"]);
    tablero(folder.path(), "rules queens:7").refused(&["even number"]);
}

/// The front page is one that people read to its end, with a picture of each game.
#[test]
fn the_readme_is_short_and_shows_every_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.lines().count() <= 120);
    for game in [
        "dots-and-boxes",
        "queens",
        "paper-soccer",
        "xadrersi",
        "hive",
    ] {
        assert!(
            readme.contains(&format!("(docs/rules/{game}.png)")),
            "{game}"
        );
    }
}

/// How long a preset takes stands in the first line of its file. Other pages say the same.
#[test]
fn times_of_presets_are_the_same_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let said = tablero(folder.path(), "train --presets --json").ok();
    let presets: Vec<serde_json::Value> = serde_json::from_str(&said).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |page: &str| fs::read_to_string(root.join(page)).unwrap();
    let rows = read("models/zoo/README.md");
    let paragraphs = read("docs/strength.md");
    let paragraphs = paragraphs.split("\n\n").map(|text| text.replace('\n', " "));
    let texts: Vec<String> = rows.lines().map(str::to_owned).chain(paragraphs).collect();
    let mut n_times = 0;
    for preset in &presets {
        let (name, summary) = (&preset["name"], preset["summary"].as_str().unwrap());
        let command = format!("--preset {}`", name.as_str().unwrap());
        for text in texts.iter().filter(|text| text.contains(&command)) {
            let time = summary
                .split([',', ':', '.'])
                .find(|part| part.contains("minute"));
            let time = time
                .unwrap_or(summary)
                .trim()
                .trim_start_matches("in about ");
            assert!(text.contains(time), "expected {time:?} in {text:?}");
            n_times += 1;
        }
    }
    assert!(n_times > 10, "{n_times}");
}

#[test]
fn tables_fit_a_terminal() {
    let folder = trained();
    let run = "'policy:my runs/one,sims=2'";
    for command in [
        "games".to_owned(),
        "zoo".to_owned(),
        "train --presets".to_owned(),
        "status 'my runs/one'".to_owned(),
        "moves hive".to_owned(),
        "moves dots-and-boxes:9x9".to_owned(),
        "analyze dots-and-boxes:5x5 --player minimax:depth=4".to_owned(),
        "hint xadrersi".to_owned(),
        format!("eval --a {run} --b minimax:level=1 --games 2 --oracle"),
        format!("eval ladder {run} random greedy minimax:level=1 mcts:sims=3 --games 2"),
    ] {
        let shown = tablero(folder.path(), &command).ok();
        let tables = shown.lines().skip_while(|line| !line.contains("--"));
        for line in tables.take_while(|line| line.contains("  ")) {
            assert!(line.chars().count() <= 80, "{command}: {line}");
        }
    }
}

#[test]
fn a_folder_and_a_tilde_are_understood_in_players() {
    let folder = trained();
    let eval = |player: &str| {
        let command = format!("eval --a {player} --b random --games 2 --json");
        let wins = tablero(folder.path(), &command).json();
        wins["a"].as_str().unwrap().to_owned()
    };
    assert_eq!(eval("'my runs/one,sims=3'"), "policy:my runs/one,sims=3");
    assert_eq!(eval("'my runs/one'"), "policy:my runs/one");
    let ladder = "eval ladder 'my runs/one' random --games 2";
    assert!(tablero(folder.path(), ladder).ok().contains("my runs/one"));
    let output = std::process::Command::new(BINARY)
        .args([
            "eval",
            "--a",
            "~/my runs/one",
            "--b",
            "random",
            "--games",
            "2",
        ])
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn errors_and_notes_tell_what_happens_once() {
    let folder = trained();
    let missing = tablero(folder.path(), "train --config nowhere.toml --out x");
    missing.refused(&["nowhere.toml", "No such file"]);
    assert_eq!(
        missing.stderr.matches("No such file").count(),
        1,
        "{missing:?}"
    );
    let odd = tablero(
        folder.path(),
        "eval --game queens:6 --a random --b greedy --games 3",
    );
    assert!(odd.stderr.contains("4 games instead of 3"), "{odd:?}");
    let even = tablero(
        folder.path(),
        "eval --game queens:6 --a random --b greedy --games 2",
    );
    assert_eq!(even.stderr, "", "{even:?}");
}

#[test]
fn no_number_is_told_of_what_is_not_there() {
    let folder = trained();
    let _ = tablero(folder.path(), "train --out 'my runs/one' --rounds 3").ok();
    let status = tablero(folder.path(), "status 'my runs/one'").ok();
    assert!(!status.contains("points loss"), "{status}");
    // Learning after the last games is no round: of three rounds none is the fifth.
    assert!(status.contains("3 of 3 rounds"), "{status}");
    let (games, _) = status.split_once("Strength").unwrap();
    let rounds = games
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let last = rounds.filter_map(|word| word.parse::<u32>().ok()).max();
    assert_eq!(last, Some(3), "{status}");
    assert!(games.contains("after 3"), "{status}");
}

#[test]
fn the_best_moves_can_be_limited_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["hint", "analyze"] {
        let asked = format!("{command} queens:6 --player solver --top 2");
        let shown = tablero(folder.path(), &asked).ok();
        assert!(shown.contains("… and 34 more"), "{shown}");
        let json = tablero(folder.path(), &format!("{asked} --json")).json();
        assert_eq!(json["moves"].as_array().unwrap().len(), 2);
    }
    let all = tablero(folder.path(), "hint queens:6 --player solver --json").json();
    assert_eq!(all["moves"].as_array().unwrap().len(), 36);
}

#[test]
fn games_call_their_players_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    for (command, said) in [
        ("moves queens", "White to move"),
        ("replay queens --moves 0", "Black to move"),
        ("moves hive", "White to move"),
        ("moves dots-and-boxes", "Blue to move"),
    ] {
        let shown = tablero(folder.path(), command).ok();
        assert!(shown.contains(said), "{shown}");
    }
    let shown = run_with_input(BINARY, folder.path(), "play queens:6 --b random", "quit\n").ok();
    assert!(shown.contains("White: you"), "{shown}");
}

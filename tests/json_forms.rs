//! Every JSON form that a command prints is the one that its schema in `docs/schemas` describes.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tablero_tests::schema::Schemas;
use tablero_tests::{Finished, run_in, run_with_input};
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

/// Commands and their schemas. The first is a run, which others look at.
const COMMANDS: &[(&str, &str)] = &[
    ("train --config small.toml --out run --json", "train"),
    (
        "train --compare small.toml other.toml --evaluations 500 --games 2 --out all --json",
        "compare",
    ),
    ("train --presets --json", "presets"),
    (
        "eval --a policy:run,sims=2 --b random --games 4 --oracle --json",
        "match",
    ),
    (
        "eval --game queens:4 --a random --b greedy --games 4 --sprt 0,30 --json",
        "match",
    ),
    (
        "eval ladder policy:run,sims=2 random minimax:level=1 --games 2 --json",
        "ladder",
    ),
    ("status run --json", "status"),
    ("export run --out policy --json", "export"),
    (
        "quickstart --out quick --rounds 1 --games 2 --json",
        "quickstart",
    ),
    ("games --json", "games"),
    ("zoo --json", "zoo"),
    ("perft queens:6 --depth 3 --json", "perft"),
    ("count queens:4 --json", "count"),
    ("moves xadrersi --check Kd4 --json", "check"),
    ("solve dots-and-boxes:2x2 --json", "solve"),
    ("solve queens:4 --json", "solve"),
    ("solve queens:4 --nodes 100 --json", "solve"),
    ("hint dots-and-boxes:2x2 --player solver --json", "analysis"),
    ("analyze hive --player mcts:sims=20 --json", "analysis"),
    (
        "analyze xadrersi --player minimax:level=1 --json",
        "analysis",
    ),
    ("analyze queens --player zoo:sims=20 --json", "analysis"),
    (
        "replay dots-and-boxes:1x1 --moves '1-1-h 1-1-v 3 1' --json",
        "replay",
    ),
    ("replay hive --moves 'wS1; bG1 wS1-' --json", "replay"),
    ("bench --json", "bench"),
    (
        "doctor --preset quickstart --preset queens-8 --json",
        "doctor",
    ),
];

/// Commands that fail, each in another place.
const FAILING: &[(&str, u64)] = &[
    ("evla --json", 2),
    ("games --jsn --json", 2),
    ("moves queens:5 --json", 2),
    ("status nowhere --json", 2),
    ("train --config nowhere.toml --out new --json", 2),
    ("train --config small.toml --out small.toml/run --json", 1),
    ("solve hive --moves wX1 --json", 2),
];

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let small = include_str!("data/small.toml").replace("rounds = 5", "rounds = 2");
    let matches = "[evaluation]\nevery = 1\ngames = 2\nopponents = [\"random\"]\noracle = true\n\
                   search = { sims = 2 }\n";
    fs::write(
        folder.path().join("small.toml"),
        format!("{small}\n{matches}"),
    )
    .unwrap();
    fs::write(folder.path().join("other.toml"), small).unwrap();
    folder
}

fn tablero(folder: &Path, arguments: &str) -> Finished {
    run_in(BINARY, folder, arguments)
}

fn check(schemas: &Schemas, schema: &str, command: &str, value: &Value) {
    let root = schemas.read(&format!("{schema}.schema.json"));
    if let Some(breach) = schemas.breach(&root, value) {
        panic!("{command} is not as {schema}.schema.json says: {breach}");
    }
    assert!(!value.to_string().contains("-0.0,"), "{command}: {value}");
}

#[test]
fn what_commands_print_is_as_their_schemas_say() {
    let (folder, schemas) = (folder(), Schemas::of_docs("schemas"));
    for (command, schema) in COMMANDS {
        for value in tablero(folder.path(), command).json_lines() {
            check(&schemas, schema, command, &value);
        }
    }
    let lines = run_with_input(BINARY, folder.path(), "analyze queens:4 --lines", "\n0,0\n");
    for value in lines.json_lines() {
        check(&schemas, "analysis", "analyze --lines", &value);
    }
}

#[test]
fn errors_are_json_where_json_is_asked_for() {
    let (folder, schemas) = (folder(), Schemas::of_docs("schemas"));
    for &(command, code) in FAILING {
        let finished = tablero(folder.path(), command);
        assert_eq!(finished.stdout, "", "{command}");
        let value: Value = serde_json::from_str(&finished.stderr)
            .unwrap_or_else(|error| panic!("{command}: {error}: {finished:?}"));
        check(&schemas, "error", command, &value);
        assert_eq!(value["exit_code"], code, "{command}: {value}");
        assert_eq!(
            finished.code.map(|code| code as u64),
            Some(code),
            "{command}"
        );
        let text = value["error"].as_str().unwrap();
        assert!(
            !text.contains("error:") && !text.contains("--help"),
            "{text}"
        );
    }
    let said = tablero(folder.path(), "games --jsn --json").stderr;
    assert!(
        said.contains("a similar argument exists: '--json'"),
        "{said}"
    );
    // Help is no error.
    assert!(
        tablero(folder.path(), "games --json --help")
            .ok()
            .contains("Usage")
    );
}

/// The schemas in the folder, without their ending.
fn schema_names() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas");
    let names = fs::read_dir(folder).unwrap().map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".schema.json").unwrap().to_owned()
    });
    names.collect()
}

#[test]
fn every_json_form_has_its_schema_and_every_schema_its_place() {
    let used = COMMANDS.iter().map(|(_, schema)| (*schema).to_owned());
    let used: BTreeSet<String> = used.chain(["error".to_owned()]).collect();
    assert_eq!(schema_names(), used);
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/formats.md");
    let formats = fs::read_to_string(formats).unwrap();
    for name in used {
        let link = format!("(schemas/{name}.schema.json)");
        assert!(formats.contains(&link), "{link}");
    }
    // A command that takes --json is among those above.
    let folder = tempfile::tempdir().unwrap();
    let help = tablero(folder.path(), "--help").ok();
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let listed = listed.lines().take_while(|line| !line.is_empty());
    let named = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for name in named.filter(|name| !name.is_empty() && *name != "help") {
        let takes_json = tablero(folder.path(), &format!("{name} --help"))
            .ok()
            .contains("--json");
        let is_checked = COMMANDS
            .iter()
            .any(|(command, _)| command.starts_with(name));
        // Positions are checked in all states of all games: views.rs.
        assert!(!takes_json || is_checked || name == "moves", "{name}");
    }
}

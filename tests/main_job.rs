//! Train, evaluate, export and use an agent, as a newcomer would.

use serde_json::Value;
use tablero_tests::{Finished, run_in, run_with_input};
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_tablero-under-test");

fn tablero(folder: &TempDir, arguments: &str) -> Finished {
    run_in(BINARY, folder.path(), arguments)
}

fn weights(folder: &TempDir, directory: &str) -> Vec<u8> {
    let file = folder.path().join(directory).join("weights.safetensors");
    std::fs::read(file).unwrap()
}

fn against_minimax(player: &str) -> String {
    format!("eval --a {player},sims=10 --b minimax:depth=2 --games 10 --json")
}

#[test]
fn from_nothing_to_an_agent_in_use() {
    let folder = &tempfile::tempdir().unwrap();
    let evaluation = "[evaluation]\nevery = 4\ngames = 4\nsearch = { sims = 8 }\nopponents = [\"random\"]\n\
                      oracle = true\n";
    let config = format!("{}\n{evaluation}", include_str!("data/small.toml"));
    std::fs::write(folder.path().join("small.toml"), config).unwrap();
    let trained = tablero(folder, "train --config small.toml --out run --json").json();
    assert_eq!(
        (&trained["rounds"], &trained["games"]),
        (&5.into(), &120.into())
    );
    assert!(trained["steps"].as_u64().unwrap() > 0);

    let again = tablero(folder, "train --config small.toml --out run --json").json();
    assert_eq!(again["games"], 120, "a finished run has nothing left to do");

    let rounds = status_and_report_show_the_run(folder);
    a_policy_is_exported(folder);
    assert_eq!(trained["steps"], training(folder, "policy")["steps"]);
    let by_run = every_form_of_the_agent_plays_alike(folder);
    let [by_checkpoint, as_second] = checkpoints_are_players(folder, &by_run);
    what_was_measured_is_kept(folder, &[by_run, by_checkpoint, as_second]);
    an_agent_helps_and_plays(folder);
    the_pace_of_rounds_is_told(folder, &rounds);
}

/// Returns the metrics of its rounds.
fn status_and_report_show_the_run(folder: &TempDir) -> Vec<Value> {
    let status = tablero(folder, "status run --json").json();
    assert_eq!(status["finished"], true);
    let rounds = status["metrics"].as_array().unwrap();
    assert_eq!(rounds.len(), 6, "five rounds and the last learning");
    assert!(rounds[5]["learning"]["policy_loss"].as_f64().unwrap() > 0.0);
    assert_eq!(rounds[0]["self_play"]["evaluations"], 0, "the teacher's");
    assert!(rounds[1]["self_play"]["evaluations"].as_u64().unwrap() > 0);
    assert!(tablero(folder, "status run").ok().contains("finished"));

    assert_eq!(tablero(folder, "report run").ok().trim(), "run/report.html");
    let page = std::fs::read_to_string(folder.path().join("run/report.html")).unwrap();
    for part in [
        r#""b":"random""#,
        "policy_loss",
        r#""positions":[{"#,
        "[learner]",
        "</html>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    rounds.clone()
}

/// As weights, as an ONNX model, and rounded to half the size.
fn a_policy_is_exported(folder: &TempDir) {
    let exported = tablero(folder, "export run --out policy --json").json();
    assert_eq!(exported["game"], "dots-and-boxes:2x2");
    // Exporting again replaces the policy.
    let _ = tablero(folder, "export run --out policy").ok();
    // An ONNX model gives its weights back.
    let model = tablero(folder, "export policy --format onnx --out model --json").json();
    assert_eq!(model["weights"], "model/policy.onnx");
    let _ = tablero(folder, "export policy --half --out half").ok();
    assert!(weights(folder, "half").len() < weights(folder, "policy").len() * 6 / 10);
    let _ = tablero(
        folder,
        "hint dots-and-boxes:2x2 --player policy:half,sims=8",
    )
    .ok();
    let command = "export policy --weights model/policy.onnx --out again";
    let _ = tablero(folder, command).ok();
    assert_eq!(weights(folder, "again"), weights(folder, "policy"));
    tablero(
        folder,
        "export zoo:queens:8 --weights model/policy.onnx --out other",
    )
    .refused(&["model/policy.onnx", "tensor"]);
    tablero(folder, "export zoo:chess --out other").refused(&["no bundled policy for chess"]);
}

/// The policy, the run and the model; returns the report of the run.
fn every_form_of_the_agent_plays_alike(folder: &TempDir) -> Value {
    for sims in [0, 20] {
        let command =
            format!("eval --a policy:policy,sims={sims} --b random --games 10 --oracle --json");
        let report = tablero(folder, &command).json();
        assert_eq!(report["games"], 10);
        assert!(report["oracle"]["all"]["decisions"].as_u64().unwrap() > 0);
    }
    // The run itself serves as a player too, and is the same one.
    let by_policy = tablero(folder, &against_minimax("policy:policy")).json();
    let by_run = tablero(folder, &against_minimax("policy:run")).json();
    let by_model = tablero(folder, &against_minimax("policy:model")).json();
    for key in ["wins", "draws", "losses", "distinct_games"] {
        assert_eq!(by_policy[key], by_run[key], "{key}");
        assert_eq!(by_policy[key], by_model[key], "{key}");
    }
    by_run
}

fn training(folder: &TempDir, directory: &str) -> Value {
    let text = std::fs::read(folder.path().join(directory).join("policy.json")).unwrap();
    serde_json::from_slice::<Value>(&text).unwrap()["training"].clone()
}

/// Returns the reports of two matches of the last one.
fn checkpoints_are_players(folder: &TempDir, by_run: &Value) -> [Value; 2] {
    let checkpoint = |number: &str| format!("run/checkpoints/{number}");
    let latest = format!("policy:{}", checkpoint("000006"));
    let by_checkpoint = tablero(folder, &against_minimax(&latest)).json();
    assert_eq!(by_checkpoint["wins"], by_run["wins"]);
    let against_itself = format!("eval --a policy:model --b {latest} --games 2 --json");
    let as_second = tablero(folder, &against_itself).json();
    let earlier = format!("export {} --out earlier", checkpoint("000005"));
    let _ = tablero(folder, &earlier).ok();
    assert_eq!(training(folder, "earlier")["games"], 5 * 24);
    let steps = |directory: &str| training(folder, directory)["steps"].as_u64().unwrap();
    assert!(0 < steps("earlier") && steps("earlier") < steps("policy"));
    assert!(weights(folder, "earlier") != weights(folder, "policy"));
    tablero(folder, &earlier.replace("05", "02"))
        .refused(&["run/checkpoints/000002", "there are: 0000"]);
    tablero(folder, &earlier.replace("05", "09"))
        .refused(&["run/checkpoints/000009", "there are: 0000"]);
    [by_checkpoint, as_second]
}

/// The matches of training, then these.
fn what_was_measured_is_kept(folder: &TempDir, reports: &[Value; 3]) {
    let kept = std::fs::read_to_string(folder.path().join("run/evaluations.jsonl")).unwrap();
    let kept: Vec<Value> = kept
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let checkpoints: Vec<_> = kept
        .iter()
        .map(|each| each["checkpoint"].as_u64())
        .collect();
    assert_eq!(checkpoints, [4, 6, 6, 6, 6].map(Some));
    assert_eq!(kept[0]["report"]["b"], "random");
    assert!(
        kept[0]["report"]["oracle"]["all"]["optimal_share"]
            .as_f64()
            .unwrap()
            > 0.0
    );
    for (kept, report) in kept[2..].iter().zip(reports) {
        assert_eq!(&kept["report"], report);
    }
    assert_eq!(kept[4]["player"], 1);
    let events = folder
        .path()
        .join("run/tensorboard/events.out.tfevents.run");
    let events = std::fs::read(events).unwrap();
    for tag in ["loss/policy", "speed/evaluation_share", "self_play/draws"] {
        let n_found = events
            .windows(tag.len())
            .filter(|bytes| bytes == &tag.as_bytes())
            .count();
        assert_eq!(n_found, 5, "{tag}");
    }
}

fn an_agent_helps_and_plays(folder: &TempDir) {
    let hint = tablero(
        folder,
        "hint dots-and-boxes:2x2 --player policy:policy,sims=64 --json",
    );
    let hint = hint.json();
    let moves = hint["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 12);
    let priors: f64 = moves.iter().map(|m| m["prior"].as_f64().unwrap()).sum();
    assert!((priors - 1.0).abs() < 1e-4);
    let visits: u64 = moves.iter().map(|m| m["visits"].as_u64().unwrap()).sum();
    assert!(visits > 0);

    let command = "play --a policy:policy,sims=10 --b human";
    let shown = run_with_input(BINARY, folder.path(), command, "quit\n").ok();
    assert!(shown.contains("Blue plays"), "{shown}");
}

/// The time left of an unfinished run follows from the rounds that are shown.
fn the_pace_of_rounds_is_told(folder: &TempDir, rounds: &[Value]) {
    let config = folder.path().join("run/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("rounds = 5", "rounds = 7")).unwrap();
    let seconds = |round: usize| rounds[round]["seconds"].as_f64().unwrap();
    let expected = format!(
        "about {:.1} s to go at the pace of the last 2 rounds",
        seconds(4) + seconds(5)
    );
    let shown = tablero(folder, "status run --rounds 2").ok();
    assert!(shown.contains(&expected), "{expected}: {shown}");
}

#[test]
fn a_run_that_goes_on_after_its_end_counts_its_rounds_on() {
    let folder = tempfile::tempdir().unwrap();
    let small = include_str!("data/small.toml");
    std::fs::write(folder.path().join("small.toml"), small).unwrap();
    for (rounds, expected) in [(2, &["1 of 2", "2 of 2"][..]), (4, &["3 of 4", "4 of 4"])] {
        let command = format!("train --config small.toml --out run --rounds {rounds}");
        let finished = tablero(&folder, &command);
        let lines = finished.stderr.lines();
        let rounds: Vec<&str> = lines
            .filter_map(|line| line.strip_prefix("round ")?.split(':').next())
            .map(str::trim)
            .collect();
        assert_eq!(rounds, expected);
    }
}

#[test]
fn a_run_can_start_with_the_weights_of_an_agent() {
    let folder = tempfile::tempdir().unwrap();
    let small = include_str!("data/small.toml");
    std::fs::write(folder.path().join("small.toml"), small).unwrap();
    let weights = |directory: &str| {
        let file = folder.path().join(directory).join("weights.safetensors");
        std::fs::read(file).unwrap()
    };
    let ok = |arguments: &str| {
        let _ = tablero(&folder, arguments).ok();
    };
    ok("train --config small.toml --out run --rounds 2");
    ok("export run --out policy");
    ok("train --config small.toml --seed 9 --start-from run --out next --rounds 0");
    ok("export next --out start");
    assert!(weights("start") == weights("policy"));
    // Hive's expansions share their features.
    ok("train --preset hive-base+mlp --start-from zoo:hive:base --out hive --rounds 0");
    // It goes on without the agent, and by the same command.
    std::fs::remove_dir_all(folder.path().join("run")).unwrap();
    ok("train --config small.toml --seed 9 --start-from run --out next --rounds 2");
    ok("export next --out end");
    assert!(weights("end") != weights("policy"));
}

#[test]
fn quickstart_trains_measures_and_exports() {
    let folder = tempfile::tempdir().unwrap();
    let command = "quickstart --rounds 1 --games 4 --json";
    let summary = tablero(&folder, command).json();
    assert_eq!(summary["game"], "dots-and-boxes:3x3");
    let matches = summary["matches"].as_array().unwrap();
    let opponents: Vec<&str> = matches.iter().map(|m| m["b"].as_str().unwrap()).collect();
    assert_eq!(opponents, ["random", "minimax:depth=2", "minimax:depth=4"]);
    assert!(summary["oracle"]["critical"]["decisions"].is_u64());
    let policy = summary["policy"].as_str().unwrap();
    let command = format!("hint dots-and-boxes:3x3 --player policy:{policy},sims=8");
    assert!(tablero(&folder, &command).ok().contains("visits"));
}

/// Variants end with the round in which they have made the evaluations asked for; the same command
/// again trains no further.
#[test]
fn variants_are_compared_at_equal_evaluations() {
    let folder = tempfile::tempdir().unwrap();
    let narrow = "game = \"dots-and-boxes:2x2\"\nrounds = 1\n\
                  [network]\nkind = \"sparse\"\nwidth = 16\nhidden = [8]\n\
                  [search]\nsims = 8\n\
                  [self_play]\ngames = 20\nrandom_plies = 2\ntemperature = 1.0\n\
                  temperature_plies = 4\n[learner]\nbatch_size = 16\n";
    let wide = narrow.replace("width = 16", "width = 32");
    std::fs::write(folder.path().join("narrow.toml"), narrow).unwrap();
    std::fs::write(folder.path().join("wide.toml"), wide).unwrap();
    let command =
        "train --compare narrow.toml wide.toml --evaluations 3e3 --out both --games 4 --json";
    let first = tablero(&folder, command).json();
    for variant in first["variants"].as_array().unwrap() {
        let evaluations = variant["evaluations"].as_u64().unwrap();
        assert!(evaluations >= 3000, "{variant}");
        assert!(variant["rounds"].as_u64().unwrap() > 1, "{variant}");
    }
    let players = first["ladder"]["players"].as_array().unwrap();
    let players: Vec<&str> = players
        .iter()
        .map(|each| each["player"].as_str().unwrap())
        .collect();
    for player in [
        "minimax:level=beginner",
        "policy:both/narrow",
        "policy:both/wide",
    ] {
        assert!(players.contains(&player), "{players:?}");
    }
    let again = tablero(&folder, command).json();
    assert_eq!(again["variants"], first["variants"]);
    let twice = "train --compare narrow.toml narrow.toml --evaluations 9 --out twice";
    tablero(&folder, twice).refused(&["two configurations are called narrow"]);
}

#[test]
fn doctor_knows_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let report = tablero(&folder, "doctor --json").json();
    assert!(report["cores"].as_u64().unwrap() >= 1);
    for preset in report["presets"].as_array().unwrap() {
        assert!(preset["evaluations_a_second"].as_f64().unwrap() > 0.0);
        assert!(preset["seconds"].as_f64().unwrap() > 0.0);
    }
}

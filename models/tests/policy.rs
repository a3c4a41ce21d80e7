//! Policy directories: round trips, damage, and everything foreign.

use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{AnyGame, Encode, Game, Notation};
use tablero_models::{
    NetworkConfig, NetworkShape, Policy, PolicyError, SearchConfig, Weights, WeightsError,
    WeightsFormat,
};
use tempfile::{TempDir, tempdir};

fn mlp() -> NetworkConfig {
    NetworkConfig::Mlp { hidden: vec![20] }
}

fn residual() -> NetworkConfig {
    NetworkConfig::Residual {
        blocks: 1,
        channels: 8,
    }
}

fn game() -> DotsAndBoxes {
    DotsAndBoxes::new(2, 3).unwrap()
}

/// A policy with random weights in every layer.
fn policy(config: &NetworkConfig, seed: u64) -> Policy {
    let game = game();
    let mut weights = Weights::init(config, &NetworkShape::of(&game), seed).unwrap();
    for (_, tensor) in weights.iter_mut() {
        for (index, value) in tensor.values.iter_mut().enumerate() {
            *value += 0.05 * (((index as u64 * 7 + seed) % 5) as f32 - 2.0);
        }
    }
    let training = json!({"rounds": 12, "learning_rate": 0.1, "note": "a test"});
    let Value::Object(training) = training else {
        unreachable!("an object")
    };
    Policy::new(&game, config, weights, SearchConfig::default(), training).unwrap()
}

fn saved(config: &NetworkConfig) -> (TempDir, std::path::PathBuf) {
    let parent = tempdir().unwrap();
    let directory = parent.path().join("policy");
    policy(config, 1).save(&directory).unwrap();
    (parent, directory)
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Changes one value of `policy.json` and loads.
fn load_edited(pointer: &str, value: Value) -> PolicyError {
    let (_parent, directory) = saved(&mlp());
    let file = directory.join("policy.json");
    let mut document: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    *document.pointer_mut(pointer).unwrap() = value;
    fs::write(&file, document.to_string()).unwrap();
    Policy::load(&directory).unwrap_err()
}

#[test]
fn a_policy_comes_back_from_its_onnx_model() {
    for config in [mlp(), residual()] {
        let (parent, directory) = saved(&config);
        let plain = Policy::load(&directory).unwrap();
        let other = parent.path().join("onnx");
        plain.save_as(&other, WeightsFormat::Onnx).unwrap();
        assert_eq!(names(&other), ["golden.json", "policy.json", "policy.onnx"]);
        assert_eq!(Policy::load(&other).unwrap(), plain);
        // And over the other form, which leaves nothing behind.
        plain.save(&other).unwrap();
        assert_eq!(names(&other), names(&directory));
    }
    let error = Weights::from_onnx(b"weights of lead").unwrap_err();
    assert!(
        error.to_string().starts_with("not an ONNX model: "),
        "{error}"
    );
    // An empty message is a model without tensors.
    let (config, shape) = (mlp(), NetworkShape::of(&game()));
    let empty = Weights::from_onnx(&[]).unwrap();
    assert!(matches!(
        empty.check_network(&config, &shape),
        Err(WeightsError::Missing { .. })
    ));
}

#[test]
fn a_policy_takes_other_weights_of_the_same_network() {
    let [first, second] = [1, 2].map(|seed| policy(&residual(), seed));
    let taken = first.with_weights(second.weights.clone()).unwrap();
    assert_eq!(taken, second);
    let foreign = policy(&mlp(), 1).weights;
    assert!(matches!(
        first.with_weights(foreign),
        Err(WeightsError::Missing { .. } | WeightsError::Unexpected { .. })
    ));
}

#[test]
fn a_policy_comes_back_as_it_was_saved() {
    for config in [mlp(), residual()] {
        let (parent, directory) = saved(&config);
        let files = ["golden.json", "policy.json", "weights.safetensors"];
        assert_eq!(names(&directory), files);
        assert_eq!(names(parent.path()), ["policy"], "nothing is left aside");
        let loaded = Policy::load(&directory).unwrap();
        assert_eq!(loaded, policy(&config, 1));
        assert_eq!(loaded.manifest.training["rounds"], 12);
        assert_eq!(loaded.golden.positions.len(), 12);
        loaded.check_game(&game()).unwrap();
        assert_eq!(loaded.leaf_network().unwrap().shape().n_slots(), 2 * 3 * 4);
    }
}

/// Finite weights whose answers are not: they grew until a sum overflowed.
#[test]
fn a_diverged_network_makes_no_policy() {
    for config in [mlp(), residual()] {
        let mut weights = policy(&config, 1).weights;
        for (_, tensor) in weights.iter_mut() {
            tensor.values.fill(1e38);
        }
        let error = policy(&config, 1).with_weights(weights).unwrap_err();
        assert!(error.to_string().contains("learning_rate"), "{error}");
    }
}

#[test]
fn equal_policies_have_equal_files() {
    let (_a, first) = saved(&residual());
    let (_b, second) = saved(&residual());
    for name in names(&first) {
        let content = |directory: &Path| fs::read(directory.join(&name)).unwrap();
        assert_eq!(content(&first), content(&second), "{name}");
    }
}

#[test]
fn saving_replaces_an_older_policy_and_nothing_else() {
    let (parent, directory) = saved(&mlp());
    policy(&residual(), 2).save(&directory).unwrap();
    assert_eq!(Policy::load(&directory).unwrap(), policy(&residual(), 2));
    assert_eq!(names(parent.path()), ["policy"]);

    let empty = parent.path().join("empty");
    fs::create_dir(&empty).unwrap();
    policy(&mlp(), 3).save(&empty).unwrap();
    Policy::load(&empty).unwrap();

    // Another program's policy.json.
    let project = parent.path().join("project");
    fs::create_dir(&project).unwrap();
    fs::write(project.join("policy.json"), r#"{"Version": "2012-10-17"}"#).unwrap();
    fs::write(project.join("main.tf"), "resource").unwrap();
    let error = policy(&mlp(), 3).save(&project).unwrap_err();
    assert!(error.to_string().contains("project"), "{error}");
    assert_eq!(names(&project), ["main.tf", "policy.json"]);

    // Notes beside an older policy, and a folder under the name of one of its files.
    for (name, is_folder) in [("notes.md", false), ("golden.json", true)] {
        let (_parent, noted) = saved(&mlp());
        let note = noted.join(name);
        if is_folder {
            fs::remove_file(&note).unwrap();
            fs::create_dir(&note).unwrap();
        } else {
            fs::write(&note, "mine").unwrap();
        }
        let error = policy(&mlp(), 3).save(&noted).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
        assert!(note.exists(), "{name}");
    }

    let other = parent.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("letter.txt"), "dear").unwrap();
    let error = policy(&mlp(), 3).save(&other).unwrap_err();
    assert!(matches!(error, PolicyError::Occupied { .. }), "{error}");
    assert_eq!(names(&other), ["letter.txt"]);

    let error = policy(&mlp(), 3)
        .save(other.join("letter.txt"))
        .unwrap_err();
    assert!(matches!(error, PolicyError::Occupied { .. }), "{error}");
    let error = policy(&mlp(), 3)
        .save(other.join("letter.txt/policy"))
        .unwrap_err();
    assert!(error.to_string().contains("letter.txt"), "{error}");
    assert_eq!(fs::read(other.join("letter.txt")).unwrap(), b"dear");
}

#[test]
fn every_missing_file_is_named() {
    for name in ["golden.json", "policy.json", "weights.safetensors"] {
        let (_parent, directory) = saved(&mlp());
        fs::remove_file(directory.join(name)).unwrap();
        let error = Policy::load(&directory).unwrap_err();
        assert!(matches!(error, PolicyError::Storage(_)), "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
    let error = Policy::load("no/such/directory").unwrap_err();
    assert!(error.to_string().contains("no/such/directory"), "{error}");
}

#[test]
fn every_flipped_bit_and_every_truncation_is_found() {
    let (_parent, directory) = saved(&residual());
    for name in ["weights.safetensors", "golden.json"] {
        let file = directory.join(name);
        let good = fs::read(&file).unwrap();
        let flipped = (0..good.len()).step_by(good.len() / 50).map(|place| {
            let mut content = good.clone();
            content[place] ^= 1 << (place % 8);
            content
        });
        let truncated = [0, 1, 8, good.len() / 2, good.len() - 1];
        let truncated = truncated.map(|length| good[..length].to_vec());
        for content in flipped.chain(truncated) {
            fs::write(&file, content).unwrap();
            let error = Policy::load(&directory).unwrap_err();
            assert!(matches!(error, PolicyError::Damaged { .. }), "{error}");
            assert!(error.to_string().contains(name), "{error}");
        }
        fs::write(&file, good).unwrap();
    }
    let file = directory.join("policy.json");
    let good = fs::read(&file).unwrap();
    for length in [0, 1, good.len() / 2, good.len() - 3] {
        fs::write(&file, &good[..length]).unwrap();
        let error = Policy::load(&directory).unwrap_err();
        assert!(matches!(error, PolicyError::Json { .. }), "{error}");
    }
    fs::write(&file, good).unwrap();
    Policy::load(&directory).unwrap();
}

#[test]
fn foreign_manifests_are_refused_with_what_was_expected_and_got() {
    for (pointer, value, expected, got) in [
        (
            "/format",
            json!("other-policy"),
            "tablero-policy",
            "other-policy",
        ),
        ("/format_version", json!(1), "format version 2", "1"),
        ("/rules_version", json!(99), "rules version", "99"),
        ("/encoding_version", json!(98), "encoding version", "98"),
        (
            "/shape/policy_planes",
            json!(3),
            "policy_planes: 2",
            "policy_planes: 3",
        ),
        (
            "/shape/points",
            json!(false),
            "points: true",
            "points: false",
        ),
        (
            "/game",
            json!("dots-and-boxes:3x3"),
            "network shape",
            "3, 4]",
        ),
    ] {
        let error = load_edited(pointer, value);
        assert!(
            matches!(error, PolicyError::Foreign { .. }),
            "{pointer}: {error}"
        );
        let text = error.to_string();
        assert!(
            text.contains(expected) && text.contains(got),
            "{pointer}: {text}"
        );
    }
    for spec in ["chess", "dots-and-boxes:0x3", "dots-and-boxes:3"] {
        let error = load_edited("/game", json!(spec));
        assert!(matches!(error, PolicyError::Game(_)), "{spec}: {error}");
    }
    let expected = [game().spec(), "dots-and-boxes:3x3".to_owned()];
    let error = policy(&mlp(), 1).check_game(&DotsAndBoxes::new(3, 3).unwrap());
    let text = error.unwrap_err().to_string();
    assert!(expected.iter().all(|spec| text.contains(spec)), "{text}");
}

#[test]
fn json_of_something_else_is_refused() {
    let (_parent, directory) = saved(&mlp());
    for content in ["", "[]", "{}", "null", r#"{"format":1}"#, "\u{feff}{}"] {
        fs::write(directory.join("policy.json"), content).unwrap();
        let error = Policy::load(&directory).unwrap_err();
        assert!(
            matches!(error, PolicyError::Json { .. }),
            "{content}: {error}"
        );
    }
    let error = load_edited("/network", json!({"kind": "transformer"}));
    assert!(matches!(error, PolicyError::Json { .. }), "{error}");
    let error = load_edited("/files", json!({}));
    assert!(matches!(error, PolicyError::Damaged { .. }), "{error}");
}

#[test]
fn weights_of_another_network_are_refused() {
    let error = load_edited("/network/hidden", json!([21]));
    let PolicyError::Weights { source, .. } = &error else {
        panic!("{error}");
    };
    assert!(matches!(source, WeightsError::Shape { .. }), "{source}");
    let error = load_edited("/network/hidden", json!([20, 20]));
    assert!(error.to_string().contains("hidden.1"), "{error}");
    let error = load_edited("/network/hidden", json!([]));
    assert!(
        error.to_string().contains("number of hidden layers"),
        "{error}"
    );
}

#[test]
fn outputs_that_changed_are_found_by_the_golden_positions() {
    type Change = fn(&mut Policy);
    let changes: [(Change, &str); 7] = [
        (
            |policy| policy.golden.positions[3].policy_logits[0] += 0.01,
            "policy logits",
        ),
        (
            |policy| policy.golden.positions[3].wdl_logits[2] -= 0.01,
            "result logits",
        ),
        (
            |policy| policy.golden.positions[3].points_lead = None,
            "points lead",
        ),
        (
            |policy| policy.golden.positions[3].observation[0] = 0.5,
            "observation",
        ),
        (
            |policy| policy.golden.positions[3].slots.reverse(),
            "policy slots",
        ),
        (|policy| policy.golden.positions[3].state.push('x'), "state"),
        (
            |policy| policy.weights.get_mut("wdl.bias").unwrap().values[1] += 0.01,
            "result logits",
        ),
    ];
    for (change, what) in changes {
        let parent = tempdir().unwrap();
        let mut changed = policy(&residual(), 1);
        change(&mut changed);
        changed.save(parent.path().join("policy")).unwrap();
        let error = Policy::load(parent.path().join("policy")).unwrap_err();
        assert!(matches!(error, PolicyError::Golden { .. }), "{error}");
        assert!(error.to_string().contains(what), "{what}: {error}");
    }
    let mut changed = policy(&mlp(), 1);
    changed.golden.positions.clear();
    let parent = tempdir().unwrap();
    changed.save(parent.path().join("policy")).unwrap();
    let error = Policy::load(parent.path().join("policy")).unwrap_err();
    assert!(error.to_string().contains("number of positions"), "{error}");
}

#[test]
fn golden_positions_are_positions_of_the_game() {
    let game = game();
    let policy = policy(&mlp(), 1);
    let positions = &policy.golden.positions;
    let initial = game.initial();
    let parsed = AnyGame::parse(&policy.manifest.game).unwrap();
    assert_eq!(parsed.spec(), game.spec());
    assert_eq!(policy.manifest.planes, game.plane_descriptions());
    assert_eq!(positions[0].state, game.state_text(&initial));
    let n_legal: Vec<usize> = positions
        .iter()
        .map(|position| position.legal.len())
        .collect();
    assert_eq!(n_legal[0], game.n_actions());
    assert!(
        n_legal.iter().any(|&n| n < game.n_actions() / 2),
        "{n_legal:?}"
    );
    for position in positions {
        let state = game.parse_state(&position.state).unwrap();
        assert!(!game.is_over(&state));
    }
}

#[test]
fn a_policy_refuses_weights_that_do_not_fit() {
    let shape = NetworkShape::of(&DotsAndBoxes::new(3, 3).unwrap());
    let weights = Weights::init(&mlp(), &shape, 0).unwrap();
    let error = Policy::new(
        &game(),
        &mlp(),
        weights,
        SearchConfig::default(),
        Map::new(),
    )
    .unwrap_err();
    assert!(matches!(error, WeightsError::Shape { .. }), "{error}");
}

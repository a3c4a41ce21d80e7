//! The JSON form of positions is the one that `docs/position.schema.json` describes.

use serde_json::Value;
use std::path::Path;
use tablero_env::random::stream;
use tablero_env::view::Position;
use tablero_env::{AnyGame, BoardGame, Game, games, with_game};

/// What of a schema `value` breaks; the keywords are those that the schema uses.
fn breach(root: &Value, schema: &Value, value: &Value, path: &str) -> Option<String> {
    let says = |what: &str| Some(format!("{path}: {what}: {value}"));
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.strip_prefix("#/$defs/").unwrap();
        return breach(root, &root["$defs"][name], value, path);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let mut breaches = choices
            .iter()
            .map(|schema| breach(root, schema, value, path));
        return breaches
            .all(|breach| breach.is_some())
            .then(|| format!("{path}: {value}"));
    }
    if schema["enum"]
        .as_array()
        .is_some_and(|choices| !choices.contains(value))
    {
        return says("not one of the choices");
    }
    let fits = match schema["type"].as_str() {
        None => true,
        Some("string") => value.is_string(),
        Some("integer") => {
            value.is_i64() && value.as_i64() >= schema["minimum"].as_i64().or(value.as_i64())
        }
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("array") => return array_breach(root, schema, value, path),
        Some("object") => return object_breach(root, schema, value, path),
        Some(other) => panic!("unknown type {other}"),
    };
    if fits { None } else { says("another type") }
}

fn array_breach(root: &Value, schema: &Value, value: &Value, path: &str) -> Option<String> {
    let Some(items) = value.as_array() else {
        return Some(format!("{path}: no array: {value}"));
    };
    let n_items = items.len() as u64;
    let least = schema["minItems"].as_u64().unwrap_or(0);
    let most = schema["maxItems"].as_u64().unwrap_or(u64::MAX);
    if !(least..=most).contains(&n_items) {
        return Some(format!("{path}: {n_items} items"));
    }
    let mut items = items.iter().enumerate();
    items.find_map(|(at, item)| breach(root, &schema["items"], item, &format!("{path}/{at}")))
}

fn object_breach(root: &Value, schema: &Value, value: &Value, path: &str) -> Option<String> {
    let Some(fields) = value.as_object() else {
        return Some(format!("{path}: no object: {value}"));
    };
    let mut required = schema["required"].as_array().unwrap().iter();
    if let Some(missing) = required.find(|name| !fields.contains_key(name.as_str().unwrap())) {
        return Some(format!("{path}: {missing} is missing"));
    }
    fields
        .iter()
        .find_map(|(name, field)| match schema["properties"].get(name) {
            None => Some(format!("{path}: {name} is not described")),
            Some(schema) => breach(root, schema, field, &format!("{path}/{name}")),
        })
}

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/position.schema.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn check_games<G: BoardGame>(game: &G, schema: &Value) {
    for index in 0..2 {
        let mut rng = stream(3, "views", index);
        let (mut state, mut actions) = (game.initial(), Vec::new());
        loop {
            let position = Position::after(game, &game.initial(), &actions).unwrap();
            let value = serde_json::to_value(&position).unwrap();
            if let Some(breach) = breach(schema, schema, &value, "") {
                panic!("{} after {actions:?}: {breach}", game.spec());
            }
            if game.is_over(&state) || actions.len() >= 90 {
                break;
            }
            let action = game.sample_action(&state, &mut Vec::new(), &mut rng);
            game.play_unchecked(&mut state, action);
            actions.push(action);
        }
    }
}

#[test]
fn positions_of_all_games_are_as_the_schema_says() {
    let schema = schema();
    for entry in games() {
        let any = AnyGame::parse(entry.name).unwrap();
        with_game!(&any, game => check_games(game, &schema));
    }
}

#[test]
fn the_schema_refuses_other_positions() {
    let schema = schema();
    let any = AnyGame::parse("queens:4").unwrap();
    let position = with_game!(&any, game => Position::of(game, &game.initial()));
    let good = serde_json::to_value(position).unwrap();
    let broken: [fn(&mut Value); 4] = [
        |value| value["player"] = 2.into(),
        |value| value["board"]["cells"][0]["x"] = "0".into(),
        |value| value["actions"][0]["clicks"] = Value::Array(Vec::new()),
        |value| value["more"] = 1.into(),
    ];
    for change in broken {
        let mut value = good.clone();
        change(&mut value);
        assert!(breach(&schema, &schema, &value, "").is_some());
    }
}

//! The JSON form of positions is the one that `docs/position.schema.json` describes.

use serde_json::Value;
use tablero_env::random::stream;
use tablero_env::view::Position;
use tablero_env::{AnyGame, BoardGame, Game, games, with_game};
use tablero_tests::schema::Schemas;

fn schema() -> (Schemas, Value) {
    let schemas = Schemas::of_docs("");
    let schema = schemas.read("position.schema.json");
    (schemas, schema)
}

fn check_games<G: BoardGame>(game: &G, (schemas, schema): &(Schemas, Value)) {
    for index in 0..2 {
        let mut rng = stream(3, "views", index);
        let (mut state, mut actions) = (game.initial(), Vec::new());
        loop {
            let position = Position::after(game, &game.initial(), &actions).unwrap();
            let value = serde_json::to_value(&position).unwrap();
            if let Some(breach) = schemas.breach(schema, &value) {
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
    let (schemas, schema) = schema();
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
        assert!(schemas.breach(&schema, &value).is_some());
    }
}

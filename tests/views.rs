//! The JSON form of positions is the one that `docs/position.schema.json` describes, and the page calls
//! the players what the games call them.

use serde_json::Value;
use std::path::Path;
use tablero_env::random::stream;
use tablero_env::view::Position;
use tablero_env::{AnyGame, BoardGame, Game, Player, games, with_game};
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

/// What a game calls the players.
fn sides<G: BoardGame>(game: &G) -> [&'static str; 2] {
    Player::BOTH.map(|player| game.side(player))
}

/// What a module of the page calls the players.
fn sides_on_the_page(module: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/games");
    let path = folder.join(format!("{module}.js"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let declared = text.lines().find_map(|line| {
        let list = line.strip_prefix("export const SIDES = ")?;
        serde_json::from_str(list.strip_suffix(';')?).ok()
    });
    declared.unwrap_or_else(|| panic!("{} declares no SIDES", path.display()))
}

#[test]
fn the_page_calls_the_players_what_the_games_call_them() {
    for entry in games() {
        let any = AnyGame::parse(entry.name).unwrap();
        let sides = with_game!(&any, game => sides(game));
        let module = match entry.name {
            "dots-and-boxes" => "dots",
            "paper-soccer" => "soccer",
            name => name,
        };
        assert_eq!(sides_on_the_page(module), sides, "{}", entry.name);
    }
}

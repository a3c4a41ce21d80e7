//! What the planes of Hive's observation hold, in positions read off by hand.

use tablero_env::hive::{Hive, Kind};
use tablero_env::{Encode, Game, Notation};

const AREA: usize = 256;

/// The observation of a state, by the descriptions of its planes.
struct Observation {
    descriptions: Vec<String>,
    values: Vec<f32>,
}

impl Observation {
    fn of(game: &Hive, text: &str) -> Observation {
        let state = game.parse_state(text).unwrap();
        let descriptions = game.plane_descriptions();
        let mut values = vec![f32::NAN; descriptions.len() * AREA];
        game.write_observation(&state, &mut values);
        Observation {
            descriptions,
            values,
        }
    }

    /// The cells of a plane that are not 0, as (column, row, value).
    fn plane(&self, description: &str) -> Vec<(usize, usize, f32)> {
        let plane = self
            .descriptions
            .iter()
            .position(|other| other == description)
            .unwrap_or_else(|| panic!("no plane {description:?}"));
        let values = self.values[plane * AREA..][..AREA].iter().enumerate();
        values
            .filter(|(_, value)| **value != 0.0)
            .map(|(at, &value)| (at % 16, at / 16, value))
            .collect()
    }

    /// The one value of a plane that is the same everywhere.
    fn everywhere(&self, description: &str) -> f32 {
        let cells = self.plane(&format!("everywhere: {description}"));
        let value = cells.first().map_or(0.0, |cell| cell.2);
        let all = cells.len() == AREA && cells.iter().all(|cell| cell.2 == value);
        assert!(cells.is_empty() || all, "{description}: {cells:?}");
        value
    }
}

#[test]
fn each_plane_has_a_description_of_its_own() {
    let game = Hive::default();
    let mut descriptions = game.plane_descriptions();
    assert_eq!(game.observation_shape(), [64, 16, 16]);
    assert_eq!(descriptions.len(), 64);
    descriptions.sort_unstable();
    descriptions.dedup();
    assert_eq!(descriptions.len(), 64);
}

#[test]
fn the_empty_board_holds_hands_and_their_first_cell() {
    let observation = Observation::of(&Hive::BASE, "Base");
    for side in ["own", "enemy"] {
        for kind in Kind::ALL {
            let name = format!("{kind:?}").to_lowercase();
            let hand = observation.everywhere(&format!("share of pieces in hand: {side} {name}"));
            let expansion = matches!(kind, Kind::Mosquito | Kind::Ladybug | Kind::Pillbug);
            assert_eq!(hand, if expansion { 0.0 } else { 1.0 }, "{side} {name}");
        }
    }
    let n_hand_planes = 10;
    let n_placeable = 2;
    let ones = observation.values.iter().filter(|&&value| value == 1.0);
    assert_eq!(ones.count(), n_hand_planes * AREA + n_placeable);
}

#[test]
fn tops_covers_heights_and_the_stunned_piece_stand_where_they_are() {
    let game = Hive::parse_parameters("base+p").unwrap();
    // A row of five: the white queen with a beetle on it, then wS1 bS1 bQ bG1.
    let text = "Base+P;InProgress;Black[4];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 -wQ;bG1 bQ-;wB1 wQ";
    let observation = Observation::of(&game, text);
    let row = 7;
    for (plane, expected) in [
        ("1 where the top piece is an enemy beetle", (5, row, 1.0)),
        (
            "half the number of covered pieces: enemy queen",
            (5, row, 0.5),
        ),
        ("1 where the top piece is an enemy spider", (6, row, 1.0)),
        ("1 where the top piece is an own spider", (7, row, 1.0)),
        ("1 where the top piece is an own queen", (8, row, 1.0)),
        ("1 where the top piece is an own grasshopper", (9, row, 1.0)),
        ("1 where the top piece is stunned", (5, row, 1.0)),
    ] {
        assert_eq!(observation.plane(plane), [expected], "{plane}");
    }
    for plane in [
        "1 where the top piece is an enemy queen",
        "1 where a piece from outside of the window is shown",
    ] {
        assert_eq!(observation.plane(plane), [], "{plane}");
    }
    let heights = observation.plane("pieces on the cell, over 7");
    let seventh = 1.0 / 7.0;
    let expected = [(5, 2.0), (6, 1.0), (7, 1.0), (8, 1.0), (9, 1.0)];
    assert_eq!(
        heights,
        expected.map(|(column, n)| (column, row, n * seventh))
    );
    for (plane, expected) in [
        ("neighbours of the own queen, over 6", 2.0 / 6.0),
        ("neighbours of the enemy's queen, over 6", 1.0 / 6.0),
        ("share of pieces in hand: own queen", 0.0),
        ("share of pieces in hand: own spider", 0.5),
        ("share of pieces in hand: enemy beetle", 0.5),
        ("share of pieces in hand: own grasshopper", 2.0 / 3.0),
    ] {
        assert_eq!(observation.everywhere(plane), expected, "{plane}");
    }
}

#[test]
fn bugs_of_a_kind_are_told_apart_by_their_number() {
    let text = "Base;InProgress;White[4];wA1;bA1 wA1-;wA2 -wA1;bA2 bA1-;wA3 -wA2;bA3 bA2-";
    let observation = Observation::of(&Hive::BASE, text);
    assert_eq!(
        observation.plane("1 where the top piece is an own ant"),
        [(5, 7, 1.0), (6, 7, 1.0), (7, 7, 1.0)]
    );
    assert_eq!(
        observation.plane("1 where the top piece is number 2 of its kind"),
        [(6, 7, 1.0), (9, 7, 1.0)]
    );
    assert_eq!(
        observation.plane("1 where the top piece is number 3 of its kind"),
        [(5, 7, 1.0), (10, 7, 1.0)]
    );
    // Three bugs without a queen: she comes now.
    assert_eq!(
        observation.everywhere("1 if the own queen must be placed now"),
        1.0
    );
}

#[test]
fn occurrences_are_counted() {
    let game = Hive::BASE;
    let dance = r"wQ -wS1;bQ bS1-;wQ \wS1;bQ bS1\";
    let mut state = game.initial();
    let moves = format!(r"wS1;bS1 wS1-;wQ \wS1;bQ bS1\;{dance};{dance}");
    for (ply, text) in moves.split(';').enumerate() {
        let action = game.parse_action(&state, text).unwrap();
        game.play(&mut state, action).unwrap();
        let observation = Observation::of(&game, &game.state_text(&state));
        // The dance begins at ply 4; after its four moves the position is the one of before.
        let expected = match ply {
            0..7 => 0.0,
            7..11 => 0.5,
            _ => 1.0,
        };
        let repeated = observation.everywhere("earlier occurrences of the position, over 2");
        assert_eq!(repeated, expected, "after move {}", ply + 1);
    }
}

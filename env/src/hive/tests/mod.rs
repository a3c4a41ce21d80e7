//! The rules on positions that are drawn, each for one point of the rules.

mod along;
mod endings;
mod gates;
mod refusals;
mod throws;
mod walks;

use super::{Action, Cell, Hive, Illegal, Opening, Piece, State};
use crate::{ActionId, Game, Notation, Player};

const MLP: Hive = Hive {
    mosquito: true,
    ladybug: true,
    pillbug: true,
    opening: Opening::Tournament,
};

fn piece(name: &str) -> Piece {
    Piece::all()
        .find(|piece| piece.to_string() == name)
        .unwrap_or_else(|| panic!("{name} is no piece"))
}

/// A position with White to move, as a drawing of the ground: hexes stand on a corner, six
/// characters for each, each row shifted by three against the one above. Lines such as
/// `wB1 on bQ` build the stacks.
fn white_to_move(drawing: &str) -> State {
    arranged(drawing, Player::First, None)
}

/// The same with Black to move.
fn black_to_move(drawing: &str) -> State {
    arranged(drawing, Player::Second, None)
}

/// The same after a ply that moved a piece.
fn arranged(drawing: &str, to_move: Player, stunned: Option<&str>) -> State {
    let mut pieces: Vec<(Piece, Cell)> = Vec::new();
    let mut first_column = None;
    for (r, line) in drawing.lines().enumerate() {
        if let Some((upper, lower)) = line.trim().split_once(" on ") {
            let (upper, lower) = (piece(upper), piece(lower));
            let cell = pieces.iter().find(|(piece, _)| *piece == lower).unwrap().1;
            pieces.push((upper, cell));
            continue;
        }
        let mut column = 0;
        for token in line.split_inclusive(' ') {
            let name = token.trim();
            if !name.is_empty() && name != "." {
                let x = column as i32 - 3 * r as i32;
                let first = *first_column.get_or_insert(x);
                assert_eq!((x - first) % 6, 0, "{name} is between two hexes");
                pieces.push((piece(name), Cell::new((x - first) / 6, r as i32)));
            }
            column += token.len();
        }
    }
    State::arranged(&pieces, to_move, stunned.map(piece))
}

/// The id of a move written as a MoveString.
fn id(state: &State, text: &str) -> ActionId {
    MLP.parse_action(state, text).unwrap()
}

/// Asserts where a piece can go, each destination written as in a MoveString.
#[track_caller]
fn assert_goes(state: &State, name: &str, destinations: &[&str]) {
    let mut legal = Vec::new();
    MLP.legal_actions(state, &mut legal);
    let mut found: Vec<String> = legal
        .into_iter()
        .filter(|&id| matches!(Action::from_id(id), Some(Action::Put(moved, _)) if moved == piece(name)))
        .map(|id| MLP.action_text(state, id))
        .collect();
    let mut expected: Vec<String> = destinations
        .iter()
        .map(|to| MLP.action_text(state, id(state, &format!("{name} {to}"))))
        .collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "\n{}", MLP.draw(state));
}

/// Asserts why a move is refused, by all that say so.
#[track_caller]
fn assert_refused(state: &State, text: &str, reason: Illegal) {
    assert_id_refused(&MLP, state, id(state, text), reason);
}

#[track_caller]
fn assert_id_refused(game: &Hive, state: &State, id: ActionId, reason: Illegal) {
    assert_eq!(
        game.legality(state, id),
        Err(reason),
        "\n{}",
        game.draw(state)
    );
    assert!(!game.is_legal(state, id));
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    assert!(!legal.contains(&id));
}

/// Plays moves, all of which must be legal.
#[track_caller]
fn play(state: &mut State, moves: &[&str]) {
    for text in moves {
        let id = id(state, text);
        if let Err(reason) = MLP.play(state, id) {
            panic!("{text}: {reason}\n{}", MLP.draw(state));
        }
    }
}

#[test]
fn a_drawing_is_read_as_it_looks() {
    let state = white_to_move(
        "
            wA1   wA2
         bA1   wQ    bA2
            bA3   wG1
         bB1 on wQ",
    );
    let queen = state.cell_of(piece("wQ")).unwrap();
    let around = ["bA2", "wA2", "wA1", "bA1", "bA3", "wG1"];
    assert_eq!(
        queen.neighbours().map(|cell| state.top(cell)),
        around.map(|name| Some(piece(name)))
    );
    assert!(state.stack(queen).eq([piece("bB1"), piece("wQ")]));
}

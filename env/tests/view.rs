//! What positions tell of their past.

use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::hive::Hive;
use tablero_env::paper_soccer::PaperSoccer;
use tablero_env::view::{Form, Position, View};
use tablero_env::xadrersi::Xadrersi;
use tablero_env::{ActionId, Game, Notation, Player};

/// The actions of a list of texts.
fn actions<G: Notation>(game: &G, list: &str) -> Vec<ActionId> {
    let mut state = game.initial();
    let read = list.split(';').map(|text| {
        let action = game.parse_action(&state, text.trim()).unwrap();
        game.play(&mut state, action).unwrap();
        action
    });
    read.collect()
}

fn after<G: View>(game: &G, list: &str) -> Position {
    Position::after(game, &game.initial(), &actions(game, list)).unwrap()
}

/// The texts and players of the latest actions.
fn latest(position: &Position) -> Vec<(&str, Player)> {
    let steps = position.latest.iter();
    steps
        .map(|step| (step.action.text.as_str(), step.player))
        .collect()
}

#[test]
fn a_turn_of_several_actions_is_told_as_one() {
    use Player::{First, Second};
    let game = PaperSoccer::new(4, 4).unwrap();
    let bounced = after(&game, "0,1;1,1;0,0");
    assert_eq!(bounced.player, Some(First));
    assert_eq!(bounced.again, Some("by bouncing"));
    // The opponent's turn, and this one so far.
    assert_eq!(latest(&bounced), [("1,1", Second), ("0,0", First)]);
    assert_eq!(bounced.latest[1].action.from.as_deref(), Some("p1,1"));
    let passed = after(&game, "0,1;1,1;0,0;0,-1");
    assert_eq!((passed.player, passed.again), (Some(Second), None));
    assert_eq!(latest(&passed), [("0,0", First), ("0,-1", First)]);
}

#[test]
fn captures_are_told_before_and_after() {
    let game = DotsAndBoxes::new(1, 2).unwrap();
    let position = after(&game, "1-1-h;2-1-h;1-1-v;1-2-h");
    let capture = position
        .actions
        .iter()
        .find(|action| action.text == "1-2-v");
    assert_eq!(capture.unwrap().changes, ["b0"]);
    let captured = after(&game, "1-1-h;2-1-h;1-1-v;1-2-h;1-2-v");
    assert_eq!(captured.again, Some("by capturing a box"));
    assert_eq!(captured.board.cells[0].owner, Some(Player::First));
    assert_eq!(captured.board.cells[1].owner, None);
}

#[test]
fn a_finished_game_has_an_outcome_and_nobody_to_move() {
    let game = DotsAndBoxes::new(1, 1).unwrap();
    let position = after(&game, "1-1-h;2-1-h;1-1-v;1-2-v");
    assert_eq!((position.player, position.again), (None, None));
    assert_eq!(position.outcome.unwrap().winner, Some(Player::Second));
    assert!(position.actions.is_empty());
}

#[test]
fn an_illegal_action_is_named_by_its_place() {
    let game = DotsAndBoxes::new(1, 1).unwrap();
    let refused = Position::after(&game, &game.initial(), &[ActionId(0), ActionId(0)]);
    let refused = refused.unwrap_err();
    assert_eq!(refused.index, 1);
    assert!(refused.to_string().starts_with("action 2 of 2 is illegal"));
}

#[test]
fn hive_tells_stacks_hands_and_why_pieces_are_stuck() {
    let list = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 -wQ;bA1 bQ-;wB1 wQ;bA1 -wB1";
    let board = after(&Hive::default(), list).board;
    assert_eq!(board.form, Form::Hexes);
    let piece = |id: &str| {
        let mut pieces = board.pieces.iter();
        pieces
            .find(|piece| piece.id.as_deref() == Some(id))
            .unwrap()
    };
    assert_eq!((piece("wQ").level, piece("wB1").level), (0, 1));
    assert_eq!(piece("wQ").cell, piece("wB1").cell);
    assert_eq!(piece("wQ").stuck, Some("under another piece"));
    assert_eq!(piece("wS1").stuck, Some("the hive would split"));
    assert_eq!(
        piece("bA1").stuck,
        Some("has just been moved by the opponent")
    );
    let beetles = board.reserves.iter().find(|reserve| reserve.id == "wB2");
    assert_eq!(beetles.unwrap().count, 1);
}

#[test]
fn xadrersi_tells_what_squares_count() {
    let position = after(&Xadrersi, "Kd4;Qd5");
    let sums = [0, 1].map(|player| {
        let cells = position.board.cells.iter();
        cells
            .map(|cell| i32::from(cell.counts.unwrap()[player]))
            .sum::<i32>()
    });
    assert_eq!(Some(sums), position.points);
}

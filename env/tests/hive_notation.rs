//! Hive's MoveStrings, GameStrings and drawings. Forms:
//! <https://github.com/jonthysell/Mzinga/wiki/UniversalHiveProtocol>.

use tablero_env::hive::{Action, Cell, Direction, Hive, Kind, N_ACTIONS, Piece, State};
use tablero_env::random::{positions, stream};
use tablero_env::{ActionId, Game, Notation, NotationError, Player};

fn base() -> Hive {
    Hive::BASE
}

fn piece(name: &str) -> Piece {
    Piece::all()
        .find(|piece| piece.to_string() == name)
        .expect("the name of a piece")
}

/// A game given by its moves.
fn played(game: &Hive, moves: &str) -> State {
    let mut state = game.initial();
    for text in moves.split(';') {
        let action = game.parse_action(&state, text).unwrap();
        game.play(&mut state, action).unwrap();
    }
    state
}

/// What an action in a position is read as.
fn read(game: &Hive, state: &State, text: &str) -> Action {
    Action::from_id(game.parse_action(state, text).unwrap()).unwrap()
}

fn action_error(game: &Hive, state: &State, text: &str) -> String {
    match game.parse_action(state, text).unwrap_err() {
        NotationError::Action { expected, got } => {
            assert!(text.contains(&got), "{text}: {got}");
            expected
        }
        other => panic!("{text}: {other}"),
    }
}

fn state_error(game: &Hive, text: &str) -> String {
    match game.parse_state(text).unwrap_err() {
        NotationError::State { expected, got } => {
            assert!(text.contains(&got), "{text}: {got}");
            expected
        }
        other => panic!("{text}: {other}"),
    }
}

/// The six places beside a piece, as the protocol draws them: `-` is left or right of it, `/`
/// and `\` are the edges of a hex that stands on a corner.
#[test]
fn the_mark_tells_the_side_of_the_reference() {
    let game = base();
    let state = played(&game, "wS1");
    for (text, direction) in [
        ("bS1 wS1-", Direction::East),
        ("bS1 wS1/", Direction::NorthEast),
        (r"bS1 \wS1", Direction::NorthWest),
        ("bS1 -wS1", Direction::West),
        ("bS1 /wS1", Direction::SouthWest),
        (r"bS1 wS1\", Direction::SouthEast),
    ] {
        let action = Action::Put(piece("bS1"), Cell::ORIGIN.neighbour(direction));
        assert_eq!(read(&game, &state, text), action);
        assert_eq!(game.action_text(&state, action.id()), text);
    }
}

#[test]
fn the_first_piece_needs_no_reference_and_no_other_goes_without() {
    let game = base();
    let empty = game.initial();
    let first = Action::Put(piece("wS1"), Cell::ORIGIN);
    assert_eq!(read(&game, &empty, "wS1"), first);
    assert_eq!(game.action_text(&empty, first.id()), "wS1");
    let state = played(&game, "wS1");
    assert!(action_error(&game, &state, "bS1").contains("bS1 with a place"));
    let no_reference = action_error(&game, &empty, "wS1 wG1-");
    assert!(no_reference.contains("on the board"));
}

#[test]
fn any_neighbour_serves_as_reference_and_case_makes_no_difference() {
    let game = base();
    let state = played(&game, r"wS1;bS1 wS1-;wQ -wS1;bQ bS1-");
    let texts = [
        r"wA1 \wS1",
        "wA1 wQ/",
        "  wA1   wQ/  ",
        "WA1 WQ/",
        r"wa1 \ws1",
    ];
    for text in texts {
        let action = read(&game, &state, text);
        assert_eq!(game.action_text(&state, action.id()), "wA1 wQ/", "{text}");
    }
    assert_eq!(read(&game, &state, " PASS "), Action::Pass);
    assert_eq!(game.action_text(&state, Action::Pass.id()), "pass");
}

/// A stack goes by the name of its top, and any piece in it stands for its cell.
#[test]
fn climbing_names_the_top_of_the_stack() {
    let game = base();
    let mut state = played(&game, r"wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 \wQ;bB1 bQ/");
    let climb = read(&game, &state, "wB1 wQ");
    assert_eq!(
        climb,
        Action::Put(piece("wB1"), state.cell_of(piece("wQ")).unwrap())
    );
    assert_eq!(game.action_text(&state, climb.id()), "wB1 wQ");
    game.play(&mut state, climb.id()).unwrap();
    // The covered queen is as good a reference as the beetle on it.
    for text in ["bA1 wB1/", "bA1 wQ/"] {
        let action = read(&game, &state, text);
        assert_eq!(game.action_text(&state, action.id()), "bA1 wB1/", "{text}");
    }
    assert_eq!(
        read(&game, &state, "bB1 wQ"),
        read(&game, &state, "bB1 wB1")
    );
    // Down again: the moving piece is not its own reference, what it uncovers is.
    let aside = read(&game, &state, "bB1 bS1/");
    game.play(&mut state, aside.id()).unwrap();
    let down = read(&game, &state, r"wB1 \wB1");
    assert_eq!(game.action_text(&state, down.id()), r"wB1 \wQ");
}

#[test]
fn the_moving_piece_is_no_reference_of_its_own_in_what_is_written() {
    let game = base();
    let state = played(&game, r"wS1;bS1 wS1-;wQ \wS1;bQ bS1/");
    // The queen goes from the north-west of the spider to its west, where it would touch itself.
    let action = read(&game, &state, r"wQ /wQ");
    assert_eq!(game.action_text(&state, action.id()), "wQ -wS1");
    assert!(game.is_legal(&state, action.id()));
}

#[test]
fn what_is_no_move_string_is_refused_with_the_form_that_is_read() {
    let game = base();
    let state = played(&game, "wS1;bS1 wS1-");
    for (text, part) in [
        ("", "PIECE"),
        ("   ", "PIECE"),
        ("wA1 wS1- bS1", "PIECE REFERENCE"),
        ("pass wS1-", "nothing after pass"),
        ("xA1 wS1-", "a piece: w or b"),
        ("wX1 wS1-", "a piece: w or b"),
        ("wA4 wS1-", "a piece: w or b"),
        ("wA0 wS1-", "a piece: w or b"),
        ("wA wS1-", "a piece: w or b"),
        ("wQ1 wS1-", "a piece: w or b"),
        ("wA11 wS1-", "a piece: w or b"),
        ("w", "a piece: w or b"),
        ("é", "a piece: w or b"),
        ("wA1 wS1--", "before or after"),
        ("wA1 -wS1-", "before or after"),
        ("wA1 -", "before or after"),
        (r"wA1 \", "before or after"),
        ("wA1 wS9/", "before or after"),
        ("wA1 ü-", "before or after"),
        ("wA1 wG1-", "on the board"),
        ("wA1 bQ", "on the board"),
        ("wA1 @3", "@Q,R"),
        ("wA1 @3,32", "@Q,R"),
        ("wA1 @-1,3", "@Q,R"),
        ("wA1 @,", "@Q,R"),
    ] {
        let expected = action_error(&game, &state, text);
        assert!(expected.contains(part), "{text:?}: {expected}");
    }
}

/// Far from the hive, under it, of pieces that the game does not have: the text is read back.
#[test]
fn every_id_has_a_text_of_its_own_in_any_position() {
    let game = base();
    let random = positions(&game, stream(0, "hive notation", 0));
    for state in random.step_by(20).take(3) {
        for id in (0..N_ACTIONS as u32).map(ActionId) {
            let text = game.action_text(&state, id);
            assert_eq!(game.parse_action(&state, &text), Ok(id), "{text}");
        }
    }
}

#[test]
fn a_game_string_tells_type_standing_turn_and_moves() {
    let game = base();
    let empty = "Base;NotStarted;White[1]";
    assert_eq!(game.state_text(&game.initial()), empty);
    assert_eq!(game.parse_state(empty), Ok(game.initial()));
    assert_eq!(game.parse_state("Base"), Ok(game.initial()));
    for text in [
        "Base;InProgress;Black[1];wS1",
        "Base;InProgress;White[2];wS1;bS1 wS1-",
    ] {
        let state = game.parse_state(text).unwrap();
        assert_eq!(game.state_text(&state), text);
    }
    let all = Hive::default();
    let types = ["Base+MLP", "base+mlp", "Base+PLM"];
    for text in types.map(|game_type| format!("{game_type};InProgress;Black[1];wM")) {
        let state = all.parse_state(&text).unwrap();
        assert_eq!(all.state_text(&state), "Base+MLP;InProgress;Black[1];wM");
    }
}

/// The games are the author's own, played out by hand on the rules.
#[test]
fn a_finished_game_is_read_with_its_result() {
    let game = base();
    // The white queen comes to be surrounded by bugs of both sides.
    let spiral = r"wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bA1 bQ-;wA2 \wQ;bA1 \wS1;wA3 /wQ;bA2 bQ-;wA1 -wA2;bA2 /wS1;wA1 -wQ";
    let state = played(&game, spiral);
    assert!(game.is_over(&state));
    assert_eq!(game.outcome(&state).unwrap().winner, Some(Player::Second));
    let text = game.state_text(&state);
    assert!(text.starts_with("Base;BlackWins;Black[7];wS1;"), "{text}");
    assert_eq!(game.parse_state(&text), Ok(state));
    let further = text.replace("Black[7]", "White[8]") + ";bA1 wA1";
    let error = state_error(&game, &further);
    assert!(
        error.contains("move number 14: the game is over"),
        "{error}"
    );
}

#[test]
fn a_third_occurrence_is_a_draw_and_nothing_else() {
    let game = base();
    // Both queens step away and back: the position after Black's queen was placed occurs again.
    let dance = r"wQ -wS1;bQ bS1-;wQ \wS1;bQ bS1\";
    let moves = format!(r"wS1;bS1 wS1-;wQ \wS1;bQ bS1\;{dance};{dance}");
    let state = played(&game, &moves);
    assert_eq!(game.outcome(&state).unwrap().winner, None);
    let text = game.state_text(&state);
    assert!(text.starts_with("Base;Draw;White[7];"), "{text}");
    assert_eq!(game.parse_state(&text), Ok(state));
    let error = state_error(&game, &text.replace("Draw", "InProgress"));
    assert_eq!(error, "Draw, which the moves lead to");
}

#[test]
fn parts_of_a_game_string_that_contradict_each_other_are_named() {
    let game = base();
    for (text, part) in [
        ("", "a game type"),
        (";NotStarted;White[1]", "a game type"),
        ("Chess;NotStarted;White[1]", "a game type"),
        ("Base,opening=free;NotStarted;White[1]", "a game type"),
        ("Base+;NotStarted;White[1]", "a game type"),
        ("Base+MM;NotStarted;White[1]", "a game type"),
        ("Base+M;NotStarted;White[1]", "the game type Base"),
        ("Base;NotStarted", "GAMETYPE;GAMESTATE;TURN"),
        ("Base;InProgress;White[1]", "NotStarted, which"),
        ("Base;Draw;Black[1];wS1", "InProgress, which"),
        ("Base;Lost;Black[1];wS1", "InProgress, which"),
        ("Base;InProgress;White[1];wS1", "Black[1], which"),
        ("Base;InProgress;Black[2];wS1", "Black[1], which"),
        ("Base;InProgress;Black 1;wS1", "Black[1], which"),
        ("Base;InProgress;Black[1];wS1;", "a legal move number 2: "),
        (
            "Base;InProgress;White[2];wS1;bS1",
            "number 2: not an action",
        ),
        (
            "Base;InProgress;White[2];wS1;bS1 bQ-",
            "number 2: not an action",
        ),
        (
            "Base;InProgress;White[2];wQ;bS1 wQ-",
            "a legal move number 1: ",
        ),
        (
            "Base;InProgress;White[2];wS1;wS2 wS1-",
            "a legal move number 2: ",
        ),
        (
            "Base;InProgress;White[2];wS1;bS1 @9,9",
            "a legal move number 2: ",
        ),
        (
            "Base;InProgress;White[2];wS1;pass",
            "a legal move number 2: ",
        ),
        (
            "Base;InProgress;White[2];wM;bS1 wM-",
            "a legal move number 1: ",
        ),
    ] {
        let expected = state_error(&game, text);
        assert!(expected.contains(part), "{text:?}: {expected}");
    }
}

#[test]
fn names_of_pieces_are_read_as_they_are_written() {
    let game = Hive::default();
    let state = game.initial();
    for piece in Piece::all() {
        let expected = Action::Put(piece, Cell::ORIGIN);
        assert_eq!(read(&game, &state, &piece.to_string()), expected);
        let numbered = piece.kind().count() > 1;
        assert_eq!(piece.to_string().len(), 2 + usize::from(numbered));
    }
    let named: usize = Kind::ALL.iter().map(|kind| kind.count()).sum();
    assert_eq!(named, 14);
}

//! Each reason for a refusal.

use super::{BEFORE_THE_LAST, action, after, square};
use tablero_env::xadrersi::{Illegal, Kind, State, Xadrersi};
use tablero_env::{ActionId, Game, Notation, Player};

fn refusal(state: &State, text: &str) -> Illegal {
    let mut played = state.clone();
    let reason = Xadrersi.play(&mut played, action(text)).unwrap_err();
    assert_eq!(&played, state);
    reason
}

#[test]
fn an_id_beyond_the_last_is_off_the_board() {
    let off_board = |id| Err(Illegal::OffBoard { id, last: 319 });
    let mut state = Xadrersi.initial();
    assert_eq!(Xadrersi.play(&mut state, ActionId(320)), off_board(320));
    let most = u32::MAX;
    assert_eq!(Xadrersi.play(&mut state, ActionId(most)), off_board(most));
    assert_eq!(action("Nh8"), ActionId(319));
}

#[test]
fn a_piece_needs_an_empty_square_that_touches_a_piece_of_either_side() {
    let state = after("Kd4 Rd5");
    assert_eq!(refusal(&state, "Rd5"), Illegal::Occupied(square("d5")));
    assert_eq!(refusal(&state, "Rd4"), Illegal::Occupied(square("d4")));
    assert_eq!(refusal(&state, "Rd7"), Illegal::NotTouching(square("d7")));
    // d6 touches Black's rook alone, c3 White's king alone.
    assert!(Xadrersi.is_legal(&state, action("Rd6")));
    assert!(Xadrersi.is_legal(&state, action("Rc3")));
}

#[test]
fn a_side_places_no_more_than_it_has() {
    let state = after("Kd4 Rd5 Rd6 Re5 Re6 Nc5");
    assert_eq!(refusal(&state, "Rc6"), Illegal::NoneLeft(Kind::Rook));
    assert_eq!(refusal(&state, "Kc6"), Illegal::NoneLeft(Kind::King));
    let state = after("Kd4 Rd5 Rd6 Re5 Re6");
    assert_eq!(refusal(&state, "Rc6"), Illegal::NoneLeft(Kind::Rook));
    let state = after("Kd4 Qd5 Qd6 Re5");
    assert_eq!(refusal(&state, "Qe6"), Illegal::NoneLeft(Kind::Queen));
}

#[test]
fn kings_are_placed_first_and_last_and_at_no_other_time() {
    let out_of_time = |kind, ply| Illegal::KingOutOfTime { kind, ply };
    let state = Xadrersi.initial();
    for (text, kind) in [("Qd4", Kind::Queen), ("Na1", Kind::Knight)] {
        assert_eq!(refusal(&state, text), out_of_time(kind, 0));
    }
    let state = after("Kd4");
    assert_eq!(refusal(&state, "Kd5"), out_of_time(Kind::King, 1));
    let state = after("Kd4 Qd5 Qd6");
    assert_eq!(refusal(&state, "Ke5"), out_of_time(Kind::King, 3));
}

#[test]
fn a_queen_calls_for_the_other_queen_at_once() {
    let mut state = after("Kd4");
    let played = Xadrersi.play(&mut state, action("Qd5")).unwrap();
    assert!(played.queen_called);
    assert_eq!(refusal(&state, "Rd3"), Illegal::QueenCall(Kind::Rook));
    let mut legal = Vec::new();
    Xadrersi.legal_actions(&state, &mut legal);
    assert!(
        legal
            .iter()
            .all(|action| action.index() / 64 == Kind::Queen.index())
    );
    let played = Xadrersi.play(&mut state, action("Qd3")).unwrap();
    assert!(!played.queen_called, "the answer is no call");
    assert!(Xadrersi.is_legal(&state, action("Rd2")));
    // White may call as well.
    let state = after("Kd4 Rd5 Qd3");
    assert_eq!(refusal(&state, "Rd2"), Illegal::QueenCall(Kind::Rook));
    assert!(Xadrersi.is_legal(&state, action("Qd2")));
}

#[test]
fn the_bishops_of_a_side_stand_on_different_colours() {
    let state = after("Kd4 Bd5 Be3 Nd6");
    let one_colour = Illegal::BishopsOnOneColour {
        square: square("c5"),
        other: square("e3"),
    };
    assert_eq!(refusal(&state, "Bc5"), one_colour);
    assert!(Xadrersi.is_legal(&state, action("Be4")), "the other colour");
    // A bishop of each side may stand on one colour.
    let state = after("Kd4 Bd5 Be4");
    assert_eq!(
        state.piece(square("e4")),
        Some((Player::First, Kind::Bishop))
    );
}

#[test]
fn the_last_piece_of_white_leaves_a_square_for_blacks_king() {
    let mut state = Xadrersi.parse_state(BEFORE_THE_LAST).unwrap();
    assert_eq!(
        refusal(&state, "Na1"),
        Illegal::NoSquareForKing(square("a1"))
    );
    let mut legal = Vec::new();
    Xadrersi.legal_actions(&state, &mut legal);
    let texts = legal.iter().map(|&id| Xadrersi.action_text(&state, id));
    let expected = "Nh2 Na3 Nb3 Nc3 Nd3 Ne3 Nf3 Ng3 Nh3";
    assert!(texts.eq(expected.split(' ')));
    Xadrersi.play(&mut state, action("Nh2")).unwrap();
    assert_eq!(state.anchor(), Some(square("h2")));
}

#[test]
fn blacks_king_touches_the_last_piece_of_white() {
    let mut state = Xadrersi.parse_state(BEFORE_THE_LAST).unwrap();
    Xadrersi.play(&mut state, action("Nh2")).unwrap();
    // a1 and a3 touch Black's queen, d5 nothing.
    for text in ["a1", "a3", "d5"] {
        let (square, last) = (square(text), square("h2"));
        let expected = Illegal::KingNotTouchingLast { square, last };
        assert_eq!(refusal(&state, &format!("K{text}")), expected);
    }
    assert_eq!(refusal(&state, "Kg2"), Illegal::Occupied(square("g2")));
    assert_eq!(refusal(&state, "Ng3"), Illegal::NoneLeft(Kind::Knight));
    let mut legal = Vec::new();
    Xadrersi.legal_actions(&state, &mut legal);
    assert_eq!(legal, [action("Kg3"), action("Kh3")]);
    let played = Xadrersi.play(&mut state, action("Kh3")).unwrap();
    assert_eq!((state.anchor(), played.next), (None, None));
    assert_eq!(refusal(&state, "Ka1"), Illegal::GameOver);
    let outcome = Xadrersi.outcome(&state).unwrap();
    assert_eq!(outcome.points, Some(played.points));
}

//! Drawings, states and actions as text.

use super::{BEFORE_THE_LAST, action, after};
use tablero_env::xadrersi::{State, Xadrersi};
use tablero_env::{ActionId, Game, Notation};

#[test]
fn a_position_is_drawn_with_the_squares_that_count() {
    let state = after("Kb2 Nc3");
    assert_eq!(Xadrersi.state_text(&state), "8/8/8/8/8/2n5/1K6/8:-");
    let expected = "     a   b   c   d   e   f   g   h\n\
                    8    .   .   .   .   .   .   .   .    8\n\
                    7    .   .   .   .   .   .   .   .    7\n\
                    6    .   .   .   .   .   .   .   .    6\n\
                    5    .  0:1  .  0:1  .   .   .   .    5\n\
                    4   0:1  .   .   .  0:1  .   .   .    4\n\
                    3   1:0 1:0  n   .   .   .   .   .    3\n\
                    2   1:1  K  1:0  .  0:1  .   .   .    2\n\
                    1   1:0 1:1 1:0 0:1  .   .   .   .    1\n\
                    \x20    a   b   c   d   e   f   g   h\n";
    assert_eq!(Xadrersi.draw(&state), expected);
    assert_eq!(
        Xadrersi.remarks(&state),
        [
            "White: 7 points: a1 b1 c1 a2 c2 a3 b3",
            "Black: 8 points: b1 d1 a2 e2 a4 e4 b5 d5",
            "White holds QRRBBNN",
            "Black holds kqrrbbn",
        ]
    );
    let duties = |state: &State| Xadrersi.remarks(state).split_off(4);
    let called = after("Kd4 Qd5");
    assert_eq!(duties(&called), ["White must answer with the queen"]);
    let mut last = Xadrersi.parse_state(BEFORE_THE_LAST).unwrap();
    Xadrersi.play(&mut last, action("Nh2")).unwrap();
    assert_eq!(duties(&last), ["Black's king must touch h2"]);
}

#[test]
fn contradictions_in_a_state_are_named() {
    for (text, part) in [
        ("8/8/8/8/8/8/8:-", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/8", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/9:-", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/44:-", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/8K:-", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/7P:-", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/8/8:z9", "PLACEMENT:LAST"),
        ("8/8/8/8/8/8/KKn5/rn6:-", "at most a king"),
        ("8/8/8/8/8/8/K7/NB6:-", "or one more"),
        ("8/8/8/8/8/8/n7/8:-", "or one more"),
        ("8/8/8/8/8/8/Nn6/8:-", "White's king before"),
        ("8/8/8/8/8/8/Kk6/8:-", "Black's king after"),
        ("8/8/8/8/8/B1B5/Kn6/n7:-", "different colours"),
        ("8/8/8/8/8/8/KQ6/nr6:-", "a queen of both"),
        ("8/8/8/8/8/8/K1n5/8:-", "touch each other"),
        ("8/8/8/8/8/8/Kn6/8:a2", "else '-'"),
        ("8/8/8/8/8/8/qrrbbnnN/1KQRRBBN:-", "else '-'"),
        // Another piece's square; the king's; one that was needed before; one without a square.
        ("8/8/8/8/8/8/qrrbbnnN/1KQRRBBN:a2", "a last piece of White"),
        ("8/8/8/8/8/8/qrrbbnnN/1KQRRBBN:b1", "a last piece of White"),
        (
            "8/8/8/8/nnN5/3R4/qrrbb3/1KQRBBN1:d3",
            "a last piece of White",
        ),
        ("8/8/8/8/8/8/qrrbbnn1/NKQRRBBN:a1", "a last piece of White"),
        ("k7/8/8/8/8/8/qrrbbnnN/1KQRRBBN:-", "touch each other"),
        ("8/8/8/8/8/k7/qrrbbnnN/1KQRRBBN:-", "Black's king beside"),
    ] {
        let error = Xadrersi.parse_state(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn an_action_is_a_piece_and_a_square() {
    assert_eq!(action("Ka1"), ActionId(0));
    assert_eq!(action("Qd4"), ActionId(64 + 27));
    assert_eq!(action(" nh8 "), ActionId(319));
    for text in [
        "", "Q", "Qd", "Qd9", "Qi1", "Pd4", "Qd44", "d4", "QD4", "Qé",
    ] {
        let read = Xadrersi.parse_action(&Xadrersi.initial(), text);
        assert!(read.is_err(), "{text}");
    }
}

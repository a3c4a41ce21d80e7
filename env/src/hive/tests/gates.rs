//! Gates above the ground: two stacks higher than both ends of the way block it.

use super::*;

/// A beetle on the ground, between two stacks.
#[test]
fn a_beetle_does_not_climb_between_two_higher_stacks() {
    // The way up to wQ, one high, leads between two stacks of two.
    let blocked = white_to_move(
        "
            bA1   wQ    bQ
         bG1   wB1   bA2
            bS1   bS2
         bB1 on bA1
         bB2 on bA2",
    );
    let reason = Illegal::GateBlocks {
        piece: piece("wB1"),
        gate: [piece("bB1"), piece("bB2")],
    };
    // wQ is north-east of wB1, between bA1 to the north-west and bA2 to the east.
    assert_refused(&blocked, "wB1 wQ", reason);
    assert_goes(&blocked, "wB1", &["bA1", "bA2", "bG1", "bS1", "bS2"]);
    // One of the stacks alone blocks nothing.
    let open = white_to_move(
        "
            bA1   wQ    bQ
         bG1   wB1   bA2
            bS1   bS2
         bB1 on bA1",
    );
    assert_goes(&open, "wB1", &["bA1", "bA2", "bG1", "bS1", "bS2", "wQ"]);
}

#[test]
fn a_beetle_on_top_passes_stacks_of_its_own_height_and_no_higher() {
    let level = white_to_move(
        "
            bA1   wQ    bQ
         bG1   wA1   bA2
         bB1 on bA1
         bB2 on bA2
         wB1 on wA1",
    );
    // It stands on one piece, and the gate is two high.
    let reason = Illegal::GateBlocks {
        piece: piece("wB1"),
        gate: [piece("bB1"), piece("bB2")],
    };
    assert_refused(&level, "wB1 wQ", reason);
    // From two pieces up it passes.
    let higher = white_to_move(
        "
            bA1   wQ    bQ
         bG1   wA1   bA2
         bB1 on bA1
         bB2 on bA2
         wB1 on wA1
         wB2 on wA1",
    );
    assert_goes(
        &higher,
        "wB2",
        &["wQ", "bA1", "bA2", "bG1", "wA1\\", "/wA1"],
    );
}

#[test]
fn a_beetle_comes_down_between_no_two_higher_stacks() {
    let state = white_to_move(
        "
            bA1   .     bQ
         wQ    wA1   bA2
         bB1 on bA1
         bB2 on bA2
         wB1 on wA1",
    );
    let reason = Illegal::GateBlocks {
        piece: piece("wB1"),
        gate: [piece("bB1"), piece("bB2")],
    };
    assert_refused(&state, "wB1 wA1/", reason);
}

/// The position with both stacks closes a way that either stack alone leaves open.
#[track_caller]
fn assert_both_stacks_block(drawing: &str, text: &str) {
    let stacks = ["\n bB1 on bA1", "\n bB2 on bA2"];
    for open in ["", stacks[0], stacks[1]] {
        let state = white_to_move(&format!("{drawing}{open}"));
        assert_eq!(MLP.legality(&state, id(&state, text)), Ok(()), "{open}");
    }
    let state = white_to_move(&format!("{drawing}{}", stacks.concat()));
    let piece = piece("wL");
    assert_refused(&state, text, Illegal::NoPathOverHive { piece });
}

#[test]
fn a_ladybug_does_not_climb_between_two_higher_stacks() {
    // Beyond bQ it gets over wQ alone.
    let drawing = "
                  bQ
         bA1   wQ
            wL    bA2";
    assert_both_stacks_block(drawing, "wL bQ/");
}

#[test]
fn a_ladybug_does_not_cross_between_two_higher_stacks() {
    // To the far side of wQ it gets over bQ and wQ alone.
    let drawing = "
         bA1   wQ
            bQ    bA2
         wL";
    assert_both_stacks_block(drawing, "wL wQ/");
}

#[test]
fn a_ladybug_does_not_come_down_between_two_higher_stacks() {
    // The cell north-east of wQ lies between bA1 and bA2.
    let drawing = "
            bA1   .
               wQ    bA2
            bQ
         wL";
    assert_both_stacks_block(drawing, "wL wQ/");
}

#[test]
fn a_throw_goes_up_through_no_gate() {
    let drawing = "
                  bA1
         .     wP    bG1
            wQ    bA2
               bQ";
    let exits = ["-wP", "\\wP"];
    for stacks in ["", "\n bB1 on bA1", "\n bB2 on bA2"] {
        let state = white_to_move(&format!("{drawing}{stacks}"));
        assert_goes(&state, "bG1", &exits);
    }
    let closed = white_to_move(&format!("{drawing}\n bB1 on bA1\n bB2 on bA2"));
    assert_goes(&closed, "bG1", &[]);
    let reason = Illegal::GateBlocks {
        piece: piece("bG1"),
        gate: [piece("bB2"), piece("bB1")],
    };
    assert_refused(&closed, "bG1 -wP", reason);
    // The others pass.
    assert_goes(&closed, "wQ", &["-wP", "\\wP", "/wQ"]);
}

#[test]
fn a_throw_comes_down_through_no_gate() {
    let drawing = "
               bA1   .
            bG1   wP    bA2
               wQ    .
                  bQ";
    for stacks in ["", "\n bB1 on bA1", "\n bB2 on bA2"] {
        let state = white_to_move(&format!("{drawing}{stacks}"));
        assert_goes(&state, "bG1", &["wP/", "wP\\"]);
    }
    let closed = white_to_move(&format!("{drawing}\n bB1 on bA1\n bB2 on bA2"));
    assert_goes(&closed, "bG1", &["wP\\"]);
    let reason = Illegal::GateBlocks {
        piece: piece("bG1"),
        gate: [piece("bB1"), piece("bB2")],
    };
    assert_refused(&closed, "bG1 wP/", reason);
}

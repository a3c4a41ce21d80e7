//! Each reason for a refusal.

use super::Illegal::*;
use super::*;

/// White has all pieces in hand but those drawn; so has Black.
const OPEN: &str = "
            wA1   wQ    bQ    bA1";

/// A ring with a pocket that is closed by gates.
const POCKET: &str = "
            bA1   bA2
         bQ    .     bS1
            wQ    bS2
         wA1";

/// A pillbug between a queen and an enemy ant.
const PILLBUG: &str = "
            wQ    wP    bA1
               bQ";

/// A position with White to move: moves that are refused, and where the piece in question can go
/// instead.
type Case<'a> = (
    &'a str,
    &'a [(&'a str, Illegal)],
    &'a [(&'a str, &'a [&'a str])],
);

#[track_caller]
fn assert_cases(cases: &[Case<'_>]) {
    for (drawing, refused, goes) in cases {
        let state = white_to_move(drawing);
        for (text, reason) in *refused {
            assert_refused(&state, text, *reason);
        }
        for (name, destinations) in *goes {
            assert_goes(&state, name, destinations);
        }
    }
}

#[test]
#[rustfmt::skip]
fn the_end_and_placements() {
    let p = piece;
    assert_cases(&[
        // The game is over.
        ("
            wA1   wA2
         bA1   wQ    bA2
            bA3   wG1   bQ",
        &[("wG2 -wA1", GameOver), ("pass", GameOver)], &[]),
        (OPEN, &[("pass", PassWithMoves)], &[]),
        // Placements: of the other side's piece, out of order, beside the enemy (also if it touches
        // nothing else), apart, on a piece.
        (OPEN, &[
            ("bA2 bA1-", NotYours { piece: p("bA2") }),
            ("wG3 -wA1", OutOfOrder { piece: p("wG3"), next: p("wG1") }),
            ("wG1 wQ/", TouchesEnemy { piece: p("wG1"), enemy: p("bQ") }),
            ("wG1 bA1-", TouchesEnemy { piece: p("wG1"), enemy: p("bA1") }),
            ("wG1 @20,20", NotConnected { piece: p("wG1"), from_hand: true }),
            ("wB1 bQ", Occupied { piece: p("wB1"), occupant: p("bQ") }),
        ], &[]),
        // Another piece when the queen must come.
        ("
            wA1   wA2   wA3   bA1   bQ",
        &[("wG1 -wA1", QueenMustBePlaced { queen: p("wQ"), piece: p("wG1") })],
        &[("wQ", &["-wA1", "\\wA1", "/wA1", "\\wA2", "/wA2", "\\wA3", "/wA3"]), ("wG1", &[])]),
        // Nothing moves before the queen, and no pillbug throws.
        ("
            wA1   wP    bA1   bQ",
        &[
            ("wA1 bQ-", QueenNotPlaced { piece: p("wA1"), queen: p("wQ") }),
            ("wA1 wP/", QueenNotPlaced { piece: p("wA1"), queen: p("wQ") }),
        ], &[]),
    ]);
}

#[test]
#[rustfmt::skip]
fn steps_and_jumps() {
    let p = piece;
    assert_cases(&[
        // Moves of a piece that is not White's, of one that holds the hive together, to where it is.
        (OPEN, &[
            ("bA1 wA1/", NotYours { piece: p("bA1") }),
            ("wQ /wA1", WouldSplit { piece: p("wQ") }),
            ("wA1 wA1", AlreadyThere { piece: p("wA1") }),
        ], &[]),
        ("
            wA1   wQ    bQ
            bB1 on wA1",
        &[("wA1 bQ-", Covered { piece: p("wA1"), top: p("bB1") })], &[]),
        // One step: not two, not onto a piece, not away from the hive, not through a gate.
        ("
            wQ    wA1   bQ    wB1",
        &[
            ("wQ wA1/", NotAdjacent { piece: p("wQ") }),
            ("wB1 wA1", NotAdjacent { piece: p("wB1") }),
            ("wQ wA1", Occupied { piece: p("wQ"), occupant: p("wA1") }),
            ("wQ -wQ", NotConnected { piece: p("wQ"), from_hand: false }),
            ("wQ \\wQ", NotConnected { piece: p("wQ"), from_hand: false }),
            ("wB1 wB1-", NotConnected { piece: p("wB1"), from_hand: false }),
        ], &[]),
        ("
            bA1
         bQ    wQ    bS1
            bG1   bG2",
        &[("wQ wQ/", GateBlocks { piece: p("wQ"), gate: [p("bA1"), p("bS1")] })], &[]),
        // A grasshopper turns; jumps over a gap or over nothing; ends on a piece.
        ("
            wG1   wQ    bQ
                     bA1",
        &[("wG1 bA1-", NotStraight { piece: p("wG1") })], &[]),
        ("
            wG1   wQ    .     bS1
               bQ    bA1   bA2",
        &[
            ("wG1 bS1-", GapInLine { piece: p("wG1"), n_jumped: 1 }),
            ("wG1 -wG1", GapInLine { piece: p("wG1"), n_jumped: 0 }),
        ], &[("wG1", &["wQ-", "bQ\\"])]),
        ("
            wG1   wQ    bQ",
        &[("wG1 bQ", Occupied { piece: p("wG1"), occupant: p("bQ") })], &[]),
        // A spider goes two cells, or four.
        ("
            wS1   wQ    bQ    bA1",
        &[
            ("wS1 wQ/", NotThreeSteps { piece: p("wS1") }),
            ("wS1 bA1/", NotThreeSteps { piece: p("wS1") }),
        ], &[("wS1", &["bQ/", "bQ\\"])]),
    ]);
}

#[test]
#[rustfmt::skip]
fn paths_powers_and_throws() {
    let p = piece;
    assert_cases(&[
        // An ant has no path through a gate.
        (POCKET, &[("wA1 bQ-", NoPath { piece: p("wA1") })], &[]),
        // A ladybug goes too far; over one piece instead of two.
        ("
            wL    wQ    bQ    bA1   bA2",
        &[
            ("wL bA2-", NoPathOverHive { piece: p("wL") }),
            ("wL -wL", NoPathOverHive { piece: p("wL") }),
        ], &[("wL", &["wQ/", "wQ\\", "bQ/", "bQ\\"])]),
        // A mosquito touches only a mosquito; nothing of use.
        ("
            wM    bM    wQ    bQ",
        &[("wM bM/", OnlyMosquitoes { piece: p("wM") })], &[("wM", &[])]),
        ("
            wM    wQ    bQ    bA1",
        &[("wM bA1-", NoNeighbourCan { piece: p("wM") })], &[("wM", &["\\wQ", "/wQ"])]),
        // Throws: out of the pillbug's reach, by a mosquito that touches no pillbug, of a stacked
        // piece, onto a piece.
        ("
            wP    wQ    bQ    bA1",
        &[("bA1 wP/", NoPillbugReaches { piece: p("bA1") })], &[]),
        ("
            wP    wQ    bQ    wM    bA1",
        &[("bA1 wM/", NoNeighbourCan { piece: p("wM") })], &[]),
        ("
            wQ    wP    bQ
            bB1 on bQ",
        &[("bB1 wP/", TargetStacked { piece: p("bB1"), under: p("bQ") })], &[]),
        (PILLBUG,
        &[("bA1 bQ", Occupied { piece: p("bA1"), occupant: p("bQ") })],
        &[("bA1", &["wP/", "\\wP", "wP\\"])]),
    ]);
}

#[test]
fn there_is_no_such_action() {
    let [id, last] = [28_673, 28_672].map(ActionId);
    let state = MLP.initial();
    assert_id_refused(&MLP, &state, id, NoSuchAction { id, last });
}

#[test]
fn a_piece_that_the_game_does_not_have() {
    let piece = piece("wM");
    let id = Action::Put(piece, Cell::ORIGIN).id();
    let state = Hive::BASE.initial();
    assert_id_refused(&Hive::BASE, &state, id, NotInGame { piece });
}

#[test]
fn on_the_first_turns() {
    let mut state = MLP.initial();
    assert_refused(&state, "pass", PassWithMoves);
    let queen = piece("wQ");
    assert_refused(&state, "wQ", QueenOnFirstTurn { queen });
    let piece = piece("wA1");
    let beside = Action::Put(piece, Cell::new(1, 0)).id();
    assert_id_refused(&MLP, &state, beside, FirstNotOnOrigin { piece });
    play(&mut state, &["wA1"]);
    let queen = super::piece("bQ");
    assert_refused(&state, "bQ wA1-", QueenOnFirstTurn { queen });
    let apart = NotConnected {
        piece: super::piece("bA1"),
        from_hand: true,
    };
    assert_refused(&state, "bA1 @2,0", apart);
}

#[test]
fn a_queen_on_her_sides_first_turn_is_free_to_come_in_the_free_opening() {
    let game = Hive {
        opening: Opening::Free,
        ..MLP
    };
    let mut state = game.initial();
    for text in ["wQ", "bQ wQ-"] {
        let id = id(&state, text);
        game.play(&mut state, id).unwrap();
    }
}

#[test]
fn nothing_but_the_queen_when_she_must_come() {
    let state = white_to_move(
        "
            wA1   wA2   wA3   bA1   bQ",
    );
    let mut legal = Vec::new();
    MLP.legal_actions(&state, &mut legal);
    assert_eq!(legal.len(), 7);
}

#[test]
fn a_covered_enemy_is_no_enemy_to_a_placement_and_a_covered_friend_no_friend() {
    let state = white_to_move(
        "
            wA1   wQ    bQ    bA1   bA2
            wB1 on bQ",
    );
    assert!(MLP.is_legal(&state, id(&state, "wG1 wQ/")));
    let enemy = |piece_name, enemy_name| TouchesEnemy {
        piece: piece(piece_name),
        enemy: piece(enemy_name),
    };
    assert_refused(&state, "wG1 bQ/", enemy("wG1", "bA1"));
    let state = black_to_move(
        "
            wA1   wQ    bQ
            wB1 on bQ",
    );
    assert_refused(&state, "bG1 bQ-", enemy("bG1", "wB1"));
}

#[test]
fn a_piece_that_the_opponent_has_thrown() {
    let drawing = "
            wA1   wQ    bQ    bP";
    let state = arranged(drawing, Player::First, Some("wA1"));
    let piece = piece("wA1");
    assert_refused(&state, "wA1 bP-", Stunned { piece });
    assert_goes(&state, "wA1", &[]);
}

#[test]
fn a_throw_of_the_piece_that_moved_last() {
    let piece = piece("bA1");
    let state = arranged(PILLBUG, Player::First, Some("bA1"));
    assert_refused(&state, "bA1 wP/", TargetMovedLast { piece });
}

#[test]
fn a_throw_by_a_covered_or_stunned_pillbug() {
    let stunned = arranged(PILLBUG, Player::First, Some("wP"));
    let piece = piece("wP");
    assert_refused(&stunned, "bA1 wP/", Stunned { piece });
    let covered = white_to_move(&format!("{PILLBUG}\n bB1 on wP"));
    let top = super::piece("bB1");
    assert_refused(&covered, "bA1 wP/", Covered { piece, top });
}

#[test]
fn messages_name_the_pieces() {
    let gate = GateBlocks {
        piece: piece("wQ"),
        gate: [piece("bA1"), piece("bS1")],
    };
    assert_eq!(gate.to_string(), "wQ cannot pass between bA1 and bS1");
    let apart = NotConnected {
        piece: piece("wA1"),
        from_hand: true,
    };
    assert_eq!(
        apart.to_string(),
        "wA1 would not be connected to a piece of its side"
    );
}

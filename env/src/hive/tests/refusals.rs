//! Each reason for a refusal.

use super::*;

/// White has all pieces in hand but those drawn; so has Black.
const OPEN: &str = "
    wA1   wQ    bQ    bA1
";

#[test]
fn the_game_is_over() {
    let state = white_to_move(
        "
            wA1   wA2
         bA1   wQ    bA2
            bA3   wG1   bQ",
    );
    assert_refused(&state, "wG2 -wA1", Illegal::GameOver);
    assert_refused(&state, "pass", Illegal::GameOver);
}

#[test]
fn there_is_no_such_action() {
    let [id, last] = [28_673, 28_672].map(ActionId);
    let state = MLP.initial();
    assert_id_refused(&MLP, &state, id, Illegal::NoSuchAction { id, last });
}

#[test]
fn a_pass_while_a_move_exists() {
    assert_refused(&MLP.initial(), "pass", Illegal::PassWithMoves);
    assert_refused(&white_to_move(OPEN), "pass", Illegal::PassWithMoves);
}

#[test]
fn a_piece_that_the_game_does_not_have() {
    let piece = piece("wM");
    let id = Action::Put(piece, Cell::ORIGIN).id();
    let reason = Illegal::NotInGame { piece };
    assert_id_refused(&Hive::BASE, &Hive::BASE.initial(), id, reason);
}

#[test]
fn not_your_piece() {
    let state = white_to_move(OPEN);
    let reason = |name| Illegal::NotYours { piece: piece(name) };
    assert_refused(&state, "bA2 bA1-", reason("bA2"));
    assert_refused(&state, "bA1 wA1/", reason("bA1"));
}

#[test]
fn a_higher_number_before_a_lower_one() {
    let reason = Illegal::OutOfOrder {
        piece: piece("wG3"),
        next: piece("wG1"),
    };
    assert_refused(&white_to_move(OPEN), "wG3 -wA1", reason);
}

#[test]
fn the_first_piece_beside_the_origin() {
    let id = Action::Put(piece("wA1"), Cell::new(1, 0)).id();
    let piece = piece("wA1");
    assert_id_refused(
        &MLP,
        &MLP.initial(),
        id,
        Illegal::FirstNotOnOrigin { piece },
    );
}

#[test]
fn a_queen_on_her_sides_first_turn() {
    let mut state = MLP.initial();
    let queen = piece("wQ");
    assert_refused(&state, "wQ", Illegal::QueenOnFirstTurn { queen });
    play(&mut state, &["wA1"]);
    let queen = piece("bQ");
    assert_refused(&state, "bQ wA1-", Illegal::QueenOnFirstTurn { queen });
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
fn another_piece_when_the_queen_must_come() {
    let state = white_to_move(
        "
            wA1   wA2   wA3   bA1   bQ",
    );
    let reason = Illegal::QueenMustBePlaced {
        queen: piece("wQ"),
        piece: piece("wG1"),
    };
    assert_refused(&state, "wG1 -wA1", reason);
    assert_goes(
        &state,
        "wQ",
        &["-wA1", "\\wA1", "/wA1", "\\wA2", "/wA2", "\\wA3", "/wA3"],
    );
    let mut legal = Vec::new();
    MLP.legal_actions(&state, &mut legal);
    assert_eq!(legal.len(), 7, "and nothing else");
}

#[test]
fn a_placement_that_touches_the_enemy() {
    let piece = piece("wG1");
    let enemy = super::piece("bQ");
    let reason = Illegal::TouchesEnemy { piece, enemy };
    assert_refused(&white_to_move(OPEN), "wG1 wQ/", reason);
    // Also one that touches nothing else.
    let enemy = super::piece("bA1");
    let reason = Illegal::TouchesEnemy { piece, enemy };
    assert_refused(&white_to_move(OPEN), "wG1 bA1-", reason);
}

#[test]
fn a_covered_enemy_is_no_enemy_to_a_placement_and_a_covered_friend_no_friend() {
    let state = white_to_move(
        "
            wA1   wQ    bQ    bA1   bA2
            wB1 on bQ",
    );
    let mut legal = Vec::new();
    MLP.legal_actions(&state, &mut legal);
    assert!(legal.contains(&id(&state, "wG1 wQ/")));
    let enemy = piece("bA1");
    let reason = Illegal::TouchesEnemy {
        piece: piece("wG1"),
        enemy,
    };
    assert_refused(&state, "wG1 bQ/", reason);
    let state = black_to_move(
        "
            wA1   wQ    bQ
            wB1 on bQ",
    );
    assert_refused(
        &state,
        "bG1 bQ-",
        Illegal::TouchesEnemy {
            piece: piece("bG1"),
            enemy: piece("wB1"),
        },
    );
}

#[test]
fn a_placement_apart() {
    let reason = |name| Illegal::NotConnected {
        piece: piece(name),
        from_hand: true,
    };
    assert_refused(&white_to_move(OPEN), "wG1 @20,20", reason("wG1"));
    let mut state = MLP.initial();
    play(&mut state, &["wA1"]);
    assert_refused(&state, "bA1 @2,0", reason("bA1"));
}

#[test]
fn a_placement_on_a_piece() {
    let reason = Illegal::Occupied {
        piece: piece("wB1"),
        occupant: piece("bQ"),
    };
    assert_refused(&white_to_move(OPEN), "wB1 bQ", reason);
}

#[test]
fn nothing_moves_before_the_queen() {
    let state = white_to_move(
        "
            wA1   wP    bA1   bQ",
    );
    let reason = |name| Illegal::QueenNotPlaced {
        piece: piece(name),
        queen: piece("wQ"),
    };
    assert_refused(&state, "wA1 bQ-", reason("wA1"));
    // Nor does the pillbug throw.
    assert_refused(&state, "wA1 wP/", reason("wA1"));
}

#[test]
fn a_covered_piece() {
    let state = white_to_move(
        "
            wA1   wQ    bQ
            bB1 on wA1",
    );
    let reason = Illegal::Covered {
        piece: piece("wA1"),
        top: piece("bB1"),
    };
    assert_refused(&state, "wA1 bQ-", reason);
}

#[test]
fn a_piece_that_the_opponent_has_thrown() {
    let drawing = "
            wA1   wQ    bQ    bP";
    let state = arranged(drawing, Player::First, Some("wA1"));
    let piece = piece("wA1");
    assert_refused(&state, "wA1 bP-", Illegal::Stunned { piece });
    assert_goes(&state, "wA1", &[]);
}

#[test]
fn a_piece_that_holds_the_hive_together() {
    let piece = piece("wQ");
    assert_refused(
        &white_to_move(OPEN),
        "wQ /wA1",
        Illegal::WouldSplit { piece },
    );
}

#[test]
fn a_piece_is_already_there() {
    let piece = piece("wA1");
    assert_refused(
        &white_to_move(OPEN),
        "wA1 wA1",
        Illegal::AlreadyThere { piece },
    );
}

#[test]
fn one_step_is_not_two() {
    let reason = |name| Illegal::NotAdjacent { piece: piece(name) };
    let state = white_to_move(
        "
            wQ    wA1   bQ    wB1",
    );
    assert_refused(&state, "wQ wA1/", reason("wQ"));
    assert_refused(&state, "wB1 wA1", reason("wB1"));
}

#[test]
fn one_step_onto_a_piece() {
    let reason = Illegal::Occupied {
        piece: piece("wQ"),
        occupant: piece("wA1"),
    };
    let state = white_to_move(
        "
            wQ    wA1   bQ",
    );
    assert_refused(&state, "wQ wA1", reason);
}

#[test]
fn a_step_away_from_the_hive() {
    let state = white_to_move(
        "
            wQ    wA1   bQ    wB1",
    );
    for text in ["wQ -wQ", "wQ \\wQ", "wB1 wB1-"] {
        let reason = Illegal::NotConnected {
            piece: piece(&text[..text.find(' ').unwrap()]),
            from_hand: false,
        };
        assert_refused(&state, text, reason);
    }
}

#[test]
fn a_gate_of_two_pieces() {
    let state = white_to_move(
        "
            bA1
         bQ    wQ    bS1
            bG1   bG2",
    );
    let reason = Illegal::GateBlocks {
        piece: piece("wQ"),
        gate: [piece("bA1"), piece("bS1")],
    };
    assert_refused(&state, "wQ wQ/", reason);
}

#[test]
fn a_grasshopper_turns() {
    let state = white_to_move(
        "
            wG1   wQ    bQ
                     bA1",
    );
    let reason = Illegal::NotStraight {
        piece: piece("wG1"),
    };
    assert_refused(&state, "wG1 bA1-", reason);
}

#[test]
fn a_grasshopper_jumps_over_a_gap_or_over_nothing() {
    let state = white_to_move(
        "
            wG1   wQ    .     bS1
               bQ    bA1   bA2",
    );
    let reason = |n_jumped| Illegal::GapInLine {
        piece: piece("wG1"),
        n_jumped,
    };
    assert_refused(&state, "wG1 bS1-", reason(1));
    assert_refused(&state, "wG1 -wG1", reason(0));
    assert_goes(&state, "wG1", &["wQ-", "bQ\\"]);
}

#[test]
fn a_grasshopper_ends_on_a_piece() {
    let reason = Illegal::Occupied {
        piece: piece("wG1"),
        occupant: piece("bQ"),
    };
    let state = white_to_move(
        "
            wG1   wQ    bQ",
    );
    assert_refused(&state, "wG1 bQ", reason);
}

#[test]
fn a_spider_goes_two_cells_or_four() {
    let state = white_to_move(
        "
            wS1   wQ    bQ    bA1",
    );
    let reason = Illegal::NotThreeSteps {
        piece: piece("wS1"),
    };
    assert_refused(&state, "wS1 wQ/", reason);
    assert_refused(&state, "wS1 bA1/", reason);
    assert_goes(&state, "wS1", &["bQ/", "bQ\\"]);
}

#[test]
fn an_ant_has_no_path_through_a_gate() {
    let state = white_to_move(POCKET);
    let reason = Illegal::NoPath {
        piece: piece("wA1"),
    };
    assert_refused(&state, "wA1 bQ-", reason);
}

/// A ring with a pocket that is closed by gates.
const POCKET: &str = "
            bA1   bA2
         bQ    .     bS1
            wQ    bS2
         wA1";

#[test]
fn a_ladybug_finds_no_path() {
    let state = white_to_move(
        "
            wL    wQ    bQ    bA1   bA2",
    );
    let reason = Illegal::NoPathOverHive { piece: piece("wL") };
    assert_refused(&state, "wL bA2-", reason);
    // It must go over two pieces, not one.
    assert_refused(&state, "wL -wL", reason);
    assert_goes(&state, "wL", &["wQ/", "wQ\\", "bQ/", "bQ\\"]);
}

#[test]
fn a_mosquito_that_touches_only_a_mosquito() {
    let state = white_to_move(
        "
            wM    bM    wQ    bQ",
    );
    let reason = Illegal::OnlyMosquitoes { piece: piece("wM") };
    assert_refused(&state, "wM bM/", reason);
    assert_goes(&state, "wM", &[]);
}

#[test]
fn a_mosquito_that_touches_nothing_of_use() {
    let state = white_to_move(
        "
            wM    wQ    bQ    bA1",
    );
    let reason = Illegal::NoNeighbourCan { piece: piece("wM") };
    assert_refused(&state, "wM bA1-", reason);
    assert_goes(&state, "wM", &["\\wQ", "/wQ"]);
}

#[test]
fn a_throw_out_of_the_pillbugs_reach() {
    let state = white_to_move(
        "
            wP    wQ    bQ    bA1",
    );
    let reason = Illegal::NoPillbugReaches {
        piece: piece("bA1"),
    };
    assert_refused(&state, "bA1 wP/", reason);
}

#[test]
fn a_throw_by_a_mosquito_that_touches_no_pillbug() {
    let state = white_to_move(
        "
            wP    wQ    bQ    wM    bA1",
    );
    let reason = Illegal::NoNeighbourCan { piece: piece("wM") };
    assert_refused(&state, "bA1 wM/", reason);
}

#[test]
fn a_throw_of_a_stacked_piece() {
    let state = white_to_move(
        "
            wQ    wP    bQ
            bB1 on bQ",
    );
    let reason = Illegal::TargetStacked {
        piece: piece("bB1"),
        under: piece("bQ"),
    };
    assert_refused(&state, "bB1 wP/", reason);
}

#[test]
fn a_throw_of_the_piece_that_moved_last() {
    let drawing = "
            wQ    wP    bA1
               bQ";
    let piece = piece("bA1");
    let state = arranged(drawing, Player::First, Some("bA1"));
    assert_refused(&state, "bA1 wP/", Illegal::TargetMovedLast { piece });
    assert_goes(&white_to_move(drawing), "bA1", &["wP/", "\\wP", "wP\\"]);
}

#[test]
fn a_throw_onto_a_piece() {
    let state = white_to_move(
        "
            wQ    wP    bA1
               bQ",
    );
    let reason = Illegal::Occupied {
        piece: piece("bA1"),
        occupant: piece("bQ"),
    };
    assert_refused(&state, "bA1 bQ", reason);
}

#[test]
fn a_throw_by_a_covered_or_stunned_pillbug() {
    let drawing = "
            wQ    wP    bA1
               bQ";
    let stunned = arranged(drawing, Player::First, Some("wP"));
    let piece = piece("wP");
    assert_refused(&stunned, "bA1 wP/", Illegal::Stunned { piece });
    let covered = white_to_move(&format!("{drawing}\n bB1 on wP"));
    let top = super::piece("bB1");
    assert_refused(&covered, "bA1 wP/", Illegal::Covered { piece, top });
}

#[test]
fn messages_name_the_pieces() {
    let gate = Illegal::GateBlocks {
        piece: piece("wQ"),
        gate: [piece("bA1"), piece("bS1")],
    };
    assert_eq!(gate.to_string(), "wQ cannot pass between bA1 and bS1");
    let apart = Illegal::NotConnected {
        piece: piece("wA1"),
        from_hand: true,
    };
    assert_eq!(
        apart.to_string(),
        "wA1 would not be connected to a piece of its side"
    );
}

//! What the pillbug and the mosquito throw, and what a throw stuns.

use super::*;

#[test]
fn a_pillbug_throws_friend_and_foe_to_the_empty_cells_around_it() {
    let state = white_to_move(
        "
            wA1   wP    bA1
               wQ
            bQ",
    );
    let exits = ["\\wP", "wP/", "wP\\"];
    assert_goes(&state, "bA1", &exits);
    // The queen would leave wP and bQ apart.
    assert_goes(&state, "wQ", &[]);
}

#[test]
fn a_throw_that_equals_a_walk_counts_once() {
    let state = white_to_move(
        "
            wQ    wP    bQ",
    );
    // The queen can slide to \wP and /wP, and can be thrown there and to wP/ and wP\.
    assert_goes(&state, "wQ", &["\\wP", "/wP", "wP/", "wP\\"]);
    let mut legal = Vec::new();
    MLP.legal_actions(&state, &mut legal);
    assert!(legal.is_sorted_by(|a, b| a < b));
    assert_eq!(MLP.n_legal_actions(&state, &mut Vec::new()), legal.len());
}

#[test]
fn a_pinned_pillbug_throws_and_does_not_move() {
    let state = white_to_move(
        "
            wQ    wP    bQ
                           bA1",
    );
    assert_goes(&state, "wP", &[]);
    // bQ holds bA1.
    assert_goes(&state, "bQ", &[]);
    assert_goes(&state, "wQ", &["\\wP", "/wP", "wP/", "wP\\"]);
}

#[test]
fn a_pinned_mosquito_throws() {
    let state = white_to_move(
        "
            bP    wM    bA1
               wQ
            bQ",
    );
    // It leans on Black's pillbug.
    assert_goes(&state, "bA1", &["\\wM", "wM/", "wM\\"]);
    let pinned = white_to_move(
        "
            bP    wM    bA1
         bQ    wQ          bA2",
    );
    let piece = piece("wM");
    assert_refused(&pinned, "wM wM/", Illegal::WouldSplit { piece });
    assert_goes(&pinned, "bP", &["\\wM", "wM/", "wM\\"]);
}

#[test]
fn a_stunned_pillbug_does_not_throw_and_the_mosquito_beside_it_does() {
    let drawing = "
            wQ    wP    wM    bA1
               bQ";
    let state = arranged(drawing, Player::First, Some("wP"));
    assert_goes(&state, "wP", &[]);
    // By the mosquito, not by the pillbug.
    assert_goes(&state, "bA1", &["\\wM", "/wM", "wM/", "wM\\"]);
    assert_goes(&state, "bQ", &[]);
    let free = white_to_move(drawing);
    assert_goes(&free, "bQ", &["\\wP", "wP/", "wP\\"]);
}

#[test]
fn a_stunned_mosquito_does_not_throw() {
    let drawing = "
            wQ    bP    wM    bA1
               bQ";
    assert_goes(&arranged(drawing, Player::First, Some("wM")), "bA1", &[]);
    assert_goes(
        &white_to_move(drawing),
        "bA1",
        &["\\wM", "/wM", "wM/", "wM\\"],
    );
}

#[test]
fn a_mosquito_throws_the_pillbug_whose_power_it_has() {
    let state = white_to_move(
        "
            bP    wM    wQ    bQ",
    );
    assert_goes(&state, "bP", &["\\wM", "/wM", "wM/", "wM\\"]);
}

#[test]
fn moves_and_throws_stun_what_they_moved_and_nothing_else() {
    let mut state = white_to_move(
        "
            wQ    wP    bA1
               bQ",
    );
    play(&mut state, &["bA1 wP/"]);
    assert_eq!(state.stunned(), Some(piece("bA1")), "not the pillbug");
    assert_goes(&state, "bA1", &[]);
    let piece_thrown = piece("bA1");
    let reason = Illegal::Stunned {
        piece: piece_thrown,
    };
    assert_refused(&state, "bA1 wP\\", reason);
    play(&mut state, &["bG1 bQ\\"]);
    assert_eq!(state.stunned(), None, "a placement stuns nothing");
    // Nor is the pillbug stunned that threw two plies ago.
    assert!(MLP.is_legal(&state, id(&state, "bA1 wP-")));
    play(&mut state, &["wQ \\wP"]);
    assert_eq!(state.stunned(), Some(piece("wQ")));
}

#[test]
fn a_pillbug_does_not_throw_what_the_hive_needs_nor_what_is_stacked() {
    let state = white_to_move(
        "
            wQ    wP    bA1   bQ",
    );
    assert_goes(&state, "bA1", &[]);
    let piece = piece("bA1");
    assert_refused(&state, "bA1 wP/", Illegal::WouldSplit { piece });
    let state = white_to_move(
        "
            wQ    wP    bQ
            bB1 on bQ",
    );
    assert_goes(&state, "bB1", &[]);
    assert_goes(&state, "bQ", &[]);
}

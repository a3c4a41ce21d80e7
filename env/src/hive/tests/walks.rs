//! How each bug walks.

use super::*;

#[test]
fn an_ant_goes_round_the_hive_but_through_no_gate_in_or_out() {
    // The cell in the middle of the ring is a pocket.
    let ring = "
            bA1   bA2
         bQ    .     bS1
            wQ    bS2
         wA1";
    assert_goes(
        &white_to_move(ring),
        "wA1",
        &[
            "-wQ", "-bQ", "\\bQ", "\\bA1", "bA1/", "bA2/", "bA2-", "bS1-", "bS2-", "bS2\\", "/bS2",
        ],
    );
    let inside = "
            bA1   bA2
         bQ    wA1   bS1
            wQ    bS2";
    assert_goes(&white_to_move(inside), "wA1", &[]);
}

#[test]
fn a_queen_and_a_pillbug_slide_one_cell() {
    let state = white_to_move(
        "
            wQ    bQ    wP",
    );
    assert_goes(&state, "wQ", &["\\bQ", "/bQ"]);
    assert_goes(&state, "wP", &["bQ/", "bQ\\"]);
}

#[test]
fn a_spider_goes_exactly_three_cells_either_way() {
    let state = white_to_move(
        "
            bG1   wQ    bQ
               wS1",
    );
    // West: /bG1, -bG1, \\bG1. East: wQ\\, bQ\\, bQ-.
    assert_goes(&state, "wS1", &["\\bG1", "bQ-"]);
}

/// Three cells that touch one another. The third step would lead back to the first.
#[test]
fn a_spider_in_a_pocket_of_three_cells_cannot_move_and_an_ant_can() {
    let pocket = |inside: &str| {
        white_to_move(&format!(
            "
               bA1   bA2   bA3
            bQ    {inside}   .     bB1
               bB2   .     bG1
                  bG2   wQ"
        ))
    };
    assert_goes(&pocket("wS1"), "wS1", &[]);
    assert_goes(&pocket("wA1"), "wA1", &["-bB1", "bB2-"]);
}

#[test]
fn a_spider_leaves_a_wide_pocket() {
    let state = white_to_move(
        "
            bA1   .     .     bA2
               bB1   wS1   bB2
                  bG1   wQ
                     bQ",
    );
    // Three steps lead over either rim.
    assert_goes(&state, "wS1", &["\\bA1", "bA2/"]);
}

#[test]
fn a_grasshopper_jumps_in_all_six_directions_over_any_number() {
    let state = white_to_move(
        "
                  bA1         bA2
                     bS1   bS2
            bQ    bB1   wG1   bB2
                     bL    wQ",
    );
    assert_goes(
        &state,
        "wG1",
        &["-bQ", "\\bA1", "bA2/", "bB2-", "wQ\\", "/bL"],
    );
}

#[test]
fn a_beetle_climbs_walks_on_top_and_comes_down() {
    let ground = white_to_move(
        "
            wB1   wQ    bQ    bA1",
    );
    assert_goes(&ground, "wB1", &["wQ", "\\wQ", "/wQ"]);
    let on_top = white_to_move(
        "
            wA1   wQ    bQ    bA1
            wB1 on wQ",
    );
    let around = ["wA1", "bQ", "\\wQ", "wQ/", "/wQ", "wQ\\"];
    assert_goes(&on_top, "wB1", &around);
}

#[test]
fn a_beetle_is_never_pinned_on_top_and_is_pinned_on_the_ground() {
    let drawing = "
            wQ    wB1   bQ";
    assert_goes(&white_to_move(drawing), "wB1", &[]);
    let on_top = white_to_move(
        "
            wQ    wA1   bQ
            wB1 on wA1",
    );
    assert_goes(
        &on_top,
        "wB1",
        &["wQ", "bQ", "\\wA1", "wA1/", "/wA1", "wA1\\"],
    );
    assert_goes(&on_top, "wA1", &[]);
}

#[test]
fn a_stack_of_seven_stands_and_its_top_moves() {
    let state = white_to_move(
        "
            wQ    wA1   bQ
            wB1 on wA1
            bB1 on wA1
            wB2 on wA1
            bB2 on wA1
            bM on wA1
            wM on wA1",
    );
    let cell = state.cell_of(piece("wA1")).unwrap();
    assert_eq!(state.height(cell), 7);
    assert_eq!(state.level(piece("wM")), 6);
    assert_goes(
        &state,
        "wM",
        &["wQ", "bQ", "\\wA1", "wA1/", "/wA1", "wA1\\"],
    );
    for covered in ["wA1", "wB1", "wB2"] {
        assert_goes(&state, covered, &[]);
    }
    // Lifting it uncovers Black's mosquito, and nothing else.
    let mut after = state.clone();
    play(&mut after, &["wM wQ"]);
    assert_eq!(after.top(cell), Some(piece("bM")));
    assert_eq!(after.height(cell), 6);
    assert_goes(
        &after,
        "bM",
        &["wM", "bQ", "\\wA1", "wA1/", "/wA1", "wA1\\"],
    );
}

#[test]
fn a_ladybug_comes_down_only_from_the_second_piece_and_not_where_it_was() {
    let state = white_to_move(
        "
            wL    wQ    bQ",
    );
    assert_goes(&state, "wL", &["wQ/", "wQ\\", "bQ/", "bQ-", "bQ\\"]);
    // Not beside wQ alone.
    let state = white_to_move(
        "
            bA1   bQ    wQ    wL
               bS1",
    );
    assert_goes(&state, "wL", &["\\bQ", "bQ/", "bQ\\"]);
}

#[test]
fn a_mosquito_moves_as_all_that_it_touches_whoever_owns_it() {
    // It touches a grasshopper of Black's and a queen.
    let state = white_to_move(
        "
            wM    bG1   bQ    wA1
               wQ",
    );
    assert_goes(&state, "wM", &["\\bG1", "wA1-", "wQ\\", "-wQ"]);
}

#[test]
fn a_mosquito_beside_a_stack_moves_as_its_top() {
    let state = white_to_move(
        "
            wM    bA1   bQ    wQ
            bB1 on bA1",
    );
    // As a beetle, not as an ant.
    assert_goes(&state, "wM", &["bA1", "\\bA1", "/bA1"]);
}

#[test]
fn a_mosquito_on_top_is_a_beetle_and_nothing_else() {
    let state = white_to_move(
        "
            wQ    bA1   bP    bQ
            wM on bA1",
    );
    assert_goes(
        &state,
        "wM",
        &["wQ", "bP", "\\bA1", "bA1/", "/bA1", "bA1\\"],
    );
    // It does not throw the queen, though it touches a pillbug.
    assert_goes(&state, "bQ", &[]);
}

#[test]
fn a_mosquito_that_touches_only_mosquitoes_does_not_move() {
    let state = white_to_move(
        "
            wM    bM    bQ    wQ",
    );
    assert_goes(&state, "wM", &[]);
}

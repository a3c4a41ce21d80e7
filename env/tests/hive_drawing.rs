//! Hive as it is drawn on a terminal.

use tablero_env::hive::Hive;
use tablero_env::{Game, Notation};

/// The drawing, an empty line, the remarks; after an empty line at the top.
#[track_caller]
fn assert_drawn(text: &str, expected: &str) {
    let game = Hive::parse_game_type(text.split(';').next().unwrap()).unwrap();
    let state = game.parse_state(text).unwrap();
    let mut drawn = format!("\n{}\n", game.draw(&state));
    for remark in game.remarks(&state) {
        drawn.push_str(&remark);
        drawn.push('\n');
    }
    assert_eq!(drawn, expected, "{drawn}");
}

#[test]
fn the_empty_board_shows_the_origin_and_full_hands() {
    let text = "
  .

White in hand: Q 2S 2B 3G 3A M L P
Black in hand: Q 2S 2B 3G 3A M L P
Turn 1, White to move

";
    assert_drawn("Base+MLP", text);
}

#[test]
fn nothing_moves_before_the_queen() {
    let text = "
     .     .     .
  .    wS1   bS1    .
     .     .     .

White in hand: Q S 2B 3G 3A
Black in hand: Q S 2B 3G 3A
Turn 2, White to move

White moves nothing before the queen is placed
";
    assert_drawn("Base;InProgress;White[2];wS1;bS1 wS1-", text);
}

/// Each row lies half a hex to the right of the row above it.
#[test]
fn a_stack_shows_its_top_and_its_height() {
    let text = "
                                .     .
     .     .     .     .     .    bG1    .
  .    wG1   wB1^2 wP    bP    bQ     .
     .     .     .    bA1    .     .
                    .     .

Stack, from the bottom up: wQ wB1
White in hand: 2S B 2G 3A
Black in hand: 2S 2B 2G 2A
Turn 6, White to move

White's queen has 4 of 6 neighbours free
Black's queen has 4 of 6 neighbours free
Stuck: wQ (under another piece)
Stuck: wP (the hive would split)
";
    assert_drawn(
        r"Base+P;InProgress;White[6];wP;bP wP-;wQ -wP;bQ bP-;wB1 -wQ;bA1 bQ-;wB1 wQ;bA1 /bP;wG1 -wB1;bG1 bQ/",
        text,
    );
}

/// Black's pillbug has thrown White's ant from its north-west to its south-west.
#[test]
fn a_stunned_piece_is_marked() {
    let text = "
                                .     .
     .     .     .     .     .    bB1    .
  .    wG1   wQ    wS1   bP    bQ    bA1    .
     .     .     .   *wA1    .     .     .
                    .     .

* wA1 has just moved: stunned
White in hand: S 2B 2G 2A P
Black in hand: 2S B 3G 2A
Turn 6, White to move

White's queen has 4 of 6 neighbours free
Black's queen has 3 of 6 neighbours free
Stuck: wA1 (has just been moved by the opponent)
Stuck: wQ wS1 (the hive would split)
";
    assert_drawn(
        r"Base+P;InProgress;White[6];wS1;bP wS1-;wQ -wS1;bQ bP-;wA1 -wQ;bA1 bQ-;wA1 wS1/;bB1 bQ/;wG1 -wQ;wA1 /bP",
        text,
    );
}

#[test]
fn a_finished_game_names_the_winner() {
    let text = "
        .     .     .
     .    wA2   bA1    .     .     .
  .    wA1   wQ    wS1   bS1   bQ     .
     .    wA3   bA2    .     .     .
        .     .     .

White in hand: S 2B 3G
Black in hand: S 2B 3G A
Turn 7: Black has won

White's queen is surrounded
Black's queen has 5 of 6 neighbours free
";
    assert_drawn(
        r"Base;BlackWins;Black[7];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 -wQ;bA1 bQ-;wA2 wA1/;bA1 wA2-;wA3 /wQ;bA2 bQ-;wA1 -wA2;bA2 wA3-;wA1 \wA3",
        text,
    );
}

#[test]
fn a_repetition_is_remarked() {
    let game = Hive::BASE;
    let mut state = game.initial();
    let dance = r"wQ -wS1;bQ bS1-;wQ \wS1;bQ bS1\";
    for text in format!(r"wS1;bS1 wS1-;wQ \wS1;bQ bS1\;{dance};wQ -wS1").split(';') {
        let action = game.parse_action(&state, text).unwrap();
        game.play(&mut state, action).unwrap();
    }
    let remarks = game.remarks(&state);
    let repetition = "This position has occurred twice: a third time is a draw";
    assert!(
        remarks.iter().any(|remark| remark == repetition),
        "{remarks:?}"
    );
}

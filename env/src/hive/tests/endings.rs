//! How a game ends, and the pass.

use super::*;
use crate::Outcome;

fn outcome(state: &State) -> Option<Outcome> {
    MLP.outcome(state)
}

#[test]
fn a_queen_with_six_neighbours_loses() {
    let mut state = white_to_move(
        "
            .     wA2   bG1
         bA1   bQ    bA2   bG2
            bA3   wG1   wQ
               wA1",
    );
    assert_eq!(outcome(&state), None);
    play(&mut state, &["wA1 \\bQ"]);
    assert_eq!(outcome(&state), Some(Outcome::won_by(Some(Player::First))));
    let mut legal = vec![ActionId(0)];
    MLP.legal_actions(&state, &mut legal);
    assert_eq!(legal, []);
}

#[test]
fn to_surround_the_own_queen_is_legal_and_loses() {
    let mut state = white_to_move(
        "
            .     wA2   bG1
         bA1   wQ    bA2   bG2
            bA3   wG1   bQ
               wA1",
    );
    play(&mut state, &["wA1 \\wQ"]);
    assert_eq!(outcome(&state), Some(Outcome::won_by(Some(Player::Second))));
}

#[test]
fn to_surround_both_queens_at_once_draws() {
    // The open cell north-west of bQ lies north-east of wQ.
    let mut state = white_to_move(
        "
            bA1   .     bB1
         bG1   wQ    bQ    bB2
            bG2   bS1   bS2
         wG1",
    );
    assert_eq!(outcome(&state), None);
    // Over bG2 and wQ.
    play(&mut state, &["wG1 bA1-"]);
    assert_eq!(outcome(&state), Some(Outcome::won_by(None)));
}

#[test]
fn a_covered_queen_is_surrounded_all_the_same() {
    let state = white_to_move(
        "
            wA1   wA2
         bA1   wQ    bA2
            bA3   wG1   bQ
         wB1 on wQ",
    );
    assert_eq!(outcome(&state), Some(Outcome::won_by(Some(Player::Second))));
}

#[test]
fn who_can_do_nothing_else_passes_and_a_pass_stuns_nothing() {
    // White's only piece is covered, so nothing of White's can be placed beside its own.
    let drawing = "
            wQ    bQ
            bB1 on wQ";
    let mut state = arranged(drawing, Player::First, Some("bB1"));
    let mut legal = Vec::new();
    MLP.legal_actions(&state, &mut legal);
    assert_eq!(legal, [Action::Pass.id()]);
    assert_eq!(MLP.n_legal_actions(&state, &mut legal), 1);
    play(&mut state, &["pass"]);
    assert_eq!(state.stunned(), None);
    assert_eq!(state.to_move(), Player::Second);
}

/// Plays moves, of which the last and no other ends the game by repetition.
#[track_caller]
fn assert_drawn_by_the_last_of(state: &mut State, moves: &[&str]) {
    for text in moves {
        assert_eq!(outcome(state), None, "before {text}");
        play(state, &[text]);
    }
    assert_eq!(state.n_occurrences(), 3);
    assert_eq!(outcome(state), Some(Outcome::won_by(None)));
}

/// The position after the first ply comes back after the fifth and the ninth. The one before it
/// does not: there nothing is stunned.
#[test]
fn the_third_occurrence_draws() {
    let mut state = white_to_move(
        "
            wQ    wA1   bA1   bQ",
    );
    let cycle = ["wQ \\wA1", "bQ bA1/", "wQ -wA1", "bQ bA1-"];
    let moves = [&cycle[..], &cycle, &cycle[..1]].concat();
    assert_drawn_by_the_last_of(&mut state, &moves);
}

/// The position after Black's queen is placed comes back after the eighth and the twelfth ply. A
/// queen has moved last then: with a pillbug she is stunned, and the position is another. So do
/// outside engines count, such as nokamute.
#[test]
fn without_a_pillbug_it_does_not_matter_what_moved_last() {
    let placed = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-";
    let cycle = ";wQ \\wS1;bQ bS1/;wQ -wS1;bQ bS1-";
    for (game_type, n_occurrences) in [("base", 3), ("base+ml", 3), ("base+p", 2)] {
        let game = Hive::parse_parameters(game_type).unwrap();
        let has_pillbug = n_occurrences == 2;
        let after = |n_cycles: usize| {
            let moves = format!("{placed}{}", cycle.repeat(n_cycles));
            let (turn, name) = (3 + 2 * n_cycles, game.game_type());
            let status = if n_cycles == 2 && !has_pillbug {
                "Draw"
            } else {
                "InProgress"
            };
            let text = format!("{name};{status};White[{turn}];{moves}");
            game.parse_state(&text)
                .unwrap_or_else(|error| panic!("{text}: {error}"))
        };
        let (first, second, third) = (after(0), after(1), after(2));
        assert_eq!(third.n_occurrences(), n_occurrences, "{game_type}");
        assert_eq!(game.is_over(&third), !has_pillbug, "{game_type}");
        assert_eq!(third.stunned().is_some(), has_pillbug, "{game_type}");
        assert_eq!(game.hash(&first) != game.hash(&second), has_pillbug);
        let drawing = game.draw(&second);
        assert_eq!(drawing.contains("stunned"), has_pillbug, "{drawing}");
    }
}

/// White's ants change places every six plies.
#[test]
fn pieces_of_one_kind_and_colour_are_the_same_to_repetition() {
    let mut state = white_to_move(
        "
                     bA1
            wA1   bB1   bQ    wQ    wB1   wA2",
    );
    let moves = [
        "wA1 /wQ",
        "bA1 \\wQ",
        "wA2 -bB1",
        "bA1 \\wB1",
        "wA1 wB1-",
        "bA1 \\bQ",
        "wA2 /wQ",
        "bA1 \\wQ",
        "wA1 -bB1",
        "bA1 \\wB1",
        "wA2 wB1-",
        "bA1 \\bQ",
        "wA1 /wQ",
    ];
    assert_drawn_by_the_last_of(&mut state, &moves);
}

/// Two queens roll around each other, and the hive goes away to the north.
#[test]
fn a_translated_position_is_the_same_to_repetition() {
    let mut state = white_to_move("\n            wQ    bQ");
    let from = state.cell_of(piece("wQ")).unwrap();
    let roll = ["wQ \\bQ", "bQ wQ-"];
    let moves = [&roll[..], &roll, &roll[..1]].concat();
    assert_drawn_by_the_last_of(&mut state, &moves);
    let to = state.cell_of(piece("wQ")).unwrap();
    assert_eq!((to.r(), from.r()), (30, 1));
}

#[test]
fn a_placement_ends_what_can_be_repeated() {
    let mut state = white_to_move(
        "
            wQ    wA1   bA1   bQ",
    );
    let cycle = ["wQ \\wA1", "bQ bA1/", "wQ -wA1", "bQ bA1-"];
    play(&mut state, &cycle);
    play(&mut state, &cycle);
    assert_eq!(state.n_occurrences(), 2);
    play(&mut state, &["wG1 -wQ"]);
    assert_eq!(state.n_occurrences(), 1);
}

//! Numbers of action sequences that are known in closed form.

use std::cell::Cell;
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::perft::{perft, perft_while};
use tablero_env::{Game, Notation};

/// In Dots and Boxes any undrawn edge may be drawn until all are: the sequences of length d on a
/// board of E edges are the E! / (E-d)! ordered choices.
#[test]
fn dots_and_boxes_counts_ordered_choices_of_edges() {
    for (rows, cols, depth) in [
        (1, 1, 6),
        (1, 2, 8),
        (2, 2, 6),
        (3, 3, 4),
        (5, 5, 3),
        (10, 10, 3),
    ] {
        let game = DotsAndBoxes::new(rows, cols).unwrap();
        let n_edges = (rows + 1) * cols + rows * (cols + 1);
        let expected: Vec<u64> = (1..=depth)
            .map(|depth| {
                (0..depth)
                    .map(|drawn| n_edges.saturating_sub(drawn) as u64)
                    .product()
            })
            .collect();
        assert_eq!(
            perft(&game, &game.initial(), depth),
            expected,
            "{rows}x{cols}"
        );
    }
}

#[test]
fn perft_starts_where_it_is_told_to() {
    let game = DotsAndBoxes::new(1, 2).unwrap();
    let state = game.parse_state("11/10:101:..:1").unwrap();
    assert_eq!(perft(&game, &state, 3), [2, 2, 0]);
    assert_eq!(perft(&game, &state, 0), [0; 0]);
}

#[test]
fn a_count_ends_when_it_is_told_to() {
    let game = DotsAndBoxes::new(3, 3).unwrap();
    let asked = Cell::new(0);
    let goes_on = || {
        asked.set(asked.get() + 1);
        asked.get() < 10
    };
    assert_eq!(perft_while(&game, &game.initial(), 12, &goes_on), None);
    assert_eq!(asked.get(), 10);
    let whole = perft_while(&game, &game.initial(), 4, &|| true);
    assert_eq!(whole, Some(perft(&game, &game.initial(), 4)));
}

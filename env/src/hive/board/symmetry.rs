//! The twelve symmetries of the hexagonal grid that keep the origin: six rotations, each also
//! after a reflection. They are linear in axial coordinates, so they act on the torus as well.

use super::action::Action;
use super::cell::Cell;

pub(crate) const N_SYMMETRIES: usize = 12;

/// Where a symmetry takes a cell: `symmetry % 6` sixths of a turn counter-clockwise, from 6 on
/// after a reflection that exchanges east and south-east.
///
/// # Panics
/// If `symmetry` is not below 12.
pub(crate) fn image(symmetry: usize, cell: Cell) -> Cell {
    assert!(symmetry < N_SYMMETRIES, "a symmetry is below 12");
    let (mut q, mut r) = (cell.q() as i32, cell.r() as i32);
    if symmetry >= 6 {
        (q, r) = (r, q);
    }
    for _ in 0..symmetry % 6 {
        (q, r) = (q + r, -q);
    }
    Cell::new(q, r)
}

/// Where a symmetry takes an action.
///
/// # Panics
/// If `symmetry` is not below 12.
pub(crate) fn action_image(symmetry: usize, action: Action) -> Action {
    match action {
        Action::Put(piece, cell) => Action::Put(piece, image(symmetry, cell)),
        Action::Pass => Action::Pass,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hive::{Direction, N_CELLS};

    #[test]
    fn rotations_turn_directions_and_reflections_reverse_their_order() {
        for symmetry in 0..N_SYMMETRIES {
            let direction_image = |direction: Direction| {
                let neighbour = image(symmetry, Cell::ORIGIN.neighbour(direction));
                Cell::ORIGIN.direction_to(neighbour).unwrap()
            };
            let east = direction_image(Direction::East);
            for turns in 0..6 {
                let expected = if symmetry < 6 { turns } else { 6 - turns };
                assert_eq!(
                    direction_image(Direction::East.turned(turns)),
                    east.turned(expected),
                    "symmetry {symmetry}"
                );
            }
        }
        assert_eq!(
            image(1, Cell::ORIGIN.neighbour(Direction::East)),
            Cell::ORIGIN.neighbour(Direction::NorthEast)
        );
    }

    #[test]
    fn each_is_a_permutation_of_the_torus_that_keeps_neighbours() {
        let mut all = std::collections::BTreeSet::new();
        for symmetry in 0..N_SYMMETRIES {
            let mut images = Vec::new();
            for index in 0..N_CELLS {
                let cell = Cell::from_index(index);
                images.push(image(symmetry, cell).index());
                for neighbour in cell.neighbours() {
                    let adjacent = image(symmetry, cell).direction_to(image(symmetry, neighbour));
                    assert!(adjacent.is_some());
                }
            }
            all.insert(images.clone());
            images.sort_unstable();
            assert!(images.into_iter().eq(0..N_CELLS));
        }
        assert_eq!(all.len(), N_SYMMETRIES, "all different");
    }
}

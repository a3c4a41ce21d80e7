//! Sets of free cells up to symmetry, and the regions that they fall apart into.

use tablero_env::IdSet;
use tablero_env::queens::Queens;

/// The connected regions of a set of cells, each in its canonical form. Two cells are joined if a
/// queen on one attacks the other, or over further cells of the set.
pub(super) fn regions(game: &Queens, free: IdSet) -> Vec<IdSet> {
    let mut unseen = free;
    let mut regions = Vec::new();
    while let Some(start) = unseen.iter().next() {
        let mut region = IdSet::EMPTY;
        let mut border = IdSet::from_iter([start]);
        while let Some(cell) = border.iter().next() {
            region.insert(cell);
            border = border.or(game.reach(cell).and(unseen)).without(region);
        }
        unseen = unseen.without(region);
        regions.push(canonical_region(game, region));
    }
    regions
}

/// One form of all regions that are equal but for where they lie and how they are turned or
/// mirrored.
fn canonical_region(game: &Queens, region: IdSet) -> IdSet {
    let side = game.side();
    let cells = region.iter().map(|cell| (cell % side, cell / side));
    let (mut least, mut most) = ((side, side), (0, 0));
    for (x, y) in cells {
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
    }
    smallest_image(side, region, least, most)
}

/// One form of all sets of cells that are equal but for a symmetry of the board.
pub(super) fn canonical_board(game: &Queens, cells: IdSet) -> IdSet {
    let last = game.side() - 1;
    smallest_image(game.side(), cells, (0, 0), (last, last))
}

/// The smallest of the eight images of the cells in a rectangle, given by its first and last
/// column and row; each image is moved to the corner of the board.
fn smallest_image(
    side: usize,
    cells: IdSet,
    (left, top): (usize, usize),
    (right, bottom): (usize, usize),
) -> IdSet {
    let images = (0..8).map(|symmetry| {
        let image = cells.iter().map(|cell| {
            let (x, y) = (cell % side, cell / side);
            let x = if symmetry & 1 == 0 {
                x - left
            } else {
                right - x
            };
            let y = if symmetry & 2 == 0 {
                y - top
            } else {
                bottom - y
            };
            if symmetry & 4 == 0 {
                y * side + x
            } else {
                x * side + y
            }
        });
        image.collect::<IdSet>()
    });
    images.min().expect("there are eight images")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablero_env::Encode;
    use tablero_env::queens::FullBoard;
    use tablero_env::random::{positions, stream};

    fn set(side: usize, cells: &[(usize, usize)]) -> IdSet {
        cells.iter().map(|&(x, y)| y * side + x).collect()
    }

    #[test]
    fn cells_that_no_line_joins_are_regions_of_their_own() {
        let game = Queens::new(8, FullBoard::White).unwrap();
        // A row, a diagonal step, and a knight's move away from all of it.
        let free = set(8, &[(0, 0), (3, 0), (4, 1), (6, 6)]);
        assert_eq!(
            regions(&game, free).len(),
            1,
            "(4, 1) and (6, 6) lie apart, (0, 0) joins them"
        );
        let free = set(8, &[(3, 0), (4, 1), (6, 7)]);
        assert_eq!(
            regions(&game, free),
            [set(8, &[(0, 0), (1, 1)]), set(8, &[(0, 0)])]
                .map(|region| canonical_region(&game, region))
        );
        assert!(regions(&game, IdSet::EMPTY).is_empty());
    }

    #[test]
    fn a_region_is_the_same_wherever_it_lies() {
        let game = Queens::new(8, FullBoard::White).unwrap();
        let corner = [(0, 0), (1, 0), (0, 2), (3, 1)];
        let there = corner.map(|(x, y)| (x + 4, y + 3));
        let turned = corner.map(|(x, y)| (7 - y, x));
        let mirrored = corner.map(|(x, y)| (7 - x, y));
        let canonical = canonical_region(&game, set(8, &corner));
        for other in [there, turned, mirrored] {
            assert_eq!(canonical_region(&game, set(8, &other)), canonical);
        }
        let another = [(0, 0), (1, 0), (0, 2), (2, 1)];
        assert_ne!(canonical_region(&game, set(8, &another)), canonical);
    }

    #[test]
    fn the_images_of_a_board_share_their_canonical_form() {
        let game = Queens::new(6, FullBoard::White).unwrap();
        for state in positions(&game, stream(0, "canonical boards", 0)) {
            let canonical = canonical_board(&game, state.free());
            for symmetry in 0..game.n_symmetries() {
                let image = game.transform(symmetry, &state);
                assert_eq!(canonical_board(&game, image.free()), canonical);
            }
        }
    }
}

//! Positions that are worth the same, and one of them to stand for all.
//!
//! Two things make positions equal: the symmetries of the board, and *twins*, edges that tie the
//! same box to the ground. The two border edges of a corner are twins: if one of them is drawn,
//! it makes no difference which.

use super::lines::{Lines, Open, edges};
use tablero_env::dots_and_boxes::DotsAndBoxes;
use tablero_env::{ActionId, Encode, Game};

/// A map on edge sets, as a table for each byte of the set.
type EdgeMap = Vec<[Open; 256]>;

/// The equalities of one board.
#[derive(Clone, Debug)]
pub(super) struct Symmetry {
    /// All symmetries but the identity. They take the first twin to the first and the second to
    /// the second, so the image of a tidy set (see `tidy`) is tidy.
    maps: Vec<EdgeMap>,
    /// Pairs of twins, the lower first, in the order in which a bubble sort compares them.
    twins: Vec<[Open; 2]>,
}

impl Symmetry {
    pub(super) fn new(game: &DotsAndBoxes, lines: &Lines) -> Self {
        let twin_lists: Vec<Vec<usize>> = lines
            .boxes
            .iter()
            .map(|&sides| {
                edges(sides)
                    .filter(|&edge| lines.bordering[edge][1] == 0)
                    .collect()
            })
            .collect();
        let initial = game.initial();
        let maps = (1..game.n_symmetries())
            .map(|symmetry| {
                let image = |edge| {
                    let action = ActionId::from(edge);
                    game.transform_action(symmetry, &initial, action).index()
                };
                let mut images: Vec<usize> = (0..lines.n_edges).map(image).collect();
                for twins in &twin_lists {
                    let mut sorted: Vec<usize> = twins.iter().map(|&edge| images[edge]).collect();
                    sorted.sort_unstable();
                    for (&edge, image) in twins.iter().zip(sorted) {
                        images[edge] = image;
                    }
                }
                edge_map(&images)
            })
            .collect();
        let twins = twin_lists
            .iter()
            .flat_map(|list| {
                (2..=list.len())
                    .rev()
                    .flat_map(|end| list[..end].windows(2))
            })
            .map(|pair| [1 << pair[0], 1 << pair[1]])
            .collect();
        Symmetry { maps, twins }
    }

    /// Only twins count as equal from now on: far from the empty board few positions are mirror images of
    /// others, and to look for them takes time.
    pub(super) fn leave_mirrors_out(&mut self) {
        self.maps.clear();
    }

    /// The set with open twins moved to the highest of their lists.
    #[inline]
    fn tidy(&self, mut open: Open) -> Open {
        for &[low, high] in &self.twins {
            if open & (low | high) == low {
                open ^= low | high;
            }
        }
        open
    }

    /// The set that stands for all that are equal to this one: of the tidy ones the smallest.
    #[inline]
    pub(super) fn canonical(&self, open: Open) -> Open {
        let tidy = self.tidy(open);
        self.maps
            .iter()
            .map(|map| {
                map.iter().enumerate().fold(0, |image, (byte, table)| {
                    image | table[usize::from((tidy >> (8 * byte)) as u8)]
                })
            })
            .fold(tidy, Open::min)
    }

    /// The open edges that need not be tried, because a twin is open too.
    #[inline]
    pub(super) fn redundant(&self, open: Open) -> Open {
        self.twins
            .iter()
            .filter(|[low, high]| open & low != 0 && open & high != 0)
            .fold(0, |set, [low, _]| set | low)
    }
}

fn edge_map(images: &[usize]) -> EdgeMap {
    images
        .chunks(8)
        .map(|images| {
            std::array::from_fn(|byte| {
                edges(byte as Open)
                    .filter_map(|bit| images.get(bit))
                    .fold(0, |set, &image| set | 1 << image)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::retrograde::Retrograde;
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_canonical_position_is_worth_the_same_and_stands_for_itself() {
        for (rows, cols) in [(1, 1), (1, 2), (1, 4), (2, 2), (2, 3), (3, 2)] {
            let game = DotsAndBoxes::new(rows, cols).unwrap();
            let lines = Lines::new(&game).unwrap();
            let symmetry = Symmetry::new(&game, &lines);
            let truth = Retrograde::new(&lines);
            for open in 0..1 << lines.n_edges {
                let canonical = symmetry.canonical(open);
                assert_eq!(
                    truth.net(canonical),
                    truth.net(open),
                    "{rows}x{cols} {open:b}"
                );
                assert_eq!(symmetry.canonical(canonical), canonical);
            }
        }
    }

    /// Burnside's lemma on the 2x2 board. Two twins have 3 states up to their exchange, so there
    /// are 3^4 * 2^4 sets of the 4 corners and 4 inner edges, and the square has 8 symmetries.
    /// The identity fixes all sets; the half turn pairs everything: 3^2 * 2^2; a quarter turn
    /// joins all corners and all inner edges: 3 * 2; a mirror across the middle pairs the
    /// corners and two inner edges: 3^2 * 2^3; one along a diagonal keeps two corners and pairs
    /// the rest: 3^3 * 2^2.
    #[test]
    fn classes_of_the_square_are_as_many_as_burnside_counts() {
        let game = DotsAndBoxes::new(2, 2).unwrap();
        let lines = Lines::new(&game).unwrap();
        let symmetry = Symmetry::new(&game, &lines);
        let classes: HashSet<Open> = (0..1 << lines.n_edges)
            .map(|open| symmetry.canonical(open))
            .collect();
        let fixed = 81 * 16 + 9 * 4 + 2 * (3 * 2) + 2 * (9 * 8) + 2 * (27 * 4);
        assert_eq!(classes.len(), fixed / 8);
    }
}

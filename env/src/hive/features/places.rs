//! Places around a queen, so that a hive looks the same wherever it lies on the torus.

use crate::hive::board::cell::{Cell, Direction, N_CELLS};
use crate::hive::board::symmetry::image;

/// Cells farther from a queen than this are one place.
const RADIUS: i32 = 6;
/// The cells within the radius.
const N_NEAR: usize = (3 * RADIUS * (RADIUS + 1) + 1) as usize;
/// The number of places: the cell itself, from 1 the cells around it in the order of
/// [`Direction::ALL`], then ring after ring, and last all that is farther.
pub(super) const N_PLACES: usize = N_NEAR + 1;
const FAR: u8 = N_NEAR as u8;
/// The first place that is neither the cell nor beside it, and the first of the fourth ring.
pub(super) const BEYOND_BESIDE: usize = 7;
pub(super) const BEYOND_THIRD: usize = 37;

/// The cell of each place around [`Cell::ORIGIN`].
static NEAR: [Cell; N_NEAR] = {
    let mut near = [Cell::ORIGIN; N_NEAR];
    let mut n = 1;
    while n < BEYOND_BESIDE {
        near[n] = Cell::ORIGIN.neighbour(Direction::ALL[n - 1]);
        n += 1;
    }
    let mut distance = 2;
    while distance <= RADIUS {
        let side = 2 * RADIUS + 1;
        let mut index = 0;
        while index < side * side {
            let (q, r) = (index % side - RADIUS, index / side - RADIUS);
            let s = q + r;
            let across = if q.abs() > r.abs() { q.abs() } else { r.abs() };
            let length = if across > s.abs() { across } else { s.abs() };
            if length == distance {
                near[n] = Cell::new(q, r);
                n += 1;
            }
            index += 1;
        }
        distance += 1;
    }
    near
};

/// The place of each cell around [`Cell::ORIGIN`].
static PLACES: [u8; N_CELLS] = {
    let mut places = [FAR; N_CELLS];
    let mut place = 0;
    while place < N_NEAR {
        places[NEAR[place].index()] = place as u8;
        place += 1;
    }
    places
};

/// The place of a cell around an anchor, on the torus.
#[inline]
pub(super) fn place(anchor: Cell, cell: Cell) -> usize {
    let (anchor, cell) = (anchor.index(), cell.index());
    let q = cell.wrapping_sub(anchor) & 31;
    let r = (cell >> 5).wrapping_sub(anchor >> 5) & 31;
    usize::from(PLACES[r << 5 | q])
}

/// Where a symmetry takes a place, once it has taken the anchor to its image.
fn place_image(symmetry: usize, at: usize) -> usize {
    match NEAR.get(at) {
        Some(&cell) => place(Cell::ORIGIN, image(symmetry, cell)),
        None => at,
    }
}

/// The images of `n` features: first a feature for each place in each of `n_frames` frames, then others,
/// which stay as they are.
pub(super) fn images_of_places(symmetry: usize, n_frames: usize, n: usize) -> Vec<u32> {
    let mut images: Vec<u32> = (0..n as u32).collect();
    for frame in 0..n_frames {
        for at in 0..N_PLACES {
            let image = frame * N_PLACES + place_image(symmetry, at);
            images[frame * N_PLACES + at] = image as u32;
        }
    }
    images
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_rings_and_move_with_their_anchor() {
        let anchor = Cell::new(-3, 30);
        assert_eq!(place(anchor, anchor), 0);
        for direction in Direction::ALL {
            let mut cell = anchor;
            let mut starts = [0, 1, 7, 19, 37, 61, 91, 127].windows(2);
            for distance in 0..=RADIUS {
                let ring = starts.next().unwrap();
                let at = place(anchor, cell);
                assert!((ring[0]..ring[1]).contains(&at), "{at} at {distance}");
                if distance == 1 {
                    assert_eq!(at, 1 + direction as usize);
                }
                cell = cell.neighbour(direction);
            }
            assert_eq!(place(anchor, cell), N_PLACES - 1);
        }
    }

    #[test]
    fn images_of_places_are_places_of_images() {
        let anchor = Cell::new(5, 9);
        for symmetry in 0..12 {
            for index in 0..N_CELLS {
                let cell = Cell::from_index(index);
                let images = place(image(symmetry, anchor), image(symmetry, cell));
                assert_eq!(place_image(symmetry, place(anchor, cell)), images);
            }
        }
    }
}

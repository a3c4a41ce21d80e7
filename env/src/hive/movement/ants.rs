//! The ant's walk: any number of slides.
//!
//! Most ants of a position walk around the same hive, so their walks are found together. Say that
//! an ant has its occupied neighbours in one run, and that on the rest of its way round, its bare
//! side, the cells between the first and the last touch nothing but the ant. While the ant is in
//! place another bug can pass it along its bare side. With the ant lifted that way is gone, but
//! its own cell connects the two ends instead, and nothing else changes. So the ant reaches what
//! the other bug reaches, less the inner cells of the bare side.

use super::destinations::Destinations;
use super::steps::{SLIDES, cells, slide_ways};
use crate::hive::board::cell::{Cell, N_CELLS};
use crate::hive::board::cell_set::{Around, Bits, CellSet, RUNS};
use arrayvec::ArrayVec;

/// The walks of the ants of a position.
pub(crate) struct Ants {
    /// What a bug reaches with all pieces in place, once it has been asked.
    around_hive: Option<Destinations>,
}

/// How an ant's walk is found.
enum Walk<'a> {
    /// It cannot leave its cell.
    Stuck,
    /// As a bug that finds the ant in place, but not to the cells in these directions from it.
    AroundHive(&'a Destinations, Around),
    /// By itself.
    Own(Destinations),
}

impl Ants {
    pub(crate) const UNKNOWN: Ants = Ants { around_hive: None };

    /// Writes the cells that an ant, or a mosquito in its place, reaches from its own.
    pub(crate) fn write(&mut self, occupied: &CellSet, from: Cell, to: &mut Destinations) {
        match self.walk(occupied, from) {
            Walk::Stuck => *to = Destinations::NONE,
            Walk::AroundHive(around_hive, without) => {
                *to = *around_hive;
                cells(from, without).for_each(|cell| to.remove(cell));
            }
            Walk::Own(reach) => *to = reach,
        }
    }

    /// How many cells an ant reaches.
    #[inline]
    pub(crate) fn count(&mut self, occupied: &CellSet, from: Cell) -> usize {
        match self.walk(occupied, from) {
            Walk::Stuck => 0,
            Walk::AroundHive(around_hive, without) => {
                around_hive.len() - without.count_ones() as usize
            }
            Walk::Own(reach) => reach.len(),
        }
    }

    #[inline]
    fn walk(&mut self, occupied: &CellSet, from: Cell) -> Walk<'_> {
        let around = occupied.around(from);
        let ends = Around::from(SLIDES[around]);
        if ends == 0 {
            return Walk::Stuck;
        }
        let inner = !around & !ends & 63;
        if RUNS[around] != 1 || !is_bare_side(occupied, from, ends, inner) {
            let mut reach = walk(&occupied.without(from), from);
            reach.remove(from);
            return Walk::Own(reach);
        }
        let end = from.neighbour_at(ends.trailing_zeros() as usize);
        if !self
            .around_hive
            .as_ref()
            .is_some_and(|known| known.cells.contains(end))
        {
            self.around_hive = None;
        }
        let around_hive = self.around_hive.get_or_insert_with(|| walk(occupied, end));
        Walk::AroundHive(around_hive, inner)
    }
}

/// Whether the two end cells and the inner cells of a side, given as directions, touch one another
/// over the ant alone.
#[inline]
fn is_bare_side(occupied: &CellSet, from: Cell, ends: Around, inner: Around) -> bool {
    if inner == 0 {
        // Two end cells, which also touch one cell beyond.
        let beyond = Bits(ends as u32).fold(from, Cell::neighbour_at);
        return !occupied.contains(beyond);
    }
    Bits(inner as u32)
        .all(|direction| occupied.around(from.neighbour_at(direction)) == 1 << opposite(direction))
}

/// The cells that a bug can reach by slides, its own included.
///
/// Along the hive there is one way on from almost every cell, so the walk follows it, and keeps
/// the cells where it parts for later.
pub(crate) fn walk(others: &CellSet, start: Cell) -> Destinations {
    let mut reach = Destinations::NONE;
    reach.insert(start);
    // Each cell is left behind once.
    let mut parted = ArrayVec::<(Cell, u8), N_CELLS>::new();
    let (mut here, mut ways) = (start, slide_ways(others, start));
    loop {
        if ways == 0 {
            let Some(last) = parted.pop() else {
                return reach;
            };
            (here, ways) = last;
        }
        let rest = ways & (ways - 1);
        if rest != 0 {
            parted.push((here, rest));
        }
        let direction = ways.trailing_zeros() as usize;
        let next = here.neighbour_at(direction);
        ways = 0;
        if !reach.cells.contains(next) {
            reach.insert(next);
            here = next;
            ways = slide_ways(others, next) & !(1 << opposite(direction));
        }
    }
}

/// The number of the direction back.
#[inline]
fn opposite(direction: usize) -> usize {
    if direction < 3 {
        direction + 3
    } else {
        direction - 3
    }
}

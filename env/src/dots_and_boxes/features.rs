#![doc = include_str!("../../features/dots-and-boxes.md")]

use super::board::{Board, Planes};
use super::chains::{Component, NONE, Structure};
use super::config::DotsAndBoxes;
use super::state::State;
use crate::features::{clamped, group_starts, with_parity};
use crate::{ActionFeatures, ActionId, FeatureImages, FeatureSizes, Game, IdSet};

/// Drawn sides of a box, times what it belongs to.
const BOX_FACTS: usize = 16 * 4;
const MAX_COUNT: usize = 32;
const COMPONENT_KINDS: usize = 4;
const LENGTHS: usize = 12;
/// Components of a kind and length are counted up to this.
const TIMES: usize = 4;
/// The numbers of sides of two boxes, the border as a box with four, in any order.
const PAIRS: usize = 15;
/// Fewer lengths for actions.
const SHORT_LENGTHS: usize = 8;
/// Other edges that a safe edge makes unsafe: three at each end at most.
const UNSAFE: usize = 7;

/// The groups of features that are no places, in their order.
#[derive(Clone, Copy)]
enum Group {
    Undrawn,
    Safe,
    LongChains,
    Loops,
    ToTake,
    InChains,
    InLoops,
    Lead,
    Left,
    Control,
    LeadWith,
    LeadWithout,
    Fight,
    Components,
}
const N_GROUPS: usize = 14;

fn group_sizes(n_boxes: usize) -> [usize; N_GROUPS] {
    [
        MAX_COUNT + 2,
        MAX_COUNT + 2,
        10,
        4,
        8,
        MAX_COUNT,
        MAX_COUNT,
        2 * n_boxes + 1,
        n_boxes + 1,
        48,
        49,
        49,
        10 * 4 * 3,
        COMPONENT_KINDS * LENGTHS * TIMES,
    ]
}

impl Structure {
    /// A feature for each box with a side.
    #[inline]
    fn write_boxes(&self, board: &Board, out: &mut Vec<u32>) {
        let below = board.cols + 1;
        let across = Planes {
            horizontal: self.edges.horizontal >> below,
            vertical: self.edges.vertical >> 1,
        };
        let mut first = 0;
        for row in 0..board.rows {
            let start = row * below;
            let bits = |plane: u128| (plane >> start) as u32;
            let [top, bottom] = [self.edges.horizontal, across.horizontal].map(bits);
            let [left, right] = [self.edges.vertical, across.vertical].map(bits);
            for col in 0..board.cols {
                let bit = |bits: u32| (bits >> col & 1) as usize;
                let sides = bit(top) | bit(bottom) << 1 | bit(left) << 2 | bit(right) << 3;
                if sides != 0 {
                    let class = self.component(start + col).map_or(0, Component::class);
                    out.push((first + sides * 4 + class) as u32);
                }
                first += BOX_FACTS;
            }
        }
    }
}

impl DotsAndBoxes {
    pub(super) fn sizes_of_features(&self) -> FeatureSizes {
        let n_boxes = self.n_boxes();
        let n_global: usize = group_sizes(n_boxes).iter().sum();
        FeatureSizes {
            features: n_boxes * BOX_FACTS + n_global,
            // A component has a box at least.
            most_active: 2 * n_boxes + N_GROUPS - 1,
            action_features: self.n_edges() * (1 + PAIRS) + PAIRS + OPENS + SAFE,
            most_active_of_action: 4,
        }
    }

    pub(super) fn write_position(&self, state: &State, structure: &Structure, out: &mut Vec<u32>) {
        let board = &*self.board;
        out.clear();
        structure.write_boxes(board, out);
        let n_boxes = self.n_boxes();
        let starts = group_starts(n_boxes * BOX_FACTS, group_sizes(n_boxes));
        let facts = self.global_facts(state, structure);
        out.extend(
            facts
                .iter()
                .zip(starts)
                .map(|(fact, start)| (start + fact) as u32),
        );
        write_components(structure, starts[Group::Components as usize], out);
    }

    /// A number in each group but the last.
    fn global_facts(&self, state: &State, structure: &Structure) -> [usize; N_GROUPS - 1] {
        let control = &structure.control;
        let n_safe =
            (control.safe.horizontal.count_ones() + control.safe.vertical.count_ones()) as usize;
        let n_long = control.n_long_chains as usize;
        let (mut in_chains, mut in_loops, mut n_loops, mut worth) = (0, 0, 0, 0);
        for component in &structure.components {
            let len = usize::from(component.len);
            if component.is_loop {
                in_loops += len;
                n_loops += 1;
                worth += len as i32 - 8;
            } else if len > 2 {
                in_chains += len;
                worth += len as i32 - 4;
            }
        }
        let n_boxes = self.n_boxes();
        let points = self.points(state).expect("the game has points");
        let mover = self.player_to_move(state).index();
        let lead = points[mover] - points[1 - mover];
        let n_to_take = structure.n_to_take as usize;
        let mut facts = [0; N_GROUPS - 1];
        let mut set = |group: Group, fact: usize| facts[group as usize] = fact;
        set(
            Group::Undrawn,
            with_parity(self.n_edges() - usize::from(state.n_drawn), MAX_COUNT),
        );
        set(Group::Safe, with_parity(n_safe, MAX_COUNT));
        set(Group::LongChains, with_parity(n_long, 8));
        set(Group::Loops, n_loops.min(3));
        set(Group::ToTake, n_to_take.min(7));
        set(Group::InChains, in_chains.min(MAX_COUNT - 1));
        set(Group::InLoops, in_loops.min(MAX_COUNT - 1));
        set(
            Group::Lead,
            clamped(lead, -(n_boxes as i32), 2 * n_boxes + 1),
        );
        set(Group::Left, n_boxes - (points[0] + points[1]) as usize);
        set(Group::Control, clamped(worth, -16, 48));
        set(Group::LeadWith, clamped(lead + worth, -24, 49));
        set(Group::LeadWithout, clamped(lead - worth, -24, 49));
        let fight = with_parity(n_safe, 8) * 12 + n_long.min(2 + n_long % 2) * 3;
        set(Group::Fight, fight + n_to_take.min(2));
        facts
    }

    pub(super) fn write_actions(
        &self,
        state: &State,
        structure: &mut Structure,
        legal: &[ActionId],
        out: &mut ActionFeatures,
    ) {
        let board = &*self.board;
        structure.count_sides(board);
        let n_edges = self.n_edges();
        out.clear();
        for &action in legal {
            let edge = action.index();
            let [a, b] = board.boxes_at[edge].map(usize::from);
            let pair = pair(structure.degrees[a], structure.degrees[b]);
            let place = n_edges + edge * PAIRS + pair;
            let alone = n_edges * (1 + PAIRS) + pair;
            let component = structure.component(a).or(structure.component(b));
            let last = n_edges * (1 + PAIRS)
                + PAIRS
                + match component {
                    Some(component) => {
                        let has = |cell: usize| structure.component_of[cell] != NONE;
                        let inside = usize::from(has(a) && has(b));
                        let len = usize::from(component.len).min(SHORT_LENGTHS) - 1;
                        (component.kind() * SHORT_LENGTHS + len) * 2 + inside
                    }
                    None => OPENS + safe_edge(board, structure, state.edges(), edge),
                };
            out.push([edge, place, alone, last].map(|feature| feature as u32));
        }
    }

    /// What a symmetry makes of the features.
    pub(super) fn images_of_features(&self, symmetry: usize) -> FeatureImages {
        let board = &*self.board;
        let map = &board.symmetries[symmetry];
        let sizes = self.sizes_of_features();
        let mut features: Vec<u32> = (0..sizes.features as u32).collect();
        for id in 0..self.n_boxes() {
            let sides = self.sides(id / self.cols(), id % self.cols());
            let images = sides.map(|edge| usize::from(map[edge]));
            // The image's top edge is the smallest of its sides.
            let top = images.iter().min().expect("four sides");
            let (_, row, col) = board.locate(*top);
            let image_sides = self.sides(row, col);
            let image_id = row * self.cols() + col;
            for drawn in 0..16 {
                let image = (0..4)
                    .filter(|side| drawn >> side & 1 == 1)
                    .fold(0, |set, side| {
                        let at = image_sides.iter().position(|&edge| edge == images[side]);
                        set | 1 << at.expect("a side of the image")
                    });
                for class in 0..4 {
                    features[id * BOX_FACTS + drawn * 4 + class] =
                        (image_id * BOX_FACTS + image * 4 + class) as u32;
                }
            }
        }
        let n_edges = self.n_edges();
        let mut action_features: Vec<u32> = (0..sizes.action_features as u32).collect();
        for edge in 0..n_edges {
            let image = usize::from(map[edge]);
            action_features[edge] = image as u32;
            for pair in 0..PAIRS {
                action_features[n_edges + edge * PAIRS + pair] =
                    (n_edges + image * PAIRS + pair) as u32;
            }
        }
        FeatureImages {
            features,
            action_features,
        }
    }
}

/// Edges that open or take.
const OPENS: usize = COMPONENT_KINDS * SHORT_LENGTHS * 2;
/// Safe edges: unsafe ones after them, and the length of the chain that they make, if any.
const SAFE: usize = UNSAFE * (SHORT_LENGTHS + 1);

/// The number of two counts of sides, up to 4, in any order.
#[inline]
fn pair(a: u8, b: u8) -> usize {
    let (low, high) = (usize::from(a.min(b)), usize::from(a.max(b)));
    high * (high + 1) / 2 + low
}

/// At least k components of a kind and length, for each k.
fn write_components(structure: &Structure, start: usize, out: &mut Vec<u32>) {
    let mut counts = [0; COMPONENT_KINDS * LENGTHS];
    for component in &structure.components {
        let len = usize::from(component.len).min(LENGTHS) - 1;
        counts[component.kind() * LENGTHS + len] += 1;
    }
    if structure.components.is_empty() {
        return;
    }
    for (index, &count) in counts.iter().enumerate() {
        for k in 0..count.min(TIMES) {
            out.push((start + index * TIMES + k) as u32);
        }
    }
}

/// What a safe edge does: the edges that it makes unsafe, and the longest chain that it makes or
/// lengthens.
#[inline]
fn safe_edge(board: &Board, structure: &Structure, drawn: IdSet, edge: usize) -> usize {
    let (mut n_unsafe, mut longest) = (0, 0);
    for (bordered, cell) in board.bordered[edge].iter().zip(board.boxes_at[edge]) {
        // A second side makes what is left of the box unsafe, and a link of it.
        if structure.degrees[usize::from(cell)] != 1 {
            continue;
        }
        let mut len = 1;
        for &other in &bordered.others {
            let other = usize::from(other);
            let sides = board.boxes_at[other].map(usize::from);
            let beyond = if sides[0] == usize::from(cell) {
                sides[1]
            } else {
                sides[0]
            };
            if drawn.contains(other) {
                continue;
            }
            match structure.component(beyond) {
                Some(component) => len += usize::from(component.len),
                None => n_unsafe += 1,
            }
        }
        longest = longest.max(len);
    }
    n_unsafe.min(UNSAFE - 1) * (SHORT_LENGTHS + 1) + longest.min(SHORT_LENGTHS)
}

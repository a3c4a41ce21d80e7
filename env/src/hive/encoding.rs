//! Planes, policy slots and symmetries.
//!
//! # The window
//! The observation is a window of 16 x 16 cells, columns along q and rows along r, with the
//! hive's frame in its middle: where the hive lies on the torus makes no difference. The six
//! neighbours of (column, row) are (±1, 0), (0, ±1), (1, -1) and (-1, 1). A hive of more than 16
//! rows or columns is folded: what lies outside of the window is shown at its coordinates modulo
//! 16, and a plane tells where. Nothing is ever left out.
//!
//! # The policy
//! `[113, 16, 16]`: plane `piece * 4 + tile` holds the moves of a piece, in the mover's order
//! (own pieces 0 to 13, the enemy's 14 to 27, in the order of [`Piece`]), to the cells of a tile:
//! the torus, turned so that tile 0 is the window, has four tiles of 16 x 16, the one to the
//! right is 1, the one below 2, the last 3. The pass is the first slot of plane 112. The
//! destination of any piece has a slot of its own, so two actions never share one.

use super::action::Action;
use super::cell::Cell;
use super::config::Hive;
use super::frame::Frame;
use super::piece::{Kind, N_KINDS, N_PIECES, N_PIECES_A_SIDE, Piece};
use super::pins::Pins;
use super::state::State;
use super::symmetry::{N_SYMMETRIES, action_image};
use crate::{ActionId, Encode, Game, Player};

/// Rows and columns of the window.
const WINDOW: usize = 16;
const AREA: usize = WINDOW * WINDOW;
/// Tiles of the size of the window on the torus.
const N_TILES: usize = 4;
const PASS_PLANE: usize = N_PIECES * N_TILES;
/// The highest stack: any bug, four beetles and two mosquitoes.
const HIGHEST_STACK: usize = 7;

/// The first plane of each group.
mod plane {
    use super::N_KINDS;

    pub(super) const TOP: usize = 0;
    pub(super) const SECOND: usize = TOP + 2 * N_KINDS;
    pub(super) const THIRD: usize = SECOND + 1;
    pub(super) const COVERED: usize = THIRD + 1;
    pub(super) const HEIGHT: usize = COVERED + 2 * N_KINDS;
    pub(super) const STUNNED: usize = HEIGHT + 1;
    pub(super) const PINNED: usize = STUNNED + 1;
    pub(super) const FOLDED: usize = PINNED + 1;
    pub(super) const HAND: usize = FOLDED + 1;
    pub(super) const QUEEN_NOW: usize = HAND + 2 * N_KINDS;
    pub(super) const REPETITION: usize = QUEEN_NOW + 1;
    pub(super) const N: usize = REPETITION + 1;
}

/// Own kinds are 0 to 7, those of the enemy 8 to 15.
fn kind_seen_by(mover: Player, piece: Piece) -> usize {
    piece.kind() as usize + N_KINDS * usize::from(piece.owner() != mover)
}

/// The tile of a cell, and its place in the window's `[row, column]`, flattened.
fn place(frame: Frame, cell: Cell) -> (usize, usize) {
    let [column, row] = frame.centred(cell, WINDOW);
    let tile = row / WINDOW * 2 + column / WINDOW;
    (tile, row % WINDOW * WINDOW + column % WINDOW)
}

impl Encode for Hive {
    const ENCODING_VERSION: u32 = 1;

    fn observation_shape(&self) -> [usize; 3] {
        [plane::N, WINDOW, WINDOW]
    }

    fn plane_descriptions(&self) -> Vec<String> {
        let each_kind = |text: &'static str| {
            ["own", "enemy"].into_iter().flat_map(move |side| {
                Kind::ALL.into_iter().map(move |kind| {
                    let name = format!("{kind:?}").to_lowercase();
                    text.replace("{}", &format!("{side} {name}"))
                })
            })
        };
        let one = |text: &str| std::iter::once(text.to_owned());
        each_kind("1 where the top piece is an {}")
            .chain(one("1 where the top piece is number 2 of its kind"))
            .chain(one("1 where the top piece is number 3 of its kind"))
            .chain(each_kind("half the number of covered pieces: {}"))
            .chain(one("pieces on the cell, over 7"))
            .chain(one("1 where the top piece is stunned"))
            .chain(one("1 where lifting the only piece would split the hive"))
            .chain(one("1 where a piece from outside of the window is shown"))
            .chain(each_kind("everywhere: share of pieces in hand: {}"))
            .chain(one("everywhere: 1 if the own queen must be placed now"))
            .chain(one(
                "everywhere: earlier occurrences of the position, over 2",
            ))
            .collect()
    }

    fn write_observation(&self, state: &State, out: &mut [f32]) {
        assert_eq!(out.len(), plane::N * AREA, "observation of {self:?}");
        out.fill(0.0);
        let mover = state.to_move();
        let frame = Frame::of(state);
        let mut pins = Pins::UNKNOWN;
        let mut in_hand = [0usize; 2 * N_KINDS];
        for piece in Piece::all().filter(|&piece| self.has(piece)) {
            let kind = kind_seen_by(mover, piece);
            let Some(cell) = state.cell_of(piece) else {
                in_hand[kind] += 1;
                continue;
            };
            let (tile, at) = place(frame, cell);
            let mut set = |plane: usize, value: f32| out[plane * AREA + at] = value;
            if tile != 0 {
                set(plane::FOLDED, 1.0);
            }
            if state.is_covered(piece) {
                out[(plane::COVERED + kind) * AREA + at] += 0.5;
                continue;
            }
            set(plane::TOP + kind, 1.0);
            match piece.number() {
                1 => {}
                2 => set(plane::SECOND, 1.0),
                _ => set(plane::THIRD, 1.0),
            }
            set(
                plane::HEIGHT,
                state.height(cell) as f32 / HIGHEST_STACK as f32,
            );
            if state.stunned() == Some(piece) {
                set(plane::STUNNED, 1.0);
            }
            if state.level(piece) == 0 && pins.splits(&state.board, cell) {
                set(plane::PINNED, 1.0);
            }
        }
        let mut fill = |plane: usize, value: f32| {
            out[plane * AREA..][..AREA].fill(value);
        };
        for (kind, &count) in in_hand.iter().enumerate().filter(|(_, count)| **count > 0) {
            let whole = Kind::ALL[kind % N_KINDS].count();
            fill(plane::HAND + kind, count as f32 / whole as f32);
        }
        let n_placed = Piece::of(mover)
            .filter(|&piece| state.cell_of(piece).is_some())
            .count();
        if n_placed == 3 && state.cell_of(Piece::queen(mover)).is_none() {
            fill(plane::QUEEN_NOW, 1.0);
        }
        fill(plane::REPETITION, (state.n_occurrences() - 1) as f32 / 2.0);
    }

    fn policy_planes(&self) -> usize {
        PASS_PLANE + 1
    }

    fn policy_slot(&self, state: &State, action: ActionId) -> usize {
        match Action::from_id(action).expect("an action id below n_actions") {
            Action::Put(piece, cell) => {
                let own = usize::from(piece.owner() != state.to_move());
                let piece = piece.index() % N_PIECES_A_SIDE + own * N_PIECES_A_SIDE;
                let (tile, at) = place(Frame::of(state), cell);
                (piece * N_TILES + tile) * AREA + at
            }
            Action::Pass => PASS_PLANE * AREA,
        }
    }

    fn n_symmetries(&self) -> usize {
        N_SYMMETRIES
    }

    /// Plays the images of all moves, so that the positions which may be repeated are images too.
    fn transform(&self, symmetry: usize, state: &State) -> State {
        let mut image = self.initial();
        for action in state.moves() {
            self.play_unchecked(&mut image, self.transform_action(symmetry, state, action));
        }
        image
    }

    fn transform_action(&self, symmetry: usize, _state: &State, action: ActionId) -> ActionId {
        let action = Action::from_id(action).expect("an action id below n_actions");
        action_image(symmetry, action).id()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hive::{Direction, N_ACTIONS, N_CELLS};

    /// A hive put on the board piece by piece, whatever the rules say.
    fn hive(pieces: impl IntoIterator<Item = (usize, Cell)>) -> State {
        let mut state = State::empty();
        for (piece, cell) in pieces {
            state.apply(Action::Put(Piece::from_index(piece), cell));
        }
        state
    }

    fn observe(state: &State) -> Vec<f32> {
        let mut observation = vec![f32::NAN; plane::N * AREA];
        Hive::default().write_observation(state, &mut observation);
        observation
    }

    /// All 28 pieces in a line.
    fn line(start: Cell, direction: Direction) -> State {
        let mut cell = start;
        hive((0..N_PIECES).map(|piece| {
            cell = cell.neighbour(direction);
            (piece, cell)
        }))
    }

    /// The same everywhere, also across the seam of the torus.
    #[test]
    fn a_translated_hive_looks_the_same_and_has_the_same_slots() {
        // The last of them climbs.
        let at = [(0, 0, 0), (14, 1, 0), (1, -1, 1), (15, 2, -1), (3, 0, 0)];
        let shifted = |q, r| hive(at.map(|(piece, dq, dr)| (piece, Cell::new(q + dq, r + dr))));
        let here = shifted(0, 0);
        let (observation, game) = (observe(&here), Hive::default());
        let slot = |state: &State, q, r| {
            let action = Action::Put(Piece::from_index(5), Cell::new(q, r));
            game.policy_slot(state, action.id())
        };
        for index in 0..N_CELLS as i32 {
            let (q, r) = (index % 32, index / 32);
            let there = shifted(q, r);
            assert_eq!(observe(&there), observation, "{q} {r}");
            for (dq, dr) in [(2, 0), (0, -1), (-2, 1), (17, 20)] {
                assert_eq!(slot(&there, q + dq, r + dr), slot(&here, dq, dr));
            }
        }
    }

    #[test]
    fn the_hive_lies_in_the_middle_of_the_window() {
        for (n, first) in [(1, 7), (2, 7), (3, 6), (4, 6), (15, 0), (16, 0)] {
            let state = hive((0..n).map(|piece| (piece, Cell::new(20 + piece as i32, 0))));
            let observation = observe(&state);
            let heights = &observation[plane::HEIGHT * AREA..][..AREA];
            let shown: Vec<usize> = (0..AREA).filter(|&at| heights[at] > 0.0).collect();
            let row = 7 * WINDOW;
            assert!(
                shown.into_iter().eq(row + first..row + first + n),
                "{n} pieces"
            );
        }
    }

    /// A line of 28 is 12 longer than the window: 6 at each end are shown from the other side.
    #[test]
    fn the_longest_lines_are_folded_and_no_two_actions_share_a_slot() {
        let game = Hive::default();
        for start in [Cell::ORIGIN, Cell::new(20, 25)] {
            for direction in [Direction::East, Direction::NorthEast, Direction::SouthEast] {
                let state = line(start, direction);
                let observation = observe(&state);
                let count = |plane: usize| {
                    let values = &observation[plane * AREA..][..AREA];
                    values.iter().filter(|&&value| value > 0.0).count()
                };
                assert_eq!(count(plane::FOLDED), 12);
                let tops: usize = (0..2 * N_KINDS).map(|kind| count(plane::TOP + kind)).sum();
                assert_eq!(tops, 28);
                let mut taken = vec![false; game.n_policy_slots()];
                for id in 0..N_ACTIONS as u32 {
                    let slot = game.policy_slot(&state, ActionId(id));
                    assert!(!std::mem::replace(&mut taken[slot], true));
                }
            }
        }
    }
}

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
//! `[265, 16, 16]`, a logit for each pair of a source, the plane, and a destination, the cell. The
//! first 256 sources are the cells of the window, row by row: the piece that moves stands there,
//! on top of its stack, whoever's it is and whether it walks or is thrown. The others are off the
//! board: the mover's hand, a source for each of the 8 kinds, and last the pass, whose cell is the
//! first.
//!
//! Cells are folded as in the observation. As long as the hive and the cells around it fit into
//! the window, two legal actions never share a slot: one piece is on top of each cell, and of the
//! pieces of a kind in the hand only the first may come. In a longer hive two moves share theirs
//! where both their sources and their destinations are 16 apart, and two placements of a kind
//! where their destinations are.

use super::board::action::Action;
use super::board::cell::Cell;
use super::board::cell_set::CellSet;
use super::board::frame::Frame;
use super::board::piece::{Kind, N_KINDS, Piece};
use super::board::symmetry::{N_SYMMETRIES, action_image};
use super::config::Hive;
use super::features;
use super::movement::moves::Moves;
use super::movement::pins::Pins;
use super::state::State;
use crate::{ActionFeatures, ActionId, Encode, FeatureImages, FeatureSizes, Game, Player};

/// Rows and columns of the window.
const WINDOW: usize = 16;
const AREA: usize = WINDOW * WINDOW;
/// Sources of moves off the board: each kind in the hand, and the pass.
const N_OFF_BOARD: usize = N_KINDS + 1;
const PASS: usize = AREA + N_KINDS;
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
    pub(super) const MOVABLE: usize = PINNED + 1;
    pub(super) const IN_REACH: usize = MOVABLE + 2;
    pub(super) const PLACEABLE: usize = IN_REACH + 2;
    pub(super) const FOLDED: usize = PLACEABLE + 2;
    pub(super) const HAND: usize = FOLDED + 1;
    pub(super) const QUEEN_NOW: usize = HAND + 2 * N_KINDS;
    pub(super) const SIEGE: usize = QUEEN_NOW + 1;
    pub(super) const REPETITION: usize = SIEGE + 2;
    pub(super) const N: usize = REPETITION + 1;
}

/// The place of a cell in the window's `[row, column]`, flattened, and whether it lies outside of
/// the window and so is folded.
fn place(frame: Frame, cell: Cell) -> (usize, bool) {
    let [column, row] = frame.centred(cell, WINDOW);
    let outside = column.max(row) >= WINDOW;
    (row % WINDOW * WINDOW + column % WINDOW, outside)
}

impl Hive {
    /// As [`write_mobility`](Hive::write_mobility) for the player to move, whose legal actions are
    /// known.
    fn write_known_mobility(state: &State, frame: Frame, legal: &[ActionId], out: &mut [f32]) {
        let mut set = |plane: usize, cell: Cell| out[plane * AREA + place(frame, cell).0] = 1.0;
        for &action in legal {
            let Some(Action::Put(piece, cell)) = Action::from_id(action) else {
                continue;
            };
            match state.cell_of(piece) {
                None => set(plane::PLACEABLE, cell),
                Some(from) => {
                    set(plane::MOVABLE, from);
                    set(plane::IN_REACH, cell);
                }
            }
        }
    }

    /// Which pieces a player could move and throw if they were to move, and where pieces could go: ways of
    /// ants and pins of a long hive are farther than a small network sees.
    fn write_mobility(
        &self,
        state: &State,
        frame: Frame,
        player: Player,
        side: usize,
        out: &mut [f32],
    ) {
        let mut set = |plane: usize, cell: Cell| {
            out[(plane + side) * AREA + place(frame, cell).0] = 1.0;
        };
        let (mut in_reach, mut placeable) = (CellSet::EMPTY, CellSet::EMPTY);
        let mut moves = Moves::of_side(self, state, player);
        for piece in moves.pieces() {
            let to = moves.of(piece);
            match state.cell_of(piece) {
                // The same for all pieces in the hand.
                None => placeable = to.cells,
                Some(from) if to.len() > 0 => {
                    set(plane::MOVABLE, from);
                    in_reach.insert_all(&to.cells);
                }
                Some(_) => {}
            }
        }
        for cell in in_reach.iter() {
            set(plane::IN_REACH, cell);
        }
        for cell in placeable.iter() {
            set(plane::PLACEABLE, cell);
        }
    }
}

impl Encode for Hive {
    fn encoding_version(&self) -> u32 {
        3
    }
    const SHOWS_LEGAL_ACTIONS: bool = true;

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
        let each_side = |text: &'static str| {
            ["the mover", "the enemy, were it their turn,"].map(|side| text.replace("{}", side))
        };
        let one = |text: &str| std::iter::once(text.to_owned());
        each_kind("1 where the top piece is an {}")
            .chain(one("1 where the top piece is number 2 of its kind"))
            .chain(one("1 where the top piece is number 3 of its kind"))
            .chain(each_kind("half the number of covered pieces: {}"))
            .chain(one("pieces on the cell, over 7"))
            .chain(one("1 where the top piece is stunned"))
            .chain(one("1 where lifting the only piece would split the hive"))
            .chain(each_side(
                "1 where the top piece is one that {} can move or throw",
            ))
            .chain(each_side(
                "1 on the cells to which {} can move or throw a piece",
            ))
            .chain(each_side("1 on the cells where {} can place a piece"))
            .chain(one("1 where a piece from outside of the window is shown"))
            .chain(each_kind("everywhere: share of pieces in hand: {}"))
            .chain(one("everywhere: 1 if the own queen must be placed now"))
            .chain(one("everywhere: neighbours of the own queen, over 6"))
            .chain(one("everywhere: neighbours of the enemy's queen, over 6"))
            .chain(one(
                "everywhere: earlier occurrences of the position, over 2",
            ))
            .collect()
    }

    fn write_observation(&self, state: &State, out: &mut [f32]) {
        self.write_observation_knowing(state, &[], out);
    }

    fn write_observation_knowing(&self, state: &State, legal: &[ActionId], out: &mut [f32]) {
        assert_eq!(out.len(), plane::N * AREA, "observation of {self:?}");
        out.fill(0.0);
        let mover = state.to_move();
        let frame = Frame::of(&state.board);
        let mut pins = Pins::UNKNOWN;
        let mut in_hand = [0usize; 2 * N_KINDS];
        for piece in Piece::all().filter(|&piece| self.has(piece)) {
            let kind = piece.kind_seen_by(mover);
            let Some(cell) = state.cell_of(piece) else {
                in_hand[kind] += 1;
                continue;
            };
            let (at, outside) = place(frame, cell);
            let mut set = |plane: usize, value: f32| out[plane * AREA + at] = value;
            if outside {
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
        // A finished game has no legal actions, but pieces that could move.
        if legal.is_empty() {
            self.write_mobility(state, frame, mover, 0, out);
        } else {
            Hive::write_known_mobility(state, frame, legal, out);
        }
        self.write_mobility(state, frame, mover.opponent(), 1, out);
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
        for (side, player) in [mover, mover.opponent()].into_iter().enumerate() {
            if let Some(queen) = state.cell_of(Piece::queen(player)) {
                let n_neighbours = state.occupied_around(queen).count_ones();
                fill(plane::SIEGE + side, n_neighbours as f32 / 6.0);
            }
        }
        fill(plane::REPETITION, (state.n_occurrences() - 1) as f32 / 2.0);
    }

    fn policy_planes(&self) -> usize {
        AREA + N_OFF_BOARD
    }

    fn policy_descriptions(&self) -> Vec<String> {
        let on_board = (0..AREA).map(|from| {
            let (row, column) = (from / WINDOW, from % WINDOW);
            format!("the top piece of cell ({row}, {column}) goes to cell (r, c)")
        });
        let from_hand = Kind::ALL.into_iter().map(|kind| {
            let name = format!("{kind:?}").to_lowercase();
            format!("the next {name} of the hand is placed on cell (r, c)")
        });
        let pass = "pass, at cell (0, 0)".to_owned();
        on_board.chain(from_hand).chain([pass]).collect()
    }

    fn policy_slot(&self, state: &State, action: ActionId) -> usize {
        match Action::from_id(action).expect("an action id below n_actions") {
            Action::Put(piece, cell) => {
                let frame = Frame::of(&state.board);
                let source = match state.cell_of(piece) {
                    Some(from) => place(frame, from).0,
                    None => AREA + piece.kind() as usize,
                };
                source * AREA + place(frame, cell).0
            }
            Action::Pass => PASS * AREA,
        }
    }

    /// Whether the hive and the cells around it do not fit into the window.
    fn is_folded(&self, state: &State) -> bool {
        let size = Frame::of(&state.board).size();
        size.into_iter().any(|len| len + 2 > WINDOW)
    }

    fn feature_sizes(&self) -> FeatureSizes {
        features::sizes()
    }

    fn write_features(
        &self,
        state: &State,
        legal: &[ActionId],
        features: &mut Vec<u32>,
        actions: &mut ActionFeatures,
    ) {
        features::write_position(self, state, legal, features);
        features::write_actions(state, legal, actions);
    }

    fn feature_images(&self, symmetry: usize) -> Option<FeatureImages> {
        assert!(symmetry < N_SYMMETRIES, "a symmetry is below 12");
        Some(features::images(symmetry))
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
mod tests;

//! The rules, by bit operations on the set of drawn edges.

use super::board::{Bordered, BoxId};
use super::config::DotsAndBoxes;
use super::illegal::Illegal;
use super::notation::SIDES;
use super::state::{EDGE_KEYS, PASS_KEYS, POINTS_KEYS, State};
use crate::{ActionId, ForFirst, Game, IdSet, Outcome, Player};
use arrayvec::ArrayVec;
use rand::{Rng, RngExt};
use serde::Serialize;
use std::fmt;

/// What drawing an edge did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// The boxes completed by the edge, in ascending order.
    pub captured: ArrayVec<BoxId, 2>,
    /// Who moves next; `None` when the game is over.
    pub next: Option<Player>,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.captured.len() {
            0 => write!(f, "no box")?,
            1 => write!(f, "1 box")?,
            n => write!(f, "{n} boxes")?,
        }
        match self.next.map(|player| SIDES[player.index()]) {
            Some(side) if self.captured.is_empty() => write!(f, ", {side} to move"),
            Some(side) => write!(f, ", {side} moves again"),
            None => write!(f, ", game over"),
        }
    }
}

impl DotsAndBoxes {
    /// The undrawn edges.
    #[inline]
    #[must_use]
    pub fn undrawn(&self, state: &State) -> IdSet {
        let all = &self.board.all_edges.0;
        IdSet(std::array::from_fn(|word| all[word] & !state.edges.0[word]))
    }

    /// How many edges are undrawn.
    #[inline]
    fn n_undrawn(&self, state: &State) -> usize {
        self.n_edges() - usize::from(state.n_drawn)
    }

    /// Who took the box; `None` while a side is missing.
    ///
    /// # Panics
    /// If `row` or `col` is out of the board.
    #[must_use]
    pub fn owner(&self, state: &State, row: usize, col: usize) -> Option<Player> {
        self.sides(row, col)
            .iter()
            .all(|&side| state.edges.contains(side))
            .then(|| {
                if state.taken_by_second() >> (row * self.cols() + col) & 1 == 1 {
                    Player::Second
                } else {
                    Player::First
                }
            })
    }

    /// A state from its parts: drawn edges, the boxes that player 1 took, the player to move.
    /// `None` if an edge is out of the board or a taken box is not complete.
    #[must_use]
    pub fn state_from_parts(
        &self,
        edges: IdSet,
        taken_by_second: u128,
        to_move: Player,
    ) -> Option<State> {
        let beyond = (0..4).any(|word| edges.0[word] & !self.board.all_edges.0[word] != 0);
        if beyond || taken_by_second >> self.n_boxes() != 0 {
            return None;
        }
        let complete = (0..self.n_boxes())
            .filter(|id| {
                let sides = self.sides(id / self.cols(), id % self.cols());
                sides.iter().all(|&side| edges.contains(side))
            })
            .fold(0u128, |set, id| set | 1 << id);
        if taken_by_second & !complete != 0 {
            return None;
        }
        let second = taken_by_second.count_ones() as u8;
        let mut state = State {
            edges,
            taken_by_second: [taken_by_second as u64, (taken_by_second >> 64) as u64],
            key: 0,
            n_drawn: edges.len() as u8,
            points: [complete.count_ones() as u8 - second, second],
            to_move,
        };
        state.key = state.hash_from_scratch();
        Some(state)
    }

    /// Draws an undrawn edge and tells which of the boxes that it borders it completes.
    ///
    /// Free of branches: in random games each of them would be mispredicted every third time.
    #[inline]
    fn draw_edge(&self, state: &mut State, edge: usize) -> [bool; 2] {
        state.edges.insert(edge);
        state.n_drawn += 1;
        let bordered = &self.board.bordered[edge];
        let completes = bordered.map(|Bordered { others, .. }| {
            let drawn = others.map(|other| state.edges.contains(other as usize));
            drawn[0] & drawn[1] & drawn[2]
        });
        let mover = state.to_move.index();
        for (bordered, completes) in bordered.iter().zip(completes) {
            let BoxId(id) = bordered.box_id;
            let taken = completes & (mover == 1);
            state.taken_by_second[usize::from(id >> 6)] |= u64::from(taken) << (id & 63);
        }
        let n_captured = u8::from(completes[0]) + u8::from(completes[1]);
        let before = state.points[mover];
        let after = before + n_captured;
        state.points[mover] = after;
        let passes = usize::from(n_captured == 0);
        state.key ^= EDGE_KEYS[edge]
            ^ POINTS_KEYS[mover][before as usize]
            ^ POINTS_KEYS[mover][after as usize]
            ^ PASS_KEYS[passes];
        state.to_move = Player::BOTH[mover ^ passes];
        completes
    }
}

impl Game for DotsAndBoxes {
    type State = State;
    type Played = Played;
    type Illegal = Illegal;

    fn rules_version(&self) -> u32 {
        1
    }

    fn spec(&self) -> String {
        format!("dots-and-boxes:{}x{}", self.rows(), self.cols())
    }

    fn n_actions(&self) -> usize {
        self.n_edges()
    }

    fn max_plies(&self) -> Option<usize> {
        Some(self.n_edges())
    }

    fn initial(&self) -> State {
        State::INITIAL
    }

    #[inline]
    fn player_to_move(&self, state: &State) -> Player {
        state.to_move
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.is_over(state)
            .then(|| Outcome::from_points(state.points.map(i32::from)))
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        usize::from(state.n_drawn) == self.n_edges()
    }

    #[inline]
    fn points(&self, state: &State) -> Option<[i32; 2]> {
        Some(state.points.map(i32::from))
    }

    /// All boxes that are left may go to either player.
    #[inline]
    fn lead_bounds(&self, state: &State) -> Option<ForFirst<[i32; 2]>> {
        let [first, second] = state.points.map(i32::from);
        let n_left = self.n_boxes() as i32 - first - second;
        let lead = first - second;
        Some(ForFirst([lead - n_left, lead + n_left]))
    }

    #[inline]
    fn legal_actions(&self, state: &State, out: &mut Vec<ActionId>) {
        // Sized first, so that the loop need not look after the capacity.
        out.resize(self.n_undrawn(state), ActionId(0));
        for (slot, edge) in out.iter_mut().zip(self.undrawn(state).iter()) {
            *slot = ActionId(edge as u32);
        }
    }

    #[inline]
    fn n_legal_actions(&self, state: &State, _buffer: &mut Vec<ActionId>) -> usize {
        self.n_undrawn(state)
    }

    fn write_mask(&self, state: &State, _buffer: &mut Vec<ActionId>, mask: &mut [i8]) {
        assert_eq!(mask.len(), self.n_edges(), "action mask of {self:?}");
        self.undrawn(state).write_mask(mask);
    }

    #[inline]
    fn legality(&self, state: &State, action: ActionId) -> Result<(), Illegal> {
        if action.index() >= self.n_edges() {
            return Err(Illegal::OutOfBoard {
                edge: action.0,
                last: self.n_edges() as u32 - 1,
            });
        }
        if self.is_over(state) {
            return Err(Illegal::GameOver);
        }
        if state.edges.contains(action.index()) {
            return Err(Illegal::AlreadyDrawn(action.0));
        }
        Ok(())
    }

    fn play(&self, state: &mut State, action: ActionId) -> Result<Played, Illegal> {
        self.legality(state, action)?;
        let completes = self.draw_edge(state, action.index());
        let bordered = &self.board.bordered[action.index()];
        let captured = bordered.iter().zip(completes);
        Ok(Played {
            captured: captured
                .filter_map(|(bordered, completes)| completes.then_some(bordered.box_id))
                .collect(),
            next: (!self.is_over(state)).then_some(state.to_move),
        })
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, action: ActionId) {
        self.draw_edge(state, action.index());
    }

    #[inline]
    fn hash(&self, state: &State) -> u64 {
        state.key
    }

    #[inline]
    fn sample_action<R: Rng + ?Sized>(
        &self,
        state: &State,
        _buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> ActionId {
        let rank = rng.random_range(0..self.n_undrawn(state));
        ActionId(self.undrawn(state).nth(rank) as u32)
    }

    /// Every undrawn edge is legal to the end, so a random game is a random order of them: the
    /// shuffle of Fisher and Yates, which does not wait for the state.
    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        buffer: &mut Vec<ActionId>,
        rng: &mut R,
    ) -> Outcome {
        self.legal_actions(state, buffer);
        while !buffer.is_empty() {
            let edge = buffer.swap_remove(rng.random_range(0..buffer.len()));
            self.draw_edge(state, edge.index());
        }
        Outcome::from_points(state.points.map(i32::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edge_can_complete_two_boxes_and_the_mover_stays() {
        let game = DotsAndBoxes::new(1, 2).unwrap();
        let mut state = game.initial();
        // All but the edge between the two boxes: horizontals 0..4, verticals 4 and 6.
        for edge in [0, 1, 2, 3, 4, 6] {
            game.play(&mut state, ActionId(edge)).unwrap();
        }
        let mover = game.player_to_move(&state);
        let played = game.play(&mut state, ActionId(5)).unwrap();
        assert_eq!(played.captured.as_slice(), [BoxId(0), BoxId(1)]);
        assert_eq!(played.next, None);
        let outcome = game.outcome(&state).unwrap();
        assert_eq!(outcome.winner, Some(mover));
        assert_eq!(outcome.points, Some([2, 0]));
    }

    #[test]
    fn the_lead_is_bounded_by_the_boxes_left() {
        let game = DotsAndBoxes::new(1, 3).unwrap();
        let state = |taken_by_second| {
            // The first two of three boxes are complete.
            let edges = [0, 1, 3, 4, 6, 7, 8].into_iter().collect();
            let state = game.state_from_parts(edges, taken_by_second, Player::First);
            state.expect("complete boxes")
        };
        let bounds = |state: &State| game.lead_bounds(state).unwrap().0;
        assert_eq!(bounds(&game.initial()), [-3, 3]);
        assert_eq!(bounds(&state(0b00)), [1, 3]);
        assert_eq!(bounds(&state(0b01)), [-1, 1]);
        assert_eq!(bounds(&state(0b11)), [-3, -1]);
    }

    #[test]
    fn each_refusal_names_its_reason() {
        let game = DotsAndBoxes::new(1, 1).unwrap();
        let mut state = game.initial();
        assert_eq!(
            game.play(&mut state, ActionId(4)),
            Err(Illegal::OutOfBoard { edge: 4, last: 3 })
        );
        game.play(&mut state, ActionId(2)).unwrap();
        assert_eq!(
            game.play(&mut state, ActionId(2)),
            Err(Illegal::AlreadyDrawn(2))
        );
        for edge in [0, 1, 3] {
            game.play(&mut state, ActionId(edge)).unwrap();
        }
        assert_eq!(game.play(&mut state, ActionId(0)), Err(Illegal::GameOver));
    }
}

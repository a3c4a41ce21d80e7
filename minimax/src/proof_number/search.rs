//! One node of the search, and those below it.

use super::frame::Frame;
use super::numbers::{Child, Found, NOTHING, Numbers, THE_CUT, THE_ROOT, combine, next_child};
use super::{MAX_PROOF_PLIES, ProofNumberSearch};
use crate::solver::Solvable;
use tablero_env::random::mix;
use tablero_env::{ActionId, Outcome};

impl<G: Solvable> ProofNumberSearch<G> {
    /// Searches below an open position until it is decided, one of its numbers reaches `limit`,
    /// or no nodes are left.
    pub(super) fn expand(&mut self, state: &G::State, key: u64, limit: Numbers) -> Found {
        let nodes_before = self.nodes;
        self.nodes += 1;
        let attacks = self.game.player_to_move(state) == self.attacker;
        let signature = self.signature;
        self.path.push(key);
        self.signature = signature.wrapping_add(mix(key));
        let number = self.path.len();

        let mut frame = self.take_frame(state);
        self.look_around(state, &mut frame, false);
        let mut found = loop {
            let found = combine(&frame.children, attacks);
            let Numbers { proof, disproof } = found.numbers;
            if proof >= limit.proof || disproof >= limit.disproof || self.is_spent() {
                break found;
            }
            let (index, limit) = next_child(&frame.children, attacks, found.numbers, limit);
            let Child { action, key, .. } = frame.children[index];
            frame.next.clone_from(state);
            self.game.play_unchecked(&mut frame.next, action);
            frame.children[index].found = self.expand(&frame.next, key, limit);
            for child in &mut frame.children {
                if !child.found.numbers.is_decided()
                    && let Some(found) = self.known(child.key)
                {
                    child.found = found;
                }
            }
        };
        self.frames.push(frame);

        self.path.pop();
        self.signature = signature;
        if found.rests_on >= number {
            // That it would return to itself is nothing that its ancestors need to know.
            found.rests_on = NOTHING;
        }
        let work = self.nodes - nodes_before;
        if found.rests_on == NOTHING {
            self.table.insert(key, found.numbers, found.plies, work);
        } else {
            // On another way with the same ancestors they may come in another order.
            let rests_on = found.rests_on.min(THE_ROOT) as u16;
            self.table
                .insert(key_on_path(key, signature), found.numbers, rests_on, work);
        }
        found
    }

    fn take_frame(&mut self, state: &G::State) -> Box<Frame<G::State>> {
        self.frames
            .pop()
            .unwrap_or_else(|| Box::new(Frame::new(state)))
    }

    /// Plays each action, until one of them decides the position at once; or all of them.
    pub(super) fn look_around(&self, state: &G::State, frame: &mut Frame<G::State>, at_all: bool) {
        let attacks = self.game.player_to_move(state) == self.attacker;
        let Frame {
            next,
            after_next,
            deciding,
            legal,
            children,
        } = frame;
        self.game.legal_actions(state, legal);
        children.clear();
        for &action in legal.iter() {
            next.clone_from(state);
            self.game.play_unchecked(next, action);
            let key = self.key(next);
            let found = self
                .look(next, key)
                .unwrap_or_else(|| self.first_look(next, after_next, deciding));
            children.push(Child { action, key, found });
            let decides = if attacks {
                found == Found::proven(0)
            } else {
                found == Found::disproven(NOTHING)
            };
            if decides && !at_all {
                break;
            }
        }
    }

    /// What is known of a position below the last of the path.
    fn look(&self, state: &G::State, key: u64) -> Option<Found> {
        if let Some(index) = self.path.iter().position(|&ancestor| ancestor == key) {
            return Some(Found::disproven(index + 1));
        }
        if let Some(outcome) = self.game.outcome(state) {
            return Some(self.finished(&outcome));
        }
        if self.path.len() >= MAX_PROOF_PLIES {
            return Some(Found::disproven(THE_CUT));
        }
        self.known(key)
    }

    fn finished(&self, outcome: &Outcome) -> Found {
        if outcome.winner == Some(self.attacker) {
            Found::proven(0)
        } else {
            Found::disproven(NOTHING)
        }
    }

    /// What can be said of an open position without searching it: whether the player to move wins
    /// at once, or else what the game expects.
    fn first_look(
        &self,
        state: &G::State,
        next: &mut G::State,
        deciding: &mut Vec<ActionId>,
    ) -> Found {
        let mover = self.game.player_to_move(state);
        self.game.deciding_actions(state, deciding);
        for &action in deciding.iter() {
            next.clone_from(state);
            self.game.play_unchecked(next, action);
            if self
                .game
                .outcome(next)
                .is_some_and(|outcome| outcome.winner == Some(mover))
            {
                return if mover == self.attacker {
                    Found::proven(1)
                } else {
                    Found::disproven(NOTHING)
                };
            }
        }
        let [proof, disproof] = self.game.initial_numbers(state, self.attacker);
        Found::open(Numbers { proof, disproof })
    }

    /// What the table knows of a position.
    fn known(&self, key: u64) -> Option<Found> {
        let by_any_way = self.table.get(key).map(|entry| Found {
            numbers: entry.numbers,
            plies: entry.plies,
            rests_on: NOTHING,
        });
        if by_any_way.is_some_and(|found| found.numbers.is_decided()) {
            return by_any_way;
        }
        let on_path = self.table.get(key_on_path(key, self.signature));
        on_path
            .map(|entry| Found::disproven(usize::from(entry.plies)))
            .or(by_any_way)
    }
}

/// The key of a disproof that holds on one path only.
fn key_on_path(key: u64, signature: u64) -> u64 {
    mix(key ^ signature)
}

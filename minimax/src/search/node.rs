//! One node of the tree, and those below it.
//!
//! Scores are for the player to move in the position at hand. A child's score changes its sign if,
//! and only if, another player moves there: see [`Worker::child`].

use super::budget::Stopped;
use super::frame::Frame;
use super::units::{INFINITY, SAME_TURN, TURN, WIN_SCORE};
use super::worker::Worker;
use crate::heuristic::{Baseline, Heuristic, MAX_EVALUATION};
use crate::ordering::take_next;
use crate::table::{Bound, COMPLETE, Entry};
use tablero_env::{ActionId, Outcome, Player};

/// How many actions are tried at full depth before the others count as late: see
/// [`Heuristic::LATE_REDUCTION`].
const FIRST_LATE: usize = 3;

impl<G: Baseline> Worker<'_, G> {
    /// The score of a position for the player to move there, exact if it lies strictly between
    /// `alpha` and `beta`, and otherwise a bound on the same side (fail-soft). `depth` is in units
    /// of which [`TURN`] make a turn; `ply` is the number of actions since the root.
    pub(super) fn node(
        &mut self,
        state: &G::State,
        depth: u16,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.budget.spend_node()?;
        let mover = self.game.player_to_move(state);
        if let Some(outcome) = self.game.outcome(state) {
            return Ok(self.terminal(&outcome, mover));
        }
        if G::Heuristic::FORCING_WINS && ply > 0 && self.has_forcing_action(state) {
            return Ok(WIN_SCORE);
        }
        if depth == 0 {
            self.complete = false;
            return self.quiesce(state, ply, alpha, beta);
        }
        let key = self.game.hash(state);
        let known = self.table.get(key);
        if let Some(entry) = known.filter(|entry| ply > 0 && entry.cuts(depth, alpha, beta)) {
            self.complete &= entry.depth == COMPLETE;
            return Ok(entry.score);
        }

        let complete_before = std::mem::replace(&mut self.complete, true);
        let mut frame = self.take_frame(state);
        self.heuristic
            .sufficient_actions(self.game, state, &mut frame.actions);
        if G::Heuristic::FORCING_WINS && ply > 0 {
            // There are none, or the node would be done.
            frame.forcing.clear();
        } else {
            self.heuristic
                .forcing_actions(self.game, state, &mut frame.forcing);
        }
        self.storage.ordering.rank(
            mover,
            ply,
            known.map(|entry| entry.action),
            &frame.forcing,
            &frame.actions,
            &mut frame.ranked,
        );
        let tried = self.try_actions(state, &mut frame, depth, ply, alpha, beta);
        self.storage.frames.push(frame);
        let (score, best) = tried?;

        let bound = Bound::of(score, alpha, beta);
        self.complete |= self.is_settled(score, bound);
        let entry = Entry {
            score,
            action: best,
            depth: if self.complete { COMPLETE } else { depth },
            bound,
        };
        self.table.insert(key, entry);
        self.complete &= complete_before;
        Ok(score)
    }

    /// The best score of the ranked actions, and the action that gives it.
    fn try_actions(
        &mut self,
        state: &G::State,
        frame: &mut Frame<G::State>,
        depth: u16,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> Result<(i32, ActionId), Stopped> {
        let mover = self.game.player_to_move(state);
        let mut best = None;
        let mut best_score = -INFINITY;
        for taken in 0..frame.ranked.len() {
            let action = frame.actions[take_next(&mut frame.ranked, taken)];
            frame.next.clone_from(state);
            self.game.play_unchecked(&mut frame.next, action);
            let next = &frame.next;
            let passes = self.game.player_to_move(next) != mover;
            let below = depth.saturating_sub(if passes { TURN } else { SAME_TURN });
            // The first action is expected to be the best; the others are only asked whether
            // they are better, which a window without width answers sooner, and a lesser depth
            // sooner still.
            let mut score = if best.is_none() {
                self.child(next, mover, below, ply + 1, alpha, beta)?
            } else {
                let reduced = self.reduced(below, taken, ply);
                let mut score = self.child(next, mover, reduced, ply + 1, alpha, alpha + 1)?;
                if score > alpha && reduced < below {
                    score = self.child(next, mover, below, ply + 1, alpha, alpha + 1)?;
                }
                score
            };
            if best.is_some() && score > alpha && score < beta {
                score = self.child(next, mover, below, ply + 1, alpha, beta)?;
            }
            if score > best_score {
                best_score = score;
                best = Some(action);
                if ply == 0 && score > alpha {
                    self.root_best = Some((action, score));
                }
                alpha = alpha.max(score);
                if alpha >= beta {
                    self.storage.ordering.record_cut(mover, ply, depth, action);
                    break;
                }
            }
        }
        let best = best.expect("an unfinished game has a legal action");
        Ok((best_score, best))
    }

    /// The depth at which to ask first whether an action is better than the best so far, after
    /// `taken` others: less than the whole if it is late, but not none.
    fn reduced(&self, below: u16, taken: usize, ply: usize) -> u16 {
        if taken >= FIRST_LATE && ply > 0 && below > self.late_reduction {
            below - self.late_reduction
        } else {
            below
        }
    }

    /// The score of a child for `mover`, who moved into it: the one place where the point of
    /// view changes, and it follows the player who moves there.
    fn child(
        &mut self,
        next: &G::State,
        mover: Player,
        depth: u16,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        if self.game.player_to_move(next) == mover {
            self.node(next, depth, ply, alpha, beta)
        } else {
            self.node(next, depth, ply, -beta, -alpha)
                .map(|score| -score)
        }
    }

    /// The score beyond the depth limit: the evaluation, or what forcing actions make of it, if
    /// that is better for the mover, who may decline them. So a lost game that forcing actions
    /// lead to is never taken for a proven loss.
    fn quiesce(
        &mut self,
        state: &G::State,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let mover = self.game.player_to_move(state);
        if let Some(outcome) = self.game.outcome(state) {
            return Ok(self.terminal(&outcome, mover));
        }
        let stand = self.heuristic.evaluate(self.game, state).seen_by(mover);
        debug_assert!(stand.abs() < MAX_EVALUATION);
        if stand >= beta || G::Heuristic::FORCING_WINS {
            return Ok(stand);
        }
        let mut frame = self.take_frame(state);
        let score = self.try_forcing(state, &mut frame, ply, stand, alpha, beta);
        self.storage.frames.push(frame);
        score
    }

    /// The best of `stand` and the scores of the forcing actions.
    fn try_forcing(
        &mut self,
        state: &G::State,
        frame: &mut Frame<G::State>,
        ply: usize,
        stand: i32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let mover = self.game.player_to_move(state);
        let mut best = stand;
        self.heuristic
            .forcing_actions(self.game, state, &mut frame.forcing);
        for &action in &frame.forcing {
            if best >= beta {
                break;
            }
            self.budget.spend_node()?;
            frame.next.clone_from(state);
            self.game.play_unchecked(&mut frame.next, action);
            let alpha = alpha.max(best);
            let score = if self.game.player_to_move(&frame.next) == mover {
                self.quiesce(&frame.next, ply + 1, alpha, beta)?
            } else {
                -self.quiesce(&frame.next, ply + 1, -beta, -alpha)?
            };
            best = best.max(score);
        }
        Ok(best)
    }

    /// Whether the player to move has a forcing action.
    fn has_forcing_action(&mut self, state: &G::State) -> bool {
        let mut frame = self.take_frame(state);
        self.heuristic
            .forcing_actions(self.game, state, &mut frame.forcing);
        let has_one = !frame.forcing.is_empty();
        self.storage.frames.push(frame);
        has_one
    }

    /// The score of a finished game for `player`.
    fn terminal(&mut self, outcome: &Outcome, player: Player) -> i32 {
        // A draw by repetition belongs to the way to the position, not to the position.
        if G::Heuristic::POSITIONS_RECUR && outcome.winner.is_none() {
            self.complete = false;
        }
        let lead = outcome.lead().map_or(0, |lead| lead.seen_by(player));
        WIN_SCORE * i32::from(outcome.return_for(player)) + lead
    }

    /// Whether a score is final, although some lines were cut short: a won game is won however
    /// deep one looks. Only in games without points, where all wins weigh the same.
    fn is_settled(&self, score: i32, bound: Bound) -> bool {
        !self.has_points
            && match bound {
                Bound::Lower => score > MAX_EVALUATION,
                Bound::Upper => score < -MAX_EVALUATION,
                Bound::Exact => score.abs() > MAX_EVALUATION,
            }
    }

    fn take_frame(&mut self, state: &G::State) -> Box<Frame<G::State>> {
        self.storage
            .frames
            .pop()
            .unwrap_or_else(|| Box::new(Frame::new(state)))
    }
}

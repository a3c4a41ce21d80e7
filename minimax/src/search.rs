//! Alpha-beta: depth-first minimax that skips what cannot change the answer (Knuth and Moore,
//! 1975), as principal variation search (Marsland and Campbell, 1982) inside iterative
//! deepening.
//!
//! Scores inside the search are for the player to move in the position at hand. A child's score
//! changes its sign if, and only if, another player moves there: see [`Minimax::child`].

use crate::heuristic::{Baseline, Heuristic, MAX_EVALUATION};
use crate::limits::Limits;
use crate::ordering::{Ordering, Ranked, take_next};
use crate::table::{Bound, COMPLETE, Table};
use std::time::Instant;
use tablero_env::{ActionId, Outcome, Player};

/// The score of a won game, before the winner's lead in points is added.
pub const WIN_SCORE: i32 = 2 * MAX_EVALUATION;

/// Above every score.
const INFINITY: i32 = 2 * WIN_SCORE;

/// How many nodes pass between two looks at the clock.
const NODES_PER_CLOCK: u64 = 256;

/// What a search found: the result of its deepest completed iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The action to play.
    pub best: ActionId,
    /// The score for player 0: an evaluation, below [`MAX_EVALUATION`] in absolute value, or
    /// for a decided game [`WIN_SCORE`] times the return of player 0, plus his lead in points in
    /// games with points.
    pub score: i32,
    /// The return of player 0 (+1, 0, -1) under best play, where the search proves it.
    pub proven: Option<i8>,
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The positions visited in all iterations.
    pub nodes: u64,
    /// The principal variation: best play of both sides, from [`best`](Report::best) on, as far
    /// as the transposition table remembers it.
    pub pv: Vec<ActionId>,
}

/// The search was given up because time or nodes ran out.
struct Stopped;

/// Buffers of one ply, kept from node to node.
#[derive(Clone, Debug, Default)]
struct Frame {
    legal: Vec<ActionId>,
    forcing: Vec<ActionId>,
    ranked: Vec<Ranked>,
}

/// The alpha-beta player of a game.
///
/// A search limited by depth or nodes is a pure function of the state, the limits and the
/// contents of the transposition table; [`clear`](Minimax::clear) empties the table. Only a
/// limit in time makes the answer depend on the clock.
///
/// ```
/// use tablero_env::{Game, dots_and_boxes::DotsAndBoxes};
/// use tablero_minimax::{Limits, Minimax};
/// let game = DotsAndBoxes::new(1, 2).unwrap();
/// let state = game.initial();
/// let report = Minimax::new(game, 1).search(&state, &Limits::depth(7));
/// assert_eq!(report.proven, Some(0), "seven plies are the whole game, and it is a draw");
/// ```
#[derive(Clone, Debug)]
pub struct Minimax<G: Baseline> {
    game: G,
    heuristic: G::Heuristic,
    table: Table,
    ordering: Ordering,
    frames: Vec<Frame>,
    limits: Limits,
    started: Instant,
    nodes: u64,
    /// The depth of the iteration under way.
    iteration: u16,
    /// Whether every line searched since the flag was last set ended with the game.
    complete: bool,
    root_best: Option<ActionId>,
}

impl<G: Baseline> Minimax<G> {
    /// A player with a transposition table of `table_mib` MiB; 0 means none.
    #[must_use]
    pub fn new(game: G, table_mib: usize) -> Self {
        Minimax {
            heuristic: game.heuristic(),
            table: Table::new(table_mib),
            ordering: Ordering::new(game.n_actions()),
            frames: Vec::new(),
            limits: Limits::default(),
            started: Instant::now(),
            nodes: 0,
            iteration: 0,
            complete: false,
            root_best: None,
            game,
        }
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches deeper and deeper until a limit is reached or the score is exact.
    ///
    /// # Panics
    /// If the game is over.
    pub fn search(&mut self, state: &G::State, limits: &Limits) -> Report {
        assert!(!self.game.is_over(state), "the game is over");
        self.started = Instant::now();
        self.limits = *limits;
        self.nodes = 0;
        self.ordering.clear();
        let deepest = limits
            .depth
            .unwrap_or(u32::MAX)
            .clamp(1, u32::from(COMPLETE) - 1) as u16;
        let mut report = None;
        for depth in 1..=deepest {
            match self.iterate(state, depth) {
                Ok((found, exact)) => {
                    report = Some(found);
                    if exact {
                        break;
                    }
                }
                Err(Stopped) => break,
            }
        }
        let mut report = report.expect("the first iteration is never given up");
        report.nodes = self.nodes;
        report
    }

    /// One whole search to `depth`, and whether a deeper one would return the same score.
    fn iterate(&mut self, state: &G::State, depth: u16) -> Result<(Report, bool), Stopped> {
        self.iteration = depth;
        self.complete = true;
        let mover = self.game.player_to_move(state);
        let score = self.node(state, depth, 0, -INFINITY, INFINITY)? * i32::from(mover.sign());
        let decided = score.abs() > MAX_EVALUATION;
        let proven = (decided || self.complete).then(|| score.signum() as i8);
        let best = self
            .root_best
            .expect("an unfinished game has a legal action");
        let report = Report {
            best,
            score,
            proven,
            depth: u32::from(depth),
            nodes: self.nodes,
            pv: self.principal_variation(state, best, depth),
        };
        let has_points = self.game.points(state).is_some();
        Ok((report, self.complete || (decided && !has_points)))
    }

    /// The score of a position for the player to move there, exact if it lies strictly between
    /// `alpha` and `beta`, and otherwise a bound on the same side (fail-soft).
    fn node(
        &mut self,
        state: &G::State,
        depth: u16,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.count_node()?;
        let mover = self.game.player_to_move(state);
        if let Some(outcome) = self.game.outcome(state) {
            return Ok(terminal_score(&outcome, mover));
        }
        if depth == 0 {
            self.complete = false;
            return self.quiesce(state, ply, alpha, beta);
        }
        let key = self.game.hash(state);
        let known = self.table.get(key);
        if let Some(entry) = known
            && ply > 0
            && entry.depth >= depth
        {
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if cuts {
                self.complete &= entry.depth == COMPLETE;
                return Ok(entry.score);
            }
        }

        let complete_before = std::mem::replace(&mut self.complete, true);
        let mut frame = self.take_frame(ply);
        self.game.legal_actions(state, &mut frame.legal);
        self.heuristic
            .forcing_actions(&self.game, state, &mut frame.forcing);
        let from_table = known.map(|entry| entry.action);
        self.ordering.rank(
            mover,
            ply,
            from_table,
            &frame.forcing,
            &frame.legal,
            &mut frame.ranked,
        );

        let alpha_before = alpha;
        let mut best = None;
        let mut best_score = -INFINITY;
        for taken in 0..frame.ranked.len() {
            let action = take_next(&mut frame.ranked, taken);
            let mut next = state.clone();
            self.game.play_unchecked(&mut next, action);
            // The first action is expected to be the best; the others are only asked whether
            // they are better, which a window without width answers sooner.
            let mut score = if best.is_none() {
                self.child(&next, mover, depth - 1, ply + 1, alpha, beta)?
            } else {
                self.child(&next, mover, depth - 1, ply + 1, alpha, alpha + 1)?
            };
            if best.is_some() && score > alpha && score < beta {
                score = self.child(&next, mover, depth - 1, ply + 1, alpha, beta)?;
            }
            if score > best_score {
                best_score = score;
                best = Some(action);
                alpha = alpha.max(score);
                if alpha >= beta {
                    self.ordering.record_cut(mover, ply, depth, action);
                    break;
                }
            }
        }
        self.frames[ply] = frame;

        let best = best.expect("an unfinished game has a legal action");
        let bound = if best_score >= beta {
            Bound::Lower
        } else if best_score > alpha_before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let depth = if self.complete { COMPLETE } else { depth };
        self.table.insert(key, depth, best_score, bound, best);
        self.complete &= complete_before;
        if ply == 0 {
            self.root_best = Some(best);
        }
        Ok(best_score)
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
    /// that is better for the mover. He may decline them, so a lost game that forcing actions
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
            return Ok(terminal_score(&outcome, mover));
        }
        let mut best = self.heuristic.evaluate(&self.game, state) * i32::from(mover.sign());
        debug_assert!(best.abs() < MAX_EVALUATION);
        let mut frame = self.take_frame(ply);
        self.heuristic
            .forcing_actions(&self.game, state, &mut frame.forcing);
        for &action in &frame.forcing {
            if best >= beta {
                break;
            }
            let alpha = alpha.max(best);
            let mut next = state.clone();
            self.game.play_unchecked(&mut next, action);
            self.count_node()?;
            let score = if self.game.player_to_move(&next) == mover {
                self.quiesce(&next, ply + 1, alpha, beta)?
            } else {
                -self.quiesce(&next, ply + 1, -beta, -alpha)?
            };
            best = best.max(score);
        }
        self.frames[ply] = frame;
        Ok(best)
    }

    fn take_frame(&mut self, ply: usize) -> Frame {
        if self.frames.len() <= ply {
            self.frames.resize_with(ply + 1, Frame::default);
        }
        std::mem::take(&mut self.frames[ply])
    }

    fn count_node(&mut self) -> Result<(), Stopped> {
        if self.iteration > 1 {
            let spent = self.limits.nodes.is_some_and(|limit| self.nodes >= limit)
                || self.nodes.is_multiple_of(NODES_PER_CLOCK)
                    && self
                        .limits
                        .time
                        .is_some_and(|limit| self.started.elapsed() >= limit);
            if spent {
                return Err(Stopped);
            }
        }
        self.nodes += 1;
        Ok(())
    }

    /// Follows the table's actions from `state`, beginning with `best`.
    fn principal_variation(&self, state: &G::State, best: ActionId, depth: u16) -> Vec<ActionId> {
        let mut state = state.clone();
        let mut pv = Vec::new();
        let mut next = Some(best);
        while let Some(action) = next
            && pv.len() < usize::from(depth)
            && self.game.is_legal(&state, action)
        {
            self.game.play_unchecked(&mut state, action);
            pv.push(action);
            next = self
                .table
                .get(self.game.hash(&state))
                .map(|entry| entry.action);
        }
        pv
    }
}

/// The score of a finished game for `player`.
fn terminal_score(outcome: &Outcome, player: Player) -> i32 {
    let lead = outcome.points.map_or(0, |[first, second]| first - second);
    (WIN_SCORE * i32::from(outcome.returns()[0]) + lead) * i32::from(player.sign())
}

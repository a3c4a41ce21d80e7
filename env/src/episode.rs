//! One game being played through reset and step: what [`Env`](crate::Env) and
//! [`VecEnv`](crate::VecEnv) share.

use crate::game::mark;
use crate::random::stream;
use crate::{ActionId, Encode, Game};
use std::error::Error;

/// How episodes begin and how long they may last.
///
/// The default is the plain game: no random opening, no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnvOptions {
    /// Truncate an episode after this many steps, if the game has not ended by then; the plies of
    /// the random opening do not count. A truncated game has no result: its rewards are 0, which
    /// is not a draw. The limit is looked at after a step, so 0 acts like 1.
    pub max_plies: Option<usize>,
    /// Begin each episode with this many uniformly random plies, drawn from the seed of the
    /// reset: the only use of that seed, as the games themselves hold no chance. A random ply
    /// that would finish the game is not played; the opening then ends before it.
    pub random_opening_plies: usize,
}

/// Why an environment refuses a step. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvError<I: Error> {
    /// There is no episode yet.
    #[error("no episode has begun: call reset before the first step")]
    NotReset,
    /// The episode was terminated or truncated.
    #[error("the episode is over: call reset")]
    EpisodeOver,
    /// The game refuses the action.
    #[error("action {action} is illegal: {reason}")]
    Illegal {
        /// The action given.
        action: ActionId,
        /// The rule that it breaks.
        reason: I,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    NotReset,
    Running,
    Over,
}

/// What a step earned and whether it was the last one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signals {
    /// Of player 0 and player 1.
    pub(crate) rewards: [f32; 2],
    pub(crate) terminated: bool,
    pub(crate) truncated: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Episode<G: Game> {
    state: G::State,
    /// Where every episode begins, and room for a ply that is tried: kept, so that a state which
    /// owns storage need not ask for it again.
    initial: G::State,
    tried: G::State,
    steps: usize,
    phase: Phase,
}

impl<G: Encode> Episode<G> {
    /// A game at its initial state that waits for its first reset.
    pub(crate) fn new(game: &G) -> Self {
        Episode {
            state: game.initial(),
            initial: game.initial(),
            tried: game.initial(),
            steps: 0,
            phase: Phase::NotReset,
        }
    }

    pub(crate) fn state(&self) -> &G::State {
        &self.state
    }

    /// Steps since the reset.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// Goes to where an episode of this game stood.
    pub(crate) fn resume(&mut self, state: &G::State, steps: usize, is_over: bool) {
        self.state.clone_from(state);
        self.steps = steps;
        self.phase = if is_over { Phase::Over } else { Phase::Running };
    }

    /// Whether there has been a reset.
    pub(crate) fn has_begun(&self) -> bool {
        self.phase != Phase::NotReset
    }

    /// Begins an episode. `buffer` is scratch space.
    pub(crate) fn reset(
        &mut self,
        game: &G,
        options: &EnvOptions,
        seed: u64,
        buffer: &mut Vec<ActionId>,
    ) {
        self.state.clone_from(&self.initial);
        self.steps = 0;
        self.phase = Phase::Running;
        let mut rng = stream(seed, "opening", 0);
        for _ in 0..options.random_opening_plies {
            let action = game.sample_action(&self.state, buffer, &mut rng);
            self.tried.clone_from(&self.state);
            game.play_unchecked(&mut self.tried, action);
            if game.is_over(&self.tried) {
                break;
            }
            std::mem::swap(&mut self.state, &mut self.tried);
        }
    }

    /// Whether there was a reset and the episode is not over.
    pub(crate) fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    /// Whether a step with `action` would be accepted.
    pub(crate) fn check(&self, game: &G, action: ActionId) -> Result<(), EnvError<G::Illegal>> {
        match self.phase {
            Phase::NotReset => Err(EnvError::NotReset),
            Phase::Over => Err(EnvError::EpisodeOver),
            Phase::Running => game
                .legality(&self.state, action)
                .map_err(|reason| EnvError::Illegal { action, reason }),
        }
    }

    /// Plays an action that [`check`](Episode::check) accepts.
    pub(crate) fn advance(&mut self, game: &G, options: &EnvOptions, action: ActionId) -> Signals {
        game.play_unchecked(&mut self.state, action);
        self.steps += 1;
        let outcome = game.outcome(&self.state);
        let terminated = outcome.is_some();
        let truncated = !terminated && options.max_plies.is_some_and(|limit| self.steps >= limit);
        if terminated || truncated {
            self.phase = Phase::Over;
        }
        Signals {
            rewards: outcome.map_or([0.0; 2], |outcome| outcome.returns().map(f32::from)),
            terminated,
            truncated,
        }
    }

    /// Writes what the player to move sees. `buffer` is scratch space.
    pub(crate) fn observe(
        &self,
        game: &G,
        buffer: &mut Vec<ActionId>,
        observation: &mut [f32],
        mask: &mut [i8],
    ) {
        if G::SHOWS_LEGAL_ACTIONS {
            game.legal_actions(&self.state, buffer);
            game.write_observation_knowing(&self.state, buffer, observation);
            mark(buffer, mask);
        } else {
            game.write_observation(&self.state, observation);
            game.write_mask(&self.state, buffer, mask);
        }
    }
}

//! A batch of games that are stepped together.

use crate::episode::Episode;
use crate::random::{Stream, stream};
use crate::{ActionId, Encode, EnvError, EnvOptions, Player};
use ndarray::{Array2, Array4, ArrayView2, ArrayView4, Axis};
use rand::Rng;
use std::error::Error;

/// What happens when an episode of a [`VecEnv`] ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// Nothing: [`VecEnv::reset_env`] begins the next episode; until then a step is refused.
    Disabled,
    /// The step that ends an episode also begins the next one: rewards, terminated and truncated
    /// belong to the finished game; observation, mask and player to move to the new one. The
    /// finished position is not shown. (Gymnasium's `AutoresetMode.SAME_STEP`.)
    #[default]
    SameStep,
}

/// B games of one kind, stepped together, with one observation and one mask array for all.
///
/// Environment i draws the seeds of its episodes from a generator of its own, fixed by the seed of
/// [`reset`](VecEnv::reset) and i: its episodes depend neither on B nor on what is played in the
/// others. Stepping does not allocate.
///
/// # Examples
/// ```
/// use tablero_env::{
///     ActionId, Autoreset, EnvOptions, VecEnv, dots_and_boxes::DotsAndBoxes,
/// };
///
/// let game = DotsAndBoxes::new(2, 2).unwrap();
/// let mut envs = VecEnv::new(game, 3, EnvOptions::default(), Autoreset::SameStep);
/// let (observations, masks) = envs.reset(7);
/// assert_eq!(observations.shape(), [3, 15, 3, 3]);
/// assert_eq!(masks.shape(), [3, 12]);
///
/// let step = envs.step(&[ActionId(0), ActionId(5), ActionId(11)]).unwrap();
/// assert_eq!(step.masks.sum(), 3 * 11);
/// // Environment 1 has this edge already; nothing is played in the others either.
/// let error = envs.step(&[ActionId(5); 3]).unwrap_err();
/// assert_eq!(error.to_string(), "environment 1: action 5 is illegal: edge 5 is already drawn");
/// ```
#[derive(Clone, Debug)]
pub struct VecEnv<G: Encode> {
    game: G,
    options: EnvOptions,
    autoreset: Autoreset,
    episodes: Vec<Episode<G>>,
    /// Of the last reset.
    seed: Option<u64>,
    /// One generator of episode seeds for each environment.
    seeds: Vec<Stream>,
    /// How many seeds were drawn from each.
    n_episodes: Vec<u64>,
    /// The seed of each environment's current episode.
    episode_seeds: Vec<u64>,
    /// `[B, C, H, W]`.
    observations: Array4<f32>,
    /// `[B, n_actions]`.
    masks: Array2<i8>,
    /// `[B, 2]`.
    rewards: Array2<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    players_to_move: Vec<Player>,
    buffer: Vec<ActionId>,
}

/// Where one environment of a [`VecEnv`] stands: with its position in the batch and the seed of the
/// reset, all that its further play depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing<S> {
    /// Episodes begun since the reset, at least 1.
    pub n_episodes: u64,
    /// Steps in the last of them.
    pub steps: usize,
    /// Whether it was terminated or truncated.
    pub is_over: bool,
    /// Its position.
    pub state: S,
}

/// What a step led to, for each of the B environments.
#[derive(Clone, Debug, PartialEq)]
pub struct VecStep<'a> {
    /// `[B, C, H, W]`: each position as its player to move sees it.
    pub observations: ArrayView4<'a, f32>,
    /// `[B, n_actions]`: 1 for each legal action, else 0; all 0 where the game has ended.
    pub masks: ArrayView2<'a, i8>,
    /// `[B, 2]`, of player 0 and player 1: +1, 0 or -1 where the game has ended, else 0.
    pub rewards: ArrayView2<'a, f32>,
    /// B flags: the game has ended by its rules.
    pub terminated: &'a [bool],
    /// B flags: [`EnvOptions::max_plies`] cut the game off.
    pub truncated: &'a [bool],
    /// B players: who chooses the next action; without meaning where the game has ended.
    pub players_to_move: &'a [Player],
}

/// Why a [`VecEnv`] refuses a call. Nothing has changed in any environment then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VecEnvError<I: Error> {
    /// There must be one action, or one standing, for each environment.
    #[error("expected {expected} actions, one for each environment, got {got}")]
    WrongLength {
        /// The number of environments.
        expected: usize,
        /// The number given.
        got: usize,
    },
    /// One environment refuses; the first of them is named.
    #[error("environment {index}: {error}")]
    Env {
        /// The environment's position in the batch.
        index: usize,
        /// Its reason.
        error: EnvError<I>,
    },
    /// The index is not one of an environment.
    #[error("no environment {index}: the batch has {n_envs}")]
    NoSuchEnv {
        /// The index given.
        index: usize,
        /// The number of environments.
        n_envs: usize,
    },
}

impl<G: Encode> VecEnv<G> {
    /// A batch of `n_envs` environments that waits for its first [`reset`](VecEnv::reset).
    #[must_use]
    pub fn new(game: G, n_envs: usize, options: EnvOptions, autoreset: Autoreset) -> Self {
        let [planes, height, width] = game.observation_shape();
        VecEnv {
            // Not clones of one, which would have no room to grow without allocating.
            episodes: (0..n_envs).map(|_| Episode::new(&game)).collect(),
            seed: None,
            seeds: vec![stream(0, "vec-env", 0); n_envs],
            n_episodes: vec![0; n_envs],
            episode_seeds: vec![0; n_envs],
            observations: Array4::zeros([n_envs, planes, height, width]),
            masks: Array2::zeros([n_envs, game.n_actions()]),
            rewards: Array2::zeros([n_envs, 2]),
            terminated: vec![false; n_envs],
            truncated: vec![false; n_envs],
            players_to_move: vec![Player::First; n_envs],
            buffer: Vec::with_capacity(game.max_legal_actions()),
            game,
            options,
            autoreset,
        }
    }

    /// Begins a new episode in every environment and returns the observations `[B, C, H, W]` and
    /// the masks `[B, n_actions]`. The same seed begins the same sequence of episodes.
    pub fn reset(&mut self, seed: u64) -> (ArrayView4<'_, f32>, ArrayView2<'_, i8>) {
        self.seed = Some(seed);
        for index in 0..self.n_envs() {
            self.seeds[index] = stream(seed, "vec-env", index as u64);
            self.n_episodes[index] = 0;
            self.begin_episode(index);
            self.observe(index);
        }
        (self.observations.view(), self.masks.view())
    }

    /// The seed of the last [`reset`](VecEnv::reset) and where each environment stands; `None` before
    /// the first one.
    #[must_use]
    pub fn standings(&self) -> Option<(u64, Vec<Standing<G::State>>)> {
        let standing = |(episode, &n_episodes): (&Episode<G>, &u64)| Standing {
            n_episodes,
            steps: episode.steps(),
            is_over: !episode.is_running(),
            state: episode.state().clone(),
        };
        let standings = self.episodes.iter().zip(&self.n_episodes).map(standing);
        Some((self.seed?, standings.collect()))
    }

    /// Goes to where another batch of the same game and options [stood](VecEnv::standings): from here on
    /// both play alike.
    ///
    /// # Errors
    /// If there is not one standing for each environment; nothing has changed then.
    pub fn resume(
        &mut self,
        seed: u64,
        standings: &[Standing<G::State>],
    ) -> Result<(), VecEnvError<G::Illegal>> {
        if standings.len() != self.n_envs() {
            return Err(VecEnvError::WrongLength {
                expected: self.n_envs(),
                got: standings.len(),
            });
        }
        self.seed = Some(seed);
        for (index, standing) in standings.iter().enumerate() {
            self.seeds[index] = stream(seed, "vec-env", index as u64);
            for _ in 0..standing.n_episodes {
                self.episode_seeds[index] = self.seeds[index].next_u64();
            }
            self.n_episodes[index] = standing.n_episodes;
            self.episodes[index].resume(&standing.state, standing.steps, standing.is_over);
            self.observe(index);
        }
        Ok(())
    }

    /// Begins the next episode of one environment, finished or not, and leaves the others alone.
    ///
    /// # Errors
    /// Before the first [`reset`](VecEnv::reset), and if there is no such environment.
    pub fn reset_env(&mut self, index: usize) -> Result<(), VecEnvError<G::Illegal>> {
        let n_envs = self.n_envs();
        match self.episodes.get(index) {
            None => Err(VecEnvError::NoSuchEnv { index, n_envs }),
            Some(episode) if !episode.has_begun() => Err(VecEnvError::Env {
                index,
                error: EnvError::NotReset,
            }),
            Some(_) => {
                self.begin_episode(index);
                self.observe(index);
                Ok(())
            }
        }
    }

    /// Plays one action in each environment.
    ///
    /// # Errors
    /// If there is not one action for each environment, or if an environment refuses as
    /// [`Env::step`](crate::Env::step) would. All actions are checked before the first is played:
    /// on an error nothing has changed.
    pub fn step(&mut self, actions: &[ActionId]) -> Result<VecStep<'_>, VecEnvError<G::Illegal>> {
        if actions.len() != self.n_envs() {
            return Err(VecEnvError::WrongLength {
                expected: self.n_envs(),
                got: actions.len(),
            });
        }
        for (index, (episode, &action)) in self.episodes.iter().zip(actions).enumerate() {
            // The mask was written for this position; only the refusals need a reason.
            let shown = self.masks.get([index, action.index()]);
            if episode.is_running() && shown == Some(&1) {
                continue;
            }
            episode
                .check(&self.game, action)
                .map_err(|error| VecEnvError::Env { index, error })?;
        }
        for (index, &action) in actions.iter().enumerate() {
            let signals = self.episodes[index].advance(&self.game, &self.options, action);
            self.rewards[[index, 0]] = signals.rewards[0];
            self.rewards[[index, 1]] = signals.rewards[1];
            self.terminated[index] = signals.terminated;
            self.truncated[index] = signals.truncated;
            if self.autoreset == Autoreset::SameStep && (signals.terminated || signals.truncated) {
                self.begin_episode(index);
            }
            self.observe(index);
        }
        Ok(VecStep {
            observations: self.observations.view(),
            masks: self.masks.view(),
            rewards: self.rewards.view(),
            terminated: &self.terminated,
            truncated: &self.truncated,
            players_to_move: &self.players_to_move,
        })
    }

    /// B: the number of environments.
    #[must_use]
    pub fn n_envs(&self) -> usize {
        self.episodes.len()
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The options that the environments were made with.
    #[must_use]
    pub fn options(&self) -> EnvOptions {
        self.options
    }

    /// What happens when an episode ends.
    #[must_use]
    pub fn autoreset(&self) -> Autoreset {
        self.autoreset
    }

    /// The current observations `[B, C, H, W]`; all 0 before the first reset.
    #[must_use]
    pub fn observations(&self) -> ArrayView4<'_, f32> {
        self.observations.view()
    }

    /// The current masks `[B, n_actions]`; all 0 before the first reset.
    #[must_use]
    pub fn masks(&self) -> ArrayView2<'_, i8> {
        self.masks.view()
    }

    /// Who moves next in each of the B environments.
    #[must_use]
    pub fn players_to_move(&self) -> &[Player] {
        &self.players_to_move
    }

    /// The current position of one environment.
    ///
    /// # Panics
    /// If `index >= n_envs()`.
    #[must_use]
    pub fn state(&self, index: usize) -> &G::State {
        self.episodes[index].state()
    }

    /// The seed with which [`Env::reset`](crate::Env::reset) begins the current episode of one
    /// environment.
    ///
    /// # Panics
    /// If `index >= n_envs()`.
    #[must_use]
    pub fn episode_seed(&self, index: usize) -> u64 {
        self.episode_seeds[index]
    }

    fn begin_episode(&mut self, index: usize) {
        let seed = self.seeds[index].next_u64();
        self.n_episodes[index] += 1;
        self.episode_seeds[index] = seed;
        self.episodes[index].reset(&self.game, &self.options, seed, &mut self.buffer);
    }

    fn observe(&mut self, index: usize) {
        let episode = &self.episodes[index];
        self.players_to_move[index] = self.game.player_to_move(episode.state());
        let mut observation = self.observations.index_axis_mut(Axis(0), index);
        let mut mask = self.masks.index_axis_mut(Axis(0), index);
        episode.observe(
            &self.game,
            &mut self.buffer,
            observation.as_slice_mut().expect("standard layout"),
            mask.as_slice_mut().expect("standard layout"),
        );
    }
}

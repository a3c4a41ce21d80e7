//! One game behind the calls of reinforcement learning: reset, step, observe.

use crate::episode::{Episode, Signals};
use crate::{ActionId, Encode, EnvError, EnvOptions, Player};
use ndarray::{Array1, Array3, ArrayView1, ArrayView3};

/// One game as an environment of two agents, in the manner of Gymnasium and PettingZoo.
///
/// [`reset`](Env::reset) begins an episode, [`step`](Env::step) plays an action of the player to
/// move. Both write the observation and the action mask into storage of the environment and hand
/// out views; stepping does not allocate.
///
/// # Examples
/// ```
/// use tablero_env::{ActionId, Env, EnvOptions, dots_and_boxes::DotsAndBoxes};
///
/// let mut env = Env::new(DotsAndBoxes::new(1, 1).unwrap(), EnvOptions::default());
/// let (observation, mask) = env.reset(7);
/// assert_eq!(observation.shape(), [15, 2, 2]);
/// assert_eq!(mask.to_vec(), [1, 1, 1, 1]);
///
/// for edge in 0..3 {
///     let step = env.step(ActionId(edge)).unwrap();
///     assert_eq!(step.rewards, [0.0, 0.0]);
/// }
/// // The second player draws the last edge, takes the box and wins.
/// let step = env.step(ActionId(3)).unwrap();
/// assert!(step.terminated);
/// assert_eq!(step.rewards, [-1.0, 1.0]);
/// assert_eq!(step.mask.sum(), 0);
/// assert!(env.step(ActionId(0)).is_err(), "the episode is over");
/// ```
#[derive(Clone, Debug)]
pub struct Env<G: Encode> {
    game: G,
    options: EnvOptions,
    episode: Episode<G>,
    /// `[C, H, W]`.
    observation: Array3<f32>,
    /// `[n_actions]`.
    mask: Array1<i8>,
    buffer: Vec<ActionId>,
}

/// What a step led to.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<'a> {
    /// `[C, H, W]`: the new position as the player to move sees it.
    pub observation: ArrayView3<'a, f32>,
    /// `[n_actions]`: 1 for each legal action of the new position, else 0; all 0 once the game
    /// has ended. Of a truncated episode it still tells what the position allows.
    pub mask: ArrayView1<'a, i8>,
    /// Of player 0 and player 1: +1, 0 or -1 when the game has ended, else 0.
    pub rewards: [f32; 2],
    /// Whether the game has ended by its rules.
    pub terminated: bool,
    /// Whether [`EnvOptions::max_plies`] cut the game off. Never together with `terminated`.
    pub truncated: bool,
    /// Who chooses the next action; without meaning once the game has ended.
    pub player_to_move: Player,
}

impl<G: Encode> Env<G> {
    /// An environment that waits for its first [`reset`](Env::reset).
    #[must_use]
    pub fn new(game: G, options: EnvOptions) -> Self {
        Env {
            episode: Episode::new(&game),
            observation: Array3::zeros(game.observation_shape()),
            mask: Array1::zeros(game.n_actions()),
            buffer: Vec::with_capacity(game.max_legal_actions()),
            game,
            options,
        }
    }

    /// Begins a new episode and returns the observation `[C, H, W]` of the player to move and
    /// the action mask `[n_actions]`. The same seed begins the same episode.
    pub fn reset(&mut self, seed: u64) -> (ArrayView3<'_, f32>, ArrayView1<'_, i8>) {
        self.episode
            .reset(&self.game, &self.options, seed, &mut self.buffer);
        self.observe();
        (self.observation.view(), self.mask.view())
    }

    /// Plays `action` for the player to move.
    ///
    /// # Errors
    /// Before the first reset, after the end of an episode, and if the game refuses the action;
    /// nothing has changed then.
    pub fn step(&mut self, action: ActionId) -> Result<Step<'_>, EnvError<G::Illegal>> {
        self.episode.check(&self.game, action)?;
        let Signals {
            rewards,
            terminated,
            truncated,
        } = self.episode.advance(&self.game, &self.options, action);
        self.observe();
        Ok(Step {
            observation: self.observation.view(),
            mask: self.mask.view(),
            rewards,
            terminated,
            truncated,
            player_to_move: self.game.player_to_move(self.episode.state()),
        })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The options that the environment was made with.
    #[must_use]
    pub fn options(&self) -> EnvOptions {
        self.options
    }

    /// The current position; before the first reset, the game's initial one.
    #[must_use]
    pub fn state(&self) -> &G::State {
        self.episode.state()
    }

    /// Who chooses the next action; without meaning once the game has ended.
    #[must_use]
    pub fn player_to_move(&self) -> Player {
        self.game.player_to_move(self.state())
    }

    fn observe(&mut self) {
        self.episode.observe(
            &self.game,
            &mut self.buffer,
            self.observation.as_slice_mut().expect("standard layout"),
            self.mask.as_slice_mut().expect("standard layout"),
        );
    }
}

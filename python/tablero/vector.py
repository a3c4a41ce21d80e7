"""Batches of games as a Gymnasium vector environment."""

from __future__ import annotations

import copy as copying
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._tablero import Game, State
from ._tablero import VecEnv as _VecEnv
from .actions import NOT_RESET
from .drawing import picture
from .limits import DEFAULT_MAX_PLIES


class TableroVectorEnv(VectorEnv):
    """`num_envs` games stepped together, in which one policy plays both sides.

    - Observations `[B, C, H, W]`: each position as its player to move sees it.
    - Actions `[B]`, all legal: otherwise `IllegalActionError`, and nothing is changed.
    - Rewards `[B]`, for the player who has just acted: +1, 0 or -1 where the game has ended.
    - `infos`: `action_mask` `[B, n_actions]`, `player` `[B]` (who acts next, 0 or 1) and, from `step`,
      `rewards` `[B, 2]` of both players.
    - A game that ends begins anew in the same step (`AutoresetMode.SAME_STEP`): observation, mask and
      player are those of the new game, reward and flags those of the old one.
    - `copy=False` hands out the environments' own memory, which the next step changes: no copy is made
      of observations and masks. With `copy=True`, the default, arrays are the caller's.

    `reset(seed)` fixes the random openings of all episodes; without `random_opening_plies` it changes
    nothing. Pickled and copied in mid-game, an environment continues as the original does.
    """

    metadata = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        spec: str,
        num_envs: int = 1,
        *,
        max_plies: int | None = None,
        random_opening_plies: int = 0,
        copy: bool = True,
        render_mode: Literal["rgb_array"] | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"expected render_mode None or 'rgb_array', got {render_mode!r}")
        self.render_mode = render_mode
        self.game = Game(spec)
        if max_plies is None and self.game.max_plies is None:
            max_plies = DEFAULT_MAX_PLIES
        self.num_envs = num_envs
        self.copy = copy
        self._env = _VecEnv(spec, num_envs, max_plies=max_plies, random_opening_plies=random_opening_plies)
        self.single_observation_space = gymnasium.spaces.Box(
            -1.0, 1.0, self.game.observation_shape, np.float32
        )
        self.single_action_space = gymnasium.spaces.Discrete(self.game.n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._has_begun = False
        self._observations = self._env.observations
        self._masks = self._env.masks

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins all games anew; `options` has no meaning here."""
        super().reset(seed=seed)
        self._has_begun = True
        self._env.reset(int(self.np_random.integers(2**63)))
        infos = {"action_mask": self._mask(), "player": self._env.players}
        return self._seen(), infos

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays an action in each game: an array or list of whole numbers, of any type."""
        if not self._has_begun:
            raise ResetNeeded(NOT_RESET)
        earned, rewards, terminated, truncated, players = self._env.step(actions)
        infos = {"action_mask": self._mask(), "player": players, "rewards": rewards}
        return self._seen(), earned, terminated, truncated, infos

    def state(self, index: int) -> State:
        """The position of one game, as a `State`."""
        return self._env.state(index)

    def render(self) -> tuple[np.ndarray, ...] | None:
        """In mode "rgb_array" each board as pixels `[H, W, 3]`."""
        if self.render_mode is None:
            return None
        return tuple(picture(self.state(index)) for index in range(self.num_envs))

    def action_masks(self) -> np.ndarray:
        """`[B, n_actions]`: True for each legal action."""
        return self._masks.astype(bool)

    def _seen(self) -> np.ndarray:
        return self._observations.copy() if self.copy else self._observations

    def _mask(self) -> np.ndarray:
        return self._masks.copy() if self.copy else self._masks

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        # They are the memory of the original's games.
        del state["_observations"], state["_masks"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._observations = self._env.observations
        self._masks = self._env.masks

    def __copy__(self) -> TableroVectorEnv:
        """A copy shares nothing: playing one does not change the other."""
        return copying.deepcopy(self)
